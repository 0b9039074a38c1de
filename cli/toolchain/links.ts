import { mkdir, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PACKAGE_NAME, cacheRoot, libraryRoot, pulumiSdkRoot, shortHash } from "./locations.js";

/**
 * Returns a folder for NODE_PATH that contains links to the library and to @pulumi/pulumi. Pulumi's provider process resolves
 * both from the user's working directory, which contains neither with `npx`, a global install or a clone. Packages that are
 * installed there still take precedence, since Node.js searches NODE_PATH last.
 *
 * The folder is made once per location of the package. Several processes may make it at the same time.
 */
export async function moduleLinks(
  root: string = libraryRoot(),
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const own = await realpath(root);
  const modules = join(cacheRoot(env), "links", shortHash(own), "node_modules");
  await ensureLink(join(modules, PACKAGE_NAME), own);
  await ensureLink(join(modules, "@pulumi", "pulumi"), await realpath(pulumiSdkRoot(own)));
  return modules;
}

/** Makes a link to a folder, and replaces one that leads elsewhere atomically. */
async function ensureLink(path: string, target: string): Promise<void> {
  if (await leadsTo(path, target)) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  // A junction needs no rights on Windows. Other systems ignore the type.
  await symlink(target, temporary, "junction");
  try {
    await rename(temporary, path);
  } catch (error) {
    // Windows cannot rename over a junction.
    await rm(path, { recursive: true, force: true });
    await rename(temporary, path).catch(async () => {
      await rm(temporary, { force: true });
      if (!(await leadsTo(path, target))) throw error;
    });
  }
}

async function leadsTo(path: string, target: string): Promise<boolean> {
  return (await realpath(path).catch(() => undefined)) === target;
}
