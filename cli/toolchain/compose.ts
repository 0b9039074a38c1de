import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  cacheFolders,
  executables,
  isExecutable,
  packageRoot,
  pulumiSdkRoot,
  realPath,
  shortHash,
} from "./locations.js";

/** A pulumi and the programs it is to run with, wherever they lie. */
export interface Parts {
  command: string;
  languageHost: string | undefined;
  resourcePlugin: string;
}

/** A `bin` folder with all parts in it. */
export interface Composed {
  root: string;
  binDir: string;
  command: string;
}

/** The resource plugin that runs dynamic providers; a small script that looks for @pulumi/pulumi where it is started. */
export function packagedResourcePlugin(): string {
  return join(pulumiSdkRoot(packageRoot()), executables.resourcePlugin);
}

/**
 * Copies that script next to a CLI of ours: the engine complains about one from elsewhere on PATH. A copy will do,
 * since the script resolves everything from the folder it is started in.
 */
export async function addResourcePlugin(binDir: string): Promise<void> {
  const target = join(binDir, executables.resourcePlugin);
  if (isExecutable(target)) return;
  await copyFile(packagedResourcePlugin(), target);
  await chmod(target, 0o755);
}

/**
 * A folder that holds the parts and nothing else, fit to be put first on PATH. The folder of the CLI itself is taken
 * where it is of that kind; a mixed one such as /usr/bin would hide the user's other programs, node above all, so
 * links are made instead. The engine follows them and sees that they lead next to its own binary.
 */
export async function composeToolchain(parts: Parts, env: NodeJS.ProcessEnv): Promise<Composed> {
  const own = dirname(parts.command);
  if (await holdsExactly(own, parts)) return { root: dirname(own), binDir: own, command: parts.command };
  const key = shortHash(JSON.stringify([parts.command, parts.languageHost, parts.resourcePlugin]));
  const root = join(cacheFolders(env).composed, key);
  const composed = { root, binDir: join(root, "bin"), command: join(root, "bin", executables.cli) };
  if (!(await isIntact(composed.binDir, parts))) await makeLinks(root, parts);
  return composed;
}

function links(parts: Parts): [name: string, target: string][] {
  return [
    [executables.cli, parts.command],
    [executables.resourcePlugin, parts.resourcePlugin],
    ...(parts.languageHost ? [[executables.languageHost, parts.languageHost] as [string, string]] : []),
  ];
}

async function holdsExactly(folder: string, parts: Parts): Promise<boolean> {
  if (basename(folder) !== "bin") return false;
  if (!links(parts).every(([, target]) => dirname(target) === folder)) return false;
  return (await readdir(folder)).every((name) => name.startsWith("pulumi"));
}

async function isIntact(binDir: string, parts: Parts): Promise<boolean> {
  const names = await readdir(binDir).catch(() => []);
  return (
    names.length === links(parts).length &&
    links(parts).every(([name, target]) => realPath(join(binDir, name)) === realPath(target))
  );
}

/** Made aside and renamed, so that no other process sees half of it; who comes second finds it done. */
async function makeLinks(root: string, parts: Parts): Promise<void> {
  await mkdir(dirname(root), { recursive: true });
  const temporary = await mkdtemp(join(dirname(root), ".tmp-"));
  try {
    await mkdir(join(temporary, "bin"));
    for (const [name, target] of links(parts)) await linkOrCopy(target, join(temporary, "bin", name));
    await rename(temporary, root).catch(async () => {
      if (await isIntact(join(root, "bin"), parts)) return;
      await rm(root, { recursive: true, force: true });
      await rename(temporary, root);
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Windows lets only some users make links to files. */
async function linkOrCopy(target: string, path: string): Promise<void> {
  await symlink(target, path, "file").catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPERM") throw error;
    await copyFile(target, path);
  });
}
