/** Selects the files to format. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../../errors.js";

const DEFAULT = "workspace.yaml";

/**
 * Returns the named files, those in named folders, or the workspace file and its overlays.
 * @throws {CliError} when there is none
 */
export function filesToFormat(named: readonly string[]): string[] {
  if (named.length > 0)
    return [...new Set(named.flatMap((name) => (isFolder(name) ? yamlIn(name) : [name])))];
  const found = readdirSync(".").filter((name) => /^workspace(\.[^/]+)?\.ya?ml$/.test(name));
  if (found.length > 0) return found.sort();
  throw new CliError(
    `there is no ${DEFAULT} in ${process.cwd()}: name the files to format, or - for standard input`,
  );
}

/** Lists workspace files and overlays in a folder, but not hidden files and Pulumi's own. */
function yamlIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^(?!\.|Pulumi\b).*\.ya?ml$/.test(name));
  if (names.length > 0) return names.sort().map((name) => join(folder, name));
  throw new CliError(`there is no *.yaml in ${folder}: name the files to format`);
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
