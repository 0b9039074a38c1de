/** Makes entries of a fleet from the workspace files that match a pattern: `workspaces: { from: "teams/*.yaml" }`. */
import { dirname } from "node:path";
import picomatch from "picomatch";
import { ReadableFolders } from "../../../trust/checkout-files.js";
import {
  createDiagnostic,
  getPositionAt,
  type Diagnostic,
  type Tree,
} from "../../../workspace-file/index.js";
import { findCostlyPattern } from "../../../workspace-file/document/costly-pattern.js";
import { findMatchingFiles } from "../../../workspace-file/load/matching-files.js";

interface FoundFiles {
  /** By name, with the path relative to the fleet file. */
  readonly entries: Readonly<Record<string, { readonly file: string }>>;
  readonly problems: readonly Diagnostic[];
}

/**
 * @param others files that are not on disk, by absolute path
 * @throws {TrustError} when a pattern leads out of the folder of the fleet file
 */
export function findFilesFrom(
  patterns: readonly string[],
  fleetFile: string,
  tree: Tree,
  others: readonly string[],
): FoundFiles {
  const folder = dirname(fleetFile);
  const folders = new ReadableFolders([folder]);
  const entries: Record<string, { file: string }> = {};
  const problems: Diagnostic[] = [];
  const report = (message: string) => {
    const path = ["workspaces", "from"];
    problems.push(createDiagnostic(getPositionAt(tree, path), { code: "include", message }, path));
  };
  for (const pattern of patterns) {
    const costly = findCostlyPattern(pattern);
    if (costly !== undefined) {
      report(`${pattern} ${costly}`);
      continue;
    }
    const files = findMatchingFiles(pattern, folder, folders, others).filter(isDeclaration);
    if (files.length === 0) report(`no file matches ${pattern}: correct it, or add the first file`);
    for (const file of files) {
      const name = nameFile(file, pattern);
      const other = entries[name];
      if (other !== undefined && other.file !== file)
        report(`${other.file} and ${file} would both be the workspace ${name}: rename one of them`);
      entries[name] = { file };
    }
  }
  return { entries, problems };
}

/** Whether it is neither Pulumi's file nor the overlay of another one, such as `web.eu.yaml` of `web.yaml`. */
function isDeclaration(file: string, _: number, all: readonly string[]): boolean {
  const [, stem, ending] = /^(.*)\.[^./]+\.(ya?ml)$/.exec(file) ?? [];
  const isOverlay = stem !== undefined && all.includes(`${stem}.${ending}`);
  return !isOverlay && !/(^|\/)Pulumi(\.[^/]*)?\.ya?ml$/.test(file);
}

/** The part of a path for which the wildcards of the pattern stand: `web` of `teams/web.yaml`, or of `teams/web/workspace.yaml`. */
function nameFile(file: string, pattern: string): string {
  const { base } = picomatch.scan(pattern);
  const below = base === "" ? file : file.slice(base.length + 1);
  const [, literal = ""] = /[*?\])}]([^*?\])}]*)$/.exec(pattern) ?? [];
  const stands = below.endsWith(literal) ? below.slice(0, below.length - literal.length) : below;
  return stands.replace(/\.ya?ml$/, "").replaceAll("/", "-");
}
