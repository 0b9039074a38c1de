/** Our own host of dynamic providers, and a toolchain that has it in place of Pulumi's. */
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compose } from "./compose.js";
import { cacheRoot, executables, packageRoot, shortHash } from "./locations.js";
import type { PulumiToolchain } from "./types.js";

/** Holds the folder in which `workspacectl` was started. */
export const STARTED_IN = "WORKSPACECTL_STARTED_IN";

/** The same Pulumi with our own host: it takes the one that comes first on PATH. */
export async function withOwnHost(
  toolchain: PulumiToolchain,
  env: NodeJS.ProcessEnv = process.env,
): Promise<PulumiToolchain> {
  const { command, languageHost } = toolchain;
  const composed = await compose({ command, languageHost, resourcePlugin: await ownHost(env) }, env);
  return { ...toolchain, ...composed };
}

/**
 * Node.js is named by its path, and starts in the folder where `workspacectl` itself did: a relative `--require` of NODE_OPTIONS
 * finds there what this process has loaded too, and nothing in the folder of the project.
 */
async function ownHost(env: NodeJS.ProcessEnv): Promise<string> {
  const host = join(packageRoot(), "dist", "cli", "toolchain", "dynamic-provider.js");
  const text = process.platform === "win32" ? batch(host) : shell(host);
  const folder = join(cacheRoot(env), "hosts", shortHash(text));
  const file = join(folder, executables.resourcePlugin);
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return file;
  await mkdir(folder, { recursive: true });
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(temporary, text);
  await chmod(temporary, 0o755);
  await rename(temporary, file);
  return file;
}

function shell(host: string): string {
  const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;
  return `#!/bin/sh\ncd "$${STARTED_IN}" || cd /\nexec ${quoted(process.execPath)} ${quoted(host)} "$@"\n`;
}

function batch(host: string): string {
  return `@cd /d "%${STARTED_IN}%"\r\n@"${process.execPath}" "${host}" %*\r\n`;
}
