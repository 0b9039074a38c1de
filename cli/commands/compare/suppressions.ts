/** `compare-exceptions.yaml`: differences that are meant to be, each with its reason. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { placeOf, positionAt } from "../../../workspace-file/index.js";
import { CliError } from "../../errors.js";
import { exceptionSchema, type ExceptionEntry } from "../../reporters/suppressions.js";
import { parseFile } from "../../config-files/parse.js";
import { comparedClasses } from "./classes.js";

/** What it is called in the current folder. */
export const EXCEPTIONS_FILE = "compare-exceptions.yaml";

export const exceptionsSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file's form: always 1."),
    exceptions: z
      .array(exceptionSchema(comparedClasses, "all of them"))
      .describe("Differences that are meant to be."),
  })
  .meta({
    title: "Exceptions of comparisons",
    description: "Findings of `workspacectl compare` that do not count.",
  });

/**
 * The entries of the exceptions file: the named one, or that in the current folder if there is one.
 * @throws {WorkspaceFileError} with all that is wrong in it, {CliError} when a named file is not there
 */
export function readExceptions(named: string | undefined): ExceptionEntry[] {
  const file = named ?? EXCEPTIONS_FILE;
  if (existsSync(file)) return parseExceptions(file, readFileSync(file, "utf8"));
  if (named === undefined) return [];
  throw new CliError(`there is no exceptions file ${file}: name another with --exceptions, or leave it out`);
}

export function parseExceptions(file: string, source: string): ExceptionEntry[] {
  const { data, tree } = parseFile(exceptionsSchema, file, source);
  return data.exceptions.map((entry, index) => ({
    ...entry,
    place: placeOf(positionAt(tree, ["exceptions", index])),
  }));
}
