/** `drift-ignore.yaml`: findings that somebody has looked at and does not want to be told of again, each with its reason. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { placeOf, positionAt, valueOf, type Tree } from "../../../workspace-file/index.js";
import { CliError } from "../../errors.js";
import { applyExceptions, exceptionSchema, type ExceptionEntry } from "../../reporters/suppressions.js";
import { beside } from "../../config-files/beside.js";
import { parseFile } from "../../config-files/parse.js";
import type { Finding, Ignored, Warning } from "./model.js";

/** What it is called beside the workspace file. */
export const IGNORE_FILE = "drift-ignore.yaml";

/** Classes that can be ignored: that something is gone is always told. */
const ignorable = ["changed", "added", "pending", "unverifiable"] as const;

export const ignoreSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file's form: always 1."),
    ignore: z
      .array(exceptionSchema(ignorable, "all but deleted, which cannot be ignored"))
      .describe("What is ignored."),
  })
  .meta({ title: "Ignored drift", description: "Findings of `workspacectl drift` that are not told." });

export type IgnoreEntry = ExceptionEntry;

/**
 * The entries of the ignore file: the named one, or that beside the workspace file if there is one.
 * @throws {WorkspaceFileError} with all that is wrong in it, {CliError} when a named file is not there
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
    place: placeOf(positionAt(tree, ["ignore", index])),
  }));
}

/** What the entries take out of the findings, and which of them do nothing any more. */
export function applyIgnores(
  findings: readonly Finding[],
  entries: readonly IgnoreEntry[],
  when: { readonly today: string; readonly complete: boolean },
): { findings: Finding[]; ignored: Ignored[]; warnings: Warning[] } {
  return applyExceptions(findings, entries, ignorable, when);
}

function refused(tree: Tree, path: PropertyPath): string {
  if (!path.includes("class")) return "";
  const written = JSON.stringify(valueOf(tree));
  return written.includes('"deleted"') ? ". That something was deleted cannot be ignored" : "";
}
