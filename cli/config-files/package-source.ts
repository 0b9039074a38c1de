/** What a `package.json` that we write has to say so that `npm install` takes this very library, and no other of its name. */
import { readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PACKAGE_NAME, libraryRoot, realPath } from "../toolchain/locations.js";

/**
 * The version of the library as a dependency of a project in `folder`.
 *
 * A bare version would be looked up in npm's registry, where the name may belong to anybody. So it is what the project
 * says from which it was installed, or the folder that it lies in.
 * @param root folder of the library
 */
export function packageSource(folder: string, root = libraryRoot()): string {
  const installedBy = basename(dirname(root)) === "node_modules" ? dirname(dirname(root)) : undefined;
  const said = installedBy === undefined ? undefined : dependencyIn(installedBy);
  if (said !== undefined && !said.startsWith("file:")) return said;
  const path = said === undefined ? root : resolve(installedBy ?? "", said.slice("file:".length));
  return `file:${relativeTo(folder, path)}`;
}

function dependencyIn(folder: string): string | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as Record<"dependencies" | "devDependencies", Record<string, string> | undefined>;
    return dependencies?.[PACKAGE_NAME] ?? devDependencies?.[PACKAGE_NAME];
  } catch {
    // It is no project of npm's: what was installed globally, for instance.
    return undefined;
  }
}

/** In the form of package.json: with slashes on every platform. */
function relativeTo(folder: string, path: string): string {
  const way = relative(realPath(resolve(folder)), realPath(path));
  return (isAbsolute(way) || way.startsWith("..") ? way : `.${sep}${way}`).split(sep).join("/");
}
