/** Composes a toolchain: one folder with links to Pulumi's CLI and the programs that it starts. */
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { listCacheFolders, executables, resolvePath, hashShortly } from "./locations.js";

/** Pulumi CLI and the programs that it runs with, in any folders. */
export interface Parts {
  command: string;
  languageHost: string | undefined;
  resourcePlugin: string | undefined;
}

/** `bin` folder that contains all parts. */
export interface Composed {
  root: string;
  binDir: string;
  command: string;
}

/**
 * Returns a folder for the first position on PATH, which contains the parts and nothing else. This is the folder of the CLI
 * itself where possible. A mixed one such as /usr/bin would hide the user's other programs, so a folder of links is made
 * instead. The engine follows them and finds that they lead next to its own binary.
 */
export async function composeToolchain(parts: Parts, env: NodeJS.ProcessEnv): Promise<Composed> {
  const own = dirname(parts.command);
  if (await holdsExactly(own, parts)) return { root: dirname(own), binDir: own, command: parts.command };
  const key = hashShortly(JSON.stringify([parts.command, parts.languageHost, parts.resourcePlugin]));
  const root = join(listCacheFolders(env).composed, key);
  const composed = { root, binDir: join(root, "bin"), command: join(root, "bin", executables.cli) };
  if (!(await isIntact(composed.binDir, parts))) await makeLinks(root, parts);
  return composed;
}

function listLinks(parts: Parts): [name: string, target: string][] {
  const all: [string, string | undefined][] = [
    [executables.cli, parts.command],
    [executables.resourcePlugin, parts.resourcePlugin],
    [executables.languageHost, parts.languageHost],
  ];
  return all.filter((link): link is [string, string] => link[1] !== undefined);
}

async function holdsExactly(folder: string, parts: Parts): Promise<boolean> {
  if (basename(folder) !== "bin") return false;
  if (!listLinks(parts).every(([, target]) => dirname(target) === folder)) return false;
  return (await readdir(folder)).every((name) => name.startsWith("pulumi"));
}

async function isIntact(binDir: string, parts: Parts): Promise<boolean> {
  const names = await readdir(binDir).catch(() => []);
  return (
    names.length === listLinks(parts).length &&
    listLinks(parts).every(([name, target]) => resolvePath(join(binDir, name)) === resolvePath(target))
  );
}

/** Makes the folder under a temporary name, so that no other process uses a partial one. */
async function makeLinks(root: string, parts: Parts): Promise<void> {
  await mkdir(dirname(root), { recursive: true });
  const temporary = await mkdtemp(join(dirname(root), ".tmp-"));
  try {
    await mkdir(join(temporary, "bin"));
    for (const [name, target] of listLinks(parts)) await linkOrCopy(target, join(temporary, "bin", name));
    await rename(temporary, root).catch(async () => {
      if (await isIntact(join(root, "bin"), parts)) return;
      await rm(root, { recursive: true, force: true });
      await rename(temporary, root);
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Copies where Windows does not allow the user to make links to files. */
async function linkOrCopy(target: string, path: string): Promise<void> {
  await symlink(target, path, "file").catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPERM") throw error;
    await copyFile(target, path);
  });
}
