import { mkdir, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PACKAGE_NAME, cacheRoot, libraryRoot, pulumiSdkRoot, shortHash } from "./locations.js";

/**
 * A folder for NODE_PATH in which the library and @pulumi/pulumi are found by name. Pulumi's provider process looks
 * for both from the user's working directory, which with `npx`, a global install or a clone holds neither. What is
 * installed there still comes first: Node.js asks NODE_PATH last.
 *
 * The folder holds links only, is made once per place of the package, and may be made by many processes at once.
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

/** Links a folder under a name; a link that leads elsewhere is replaced in one step. */
async function ensureLink(path: string, target: string): Promise<void> {
  if (await leadsTo(path, target)) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  // A junction needs no rights on Windows; elsewhere the word is ignored.
  await symlink(target, temporary, "junction");
  try {
    await rename(temporary, path);
  } catch (error) {
    // Windows does not rename over a junction.
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
