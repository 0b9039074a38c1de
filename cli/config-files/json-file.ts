/** Reads JSON files that an earlier command has written: plans, reports, and records for the next run. */
import type { z } from "zod";
import { formatPath } from "../../diff/structural-diff.js";
import { readText, readTextIfPresent } from "../../trust/checkout-files.js";
import { parseFailure, parseJson } from "../../trust/quoting.js";
import { CliError } from "../errors.js";

/** What a file has to be, and what to do if it is something else. */
interface ExpectedFile {
  /** Such as "a report of workspacectl fleet". */
  readonly what: string;
  readonly remedy: string;
  /** The user has named the file. */
  readonly named?: boolean;
}

/** Reads a file that the user has named. @throws {CliError} when it cannot be read */
export function readNamedText(file: string, remedy: string): string {
  try {
    return readText(file, { named: true });
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${parseFailure(error)}`, remedy);
  }
}

/** @throws {CliError} when the file cannot be read, or is something else */
export function readJsonFile<S extends z.ZodType>(
  schema: S,
  file: string,
  expected: ExpectedFile,
): z.infer<S> {
  return parseJsonFile(schema, file, readNamedText(file, expected.remedy), expected);
}

/** @throws {CliError} when there is a file, and it is something else */
export function readJsonFileIfPresent<S extends z.ZodType>(
  schema: S,
  file: string,
  expected: ExpectedFile,
): z.infer<S> | undefined {
  const text = readTextIfPresent(file, { named: expected.named ?? false });
  return text === undefined ? undefined : parseJsonFile(schema, file, text, expected);
}

/** @throws {CliError} that names the first problem */
export function parseJsonFile<S extends z.ZodType>(
  schema: S,
  file: string,
  text: string,
  { what, remedy }: ExpectedFile,
): z.infer<S> {
  const refusal = (why: string) => new CliError(`${file} is not ${what}: ${why}`, remedy);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw refusal((error as Error).message);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = formatPath((issue?.path ?? []) as (string | number)[]);
  throw refusal([path, issue?.message].filter(Boolean).join(": "));
}

/** Parses a text that a machine has written, and that may be cut. @returns undefined for what is no JSON */
export function parseJsonIfValid(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "") as unknown;
  } catch {
    return undefined;
  }
}
