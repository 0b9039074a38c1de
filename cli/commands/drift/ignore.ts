/** Reads `drift-ignore.yaml`: known findings that are suppressed, each with its reason. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { locationOf, positionAt, valueOf, type Tree } from "../../../workspace-file/index.js";
import { CliError } from "../../errors.js";
import { applySuppressions, suppressionSchema, type SuppressionEntry } from "../../reporters/suppressions.js";
import { beside } from "../../config-files/beside.js";
import { parseFile } from "../../config-files/parse.js";
import type { DriftFinding, SuppressedDrift, Warning } from "./model.js";

/** Its name beside the workspace file. */
export const IGNORE_FILE = "drift-ignore.yaml";

/** Classes that can be ignored. Deletions are always reported. */
const ignorable = ["changed", "added", "pending", "unverifiable"] as const;

export const ignoreSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file's form: always 1."),
    ignore: z
      .array(suppressionSchema(ignorable, "all but deleted, which cannot be ignored"))
      .describe("What is ignored."),
  })
  .meta({ title: "Ignored drift", description: "Findings of `workspacectl drift` that are not told." });

export type IgnoreEntry = SuppressionEntry;

/**
 * Reads the named ignore file, or the one beside the workspace file if it exists.
 * @throws {WorkspaceFileError} with all its problems, {CliError} when a named file does not exist
 */
export function readIgnoreFile(named: string | undefined, workspaceFile: string): IgnoreEntry[] {
  const file = named ?? beside(workspaceFile, IGNORE_FILE);
  if (!existsSync(file)) {
    if (named === undefined) return [];
    throw new CliError(`there is no ignore file ${file}: name another with --ignore, or leave it out`);
  }
  return parseIgnoreFile(file, readFileSync(file, "utf8"));
}

export function parseIgnoreFile(file: string, source: string): IgnoreEntry[] {
  const { data, tree } = parseFile(ignoreSchema, file, source, refused);
  return data.ignore.map((entry, index) => ({
    ...entry,
    place: locationOf(positionAt(tree, ["ignore", index])),
  }));
}

/** Applies the entries to the findings, and finds entries that no longer match. */
export function applyIgnores(
  findings: readonly DriftFinding[],
  entries: readonly IgnoreEntry[],
  when: { readonly today: string; readonly complete: boolean },
): { findings: DriftFinding[]; ignored: SuppressedDrift[]; warnings: Warning[] } {
  return applySuppressions(findings, entries, ignorable, when);
}

function refused(tree: Tree, path: PropertyPath): string {
  if (!path.includes("class")) return "";
  const written = JSON.stringify(valueOf(tree));
  return written.includes('"deleted"') ? ". That something was deleted cannot be ignored" : "";
}
