/** What the demo plays on: an emulator in this process, a copy of the example, a state and a passphrase of its own. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";
import { WorkspaceAutomationClient } from "../../../client/index.js";
import { startEmulator, type Emulator } from "../../../emulator/index.js";
import { JOURNAL_VARIABLE } from "../../../provider/index.js";
import type { Io } from "../../terminal/io.js";
import { packageRoot } from "../../toolchain/locations.js";

/** The example, as it is named in the commands that the demo shows. */
export const EXAMPLE = "examples/quickstart/workspace.yaml";

export interface Stage {
  readonly emulator: Emulator;
  readonly client: WorkspaceAutomationClient;
  /** The world as the demo's commands see it: nothing of the user's Pulumi is read or written. */
  readonly io: Io;
  close(): Promise<void>;
}

export async function setStage(io: Io): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "workspacectl-demo-"));
  await cp(join(packageRoot(), "examples", "quickstart"), join(folder, dirname(EXAMPLE)), {
    recursive: true,
  });
  // The commands are run as they are shown, from where the example is called so.
  const from = process.cwd();
  process.chdir(folder);
  const emulator = await startEmulator();
  const { baseUrl, token } = emulator;
  const client = new WorkspaceAutomationClient({ baseUrl, token });
  const env = {
    ...io.env,
    ...blank(io.env),
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(folder).href,
    PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex"),
    WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: token,
    WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
    [JOURNAL_VARIABLE]: join(folder, "journal"),
    DEPLOY_TOKEN: randomBytes(16).toString("hex"),
    SERVER_PASSWORD: randomBytes(16).toString("hex"),
  };
  return {
    emulator,
    client,
    io: { ...io, env },
    async close() {
      process.chdir(from);
      await client.close();
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The user's connections and Pulumi settings, emptied: the processes that Pulumi starts inherit this process's
 * environment, and a connection named there would lead the demo to the user's own workspace.
 */
function blank(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => /^(PULUMI_(?!BIN$)|WORKSPACE_AUTOMATION_)/.test(name));
  return Object.fromEntries(names.map((name) => [name, ""]));
}
