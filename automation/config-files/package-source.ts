/** Determines the dependencies in a `package.json` that we write for a program. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { findLibraryRoot, PACKAGE_NAME, resolvePath } from "../../toolchain/locations.js";
import { readText } from "../../trust/checkout-files.js";

/** What npm needs to install the packages of a program. */
export interface ProgramPackages {
  readonly dependencies: Readonly<Record<string, string>>;
  /** Text of .npmrc, where npm needs one. */
  readonly settings?: string;
}

/**
 * Returns the packages of a program in `folder`: Pulumi's SDK and the library.
 *
 * A plain version of the library would be looked up in npm's registry, where the name may belong to another package. So its specifier is
 * that of the project in which the library was installed, or the folder of the library.
 * @param root folder of the library
 */
export function findProgramPackages(folder: string, root = findLibraryRoot()): ProgramPackages {
  const installedBy = basename(dirname(root)) === "node_modules" ? dirname(dirname(root)) : undefined;
  const said = installedBy === undefined ? undefined : findDependencyIn(installedBy);
  const listDependencies = (source: string) => ({ "@pulumi/pulumi": "^3.230.0", [PACKAGE_NAME]: source });
  if (said !== undefined && !said.startsWith("file:")) return { dependencies: listDependencies(said) };
  const path = said === undefined ? root : resolve(installedBy ?? "", said.slice("file:".length));
  const dependencies = listDependencies(`file:${makeRelative(folder, path)}`);
  // npm would link the folder of a global installation, and the library would look for Pulumi's SDK next to itself, not in the program.
  const isGlobal = installedBy !== undefined && said === undefined;
  return isGlobal ? { dependencies, settings: "install-links=true\n" } : { dependencies };
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
