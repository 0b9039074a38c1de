/**
 * Determines the dependency on this library in a `package.json` that we write, so that `npm install` installs no other package of its
 * name.
 */
import { readText } from "../../trust/checkout-files.js";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PACKAGE_NAME, findLibraryRoot, resolvePath } from "../toolchain/locations.js";

/**
 * Returns the dependency specifier of the library for a project in `folder`.
 *
 * A plain version would be looked up in npm's registry, where the name may belong to another package. So the specifier is that of the
 * project in which the library was installed, or the folder of the library.
 * @param root folder of the library
 */
export function findPackageSource(folder: string, root = findLibraryRoot()): string {
  const installedBy = basename(dirname(root)) === "node_modules" ? dirname(dirname(root)) : undefined;
  const said = installedBy === undefined ? undefined : findDependencyIn(installedBy);
  if (said !== undefined && !said.startsWith("file:")) return said;
  const path = said === undefined ? root : resolve(installedBy ?? "", said.slice("file:".length));
  return `file:${makeRelative(folder, path)}`;
}

function findDependencyIn(folder: string): string | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(readText(join(folder, "package.json"))) as Record<
      "dependencies" | "devDependencies",
      Record<string, string> | undefined
    >;
    return dependencies?.[PACKAGE_NAME] ?? devDependencies?.[PACKAGE_NAME];
  } catch {
    // It is not an npm project, such as the folder of a global install.
    return undefined;
  }
}

/** Returns a relative path as package.json requires it: with slashes on every platform. */
function makeRelative(folder: string, path: string): string {
  const way = relative(resolvePath(resolve(folder)), resolvePath(path));
  return (isAbsolute(way) || way.startsWith("..") ? way : `.${sep}${way}`).split(sep).join("/");
}
