/** Prepares the demo: an emulator in this process, a copy of the example, a state and a passphrase of its own. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";
import { startEmulator, type Emulator } from "../../../emulator/index.js";
import { JOURNAL_VARIABLE } from "../../../recovery/journal.js";
import type { Io } from "../../terminal/io.js";
import { findPackageRoot } from "../../toolchain/locations.js";

/** The path of the example in the commands that the demo prints. */
export const EXAMPLE = "examples/quickstart/workspace.yaml";

export interface Stage {
  readonly emulator: Emulator;
  /** The environment of the demo's commands, isolated from the user's Pulumi settings. */
  readonly io: Io;
  close(): Promise<void>;
}

export async function setStage(io: Io): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "workspacectl-demo-"));
  await cp(join(findPackageRoot(), "examples", "quickstart"), join(folder, dirname(EXAMPLE)), {
    recursive: true,
  });
  // Commands run exactly as printed, so the path of the example must be valid here.
  const from = process.cwd();
  process.chdir(folder);
  const emulator = await startEmulator();
  const { baseUrl, token } = emulator;
  const env = {
    ...io.env,
    ...clearSettings(io.env),
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(folder).href,
    PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex"),
    WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: token,
    WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
    [JOURNAL_VARIABLE]: join(folder, "journal"),
    WORKSPACE_VAR_DEPLOY_TOKEN: randomBytes(16).toString("hex"),
    WORKSPACE_VAR_SERVER_PASSWORD: randomBytes(16).toString("hex"),
  };
  return {
    emulator,
    io: { ...io, env },
    async close() {
      process.chdir(from);
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Empties the user's connections and Pulumi settings: the processes that Pulumi starts inherit this process's
 * environment, and a connection in it would lead the demo to the user's own workspace.
 */
function clearSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => /^(PULUMI_(?!BIN$)|WORKSPACE_AUTOMATION_)/.test(name));
  return Object.fromEntries(names.map((name) => [name, ""]));
}
