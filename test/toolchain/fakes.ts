/** Programs that stand in for those of the toolchain. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { executables } from "../../toolchain/locations.js";
import type { Machinery, ToolchainEvent } from "../../toolchain/types.js";
import { PULUMI_VERSION } from "../../toolchain/versions.js";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolchain-test-")));
  folders.push(folder);
  return folder;
}

/** Writes an executable file. */
export async function executable(path: string, content: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, 0o755);
  return path;
}

/** Creates a machine without programs: an empty PATH, an empty cache and no known digests. */
export function emptyMachine() {
  const folder = temporaryFolder();
  const env: NodeJS.ProcessEnv = {
    PATH: join(folder, "path"),
    WORKSPACECTL_CACHE: join(folder, "cache"),
    WORKSPACECTL_DIGESTS: join(folder, "config/digests.json"),
  };
  return { folder, env };
}

/**
 * Runs no program: the version of a CLI is the text of its file, and everything created has the pinned version. `calls`
 * lists the steps that were used.
 */
export function fakeMachinery(overrides: Partial<Machinery> = {}) {
  const calls: string[] = [];
  const machinery: Machinery = {
    async pulumiVersion(command) {
      const text = await readFile(command, "utf8");
      if (text === "broken") throw new Error(`${command} is broken`);
      return text;
    },
    async checkLanguageHost(command) {
      await readFile(command);
    },
    async install(root) {
      await executable(join(root, "bin", executables.cli), PULUMI_VERSION);
      await executable(join(root, "bin", executables.languageHost), "host");
      await executable(join(root, "bin", executables.resourcePlugin), "plugin");
      return "a list";
    },
    ...overrides,
  };
  const recorded = {
    ...machinery,
    install: (...args: Parameters<Machinery["install"]>) => (
      calls.push("install"),
      machinery.install(...args)
    ),
  };
  return { machinery: recorded, calls };
}

/** Collects progress events. */
export function recorder() {
  const events: ToolchainEvent[] = [];
  return { events, onProgress: (event: ToolchainEvent) => void events.push(event) };
}

/** Creates a step that fails. */
export const fails = (message: string) => () => Promise.reject(new Error(message));
