/** Reads `compare-exceptions.yaml`: intended differences that are suppressed, each with its reason. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { locationOf, positionAt } from "../../../workspace-file/index.js";
import { CliError } from "../../errors.js";
import { suppressionSchema, type SuppressionEntry } from "../../reporters/suppressions.js";
import { parseFile } from "../../config-files/parse.js";
import { comparedClasses } from "./classes.js";

/** Its name in the current folder. */
export const SUPPRESSIONS_FILE = "compare-exceptions.yaml";

export const suppressionsSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file's form: always 1."),
    exceptions: z
      .array(suppressionSchema(comparedClasses, "all of them"))
      .describe("Differences that are meant to be."),
  })
  .meta({
    title: "Exceptions of comparisons",
    description: "Findings of `workspacectl compare` that do not count.",
  });

/**
 * Reads the suppressions of the named file, or of the one in the current folder if it exists.
 * @throws {WorkspaceFileError} with all its problems, {CliError} when a named file does not exist
 */
export function readSuppressions(named: string | undefined): SuppressionEntry[] {
  const file = named ?? SUPPRESSIONS_FILE;
  if (existsSync(file)) return parseSuppressions(file, readFileSync(file, "utf8"));
  if (named === undefined) return [];
  throw new CliError(`there is no exceptions file ${file}: name another with --exceptions, or leave it out`);
}

export function parseSuppressions(file: string, source: string): SuppressionEntry[] {
  const { data, tree } = parseFile(suppressionsSchema, file, source);
  return data.exceptions.map((entry, index) => ({
    ...entry,
    place: locationOf(positionAt(tree, ["exceptions", index])),
  }));
}
