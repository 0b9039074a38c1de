/** Runs `workspacectl rules test`: the test cases of lint rules. */
import type { RulesTestOptions } from "./command.js";
import { existsSync, statSync } from "node:fs";
import { formatPath } from "../../../provider/definition/problems.js";
import { lint, lintRules, type CustomRule, type LintFinding } from "../../../workspace-file/lint/index.js";
import { WorkspaceFileError } from "../../../workspace-file/load/index.js";
import {
  readCases,
  readRuleFilesIn,
  readRules,
  type ExpectedFinding,
  type LintCase,
} from "../../config-files/lint-rules.js";
import { CliError, exitCodes } from "../../errors.js";
import { note, print, type Io } from "../../terminal/io.js";
import { printJson } from "../../terminal/output.js";
import { formatCount } from "../../../diff/format-count.js";

interface Outcome {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly passed: boolean;
  /** Expected findings that the rules did not report. */
  readonly missing: readonly ExpectedFinding[];
  /** Findings that the case does not expect. */
  readonly unexpected: readonly ExpectedFinding[];
}

/**
 * Runs the cases of the rules in a folder. Only the user's own rules are applied.
 * @returns the exit code: an error when a case fails
 * @throws {CliError} when there is nothing to run, {WorkspaceFileError} for an invalid file or a rule that fails
 */
export async function runRulesTest({ folder, json = false }: RulesTestOptions, io: Io): Promise<number> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CliError(`there is no folder ${folder}`, "pass the folder with the lint rules");
  const rules = readRules([folder]);
  const cases = readRuleFilesIn(folder).cases.flatMap(readCases);
  if (cases.length === 0)
    throw new CliError(
      `${folder} contains no cases`,
      "put a file such as rules.cases.yaml into it (docs/lint-rules.md)",
    );
  const outcomes: Outcome[] = [];
  for (const one of cases) outcomes.push(await runExample(one, rules));
  const failed = outcomes.filter(({ passed }) => !passed).length;
  if (json) printJson(io, { passed: outcomes.length - failed, failed, cases: outcomes });
  else {
    for (const outcome of outcomes) printOutcome(outcome, io);
    print(io, `${formatCount(outcomes.length, "case")}, ${failed} failed`);
  }
  const found = new Set(cases.flatMap(({ findings }) => findings.map(({ code }) => code)));
  for (const { code } of rules)
    if (!found.has(code)) note(io, `no case shows what ${code} finds: add one with its finding`);
  return failed > 0 ? exitCodes.error : exitCodes.ok;
}

async function runExample(
  { name, place, file, text, findings }: LintCase,
  rules: readonly CustomRule[],
): Promise<Outcome> {
  const severities = Object.fromEntries(lintRules.map(({ code }) => [code, "off" as const]));
  const stdin = text === undefined ? {} : { stdin: () => text };
  const options = { env: {}, severities, rules, ...stdin };
  const result = await lint(file, options).catch((error: unknown) => {
    if (!(error instanceof WorkspaceFileError)) throw error;
    const where = `${place.file}:${place.line}: case "${name}" cannot be run`;
    throw new CliError(`${where}:\n${error.message}`, "Correct the `file` of the case", { cause: error });
  });
  const unexpected = [...result.findings];
  const missing = findings.filter((expected) => {
    const at = unexpected.findIndex((finding) => isExpected(finding, expected));
    if (at >= 0) unexpected.splice(at, 1);
    return at < 0;
  });
  const passed = missing.length === 0 && unexpected.length === 0;
  return {
    name,
    file: place.file,
    line: place.line,
    passed,
    missing,
    unexpected: unexpected.map(({ code, message, path = [] }) => ({ code, at: formatPath(path), message })),
  };
}

function isExpected({ code, path = [], message }: LintFinding, expected: ExpectedFinding): boolean {
  return (
    code === expected.code &&
    formatPath(path) === expected.at &&
    (expected.message === undefined || message === expected.message)
  );
}

function printOutcome({ name, file, line, passed, missing, unexpected }: Outcome, io: Io): void {
  const { green, red } = io.colors;
  print(io, `${passed ? green("ok    ") : red("FAILED")} ${name}`);
  if (passed) return;
  print(io, `       ${file}:${line}`);
  for (const finding of missing) print(io, `       missing: ${formatOutcome(finding)}`);
  for (const finding of unexpected) print(io, `       not expected: ${formatOutcome(finding)}`);
}

function formatOutcome({ code, at, message }: ExpectedFinding): string {
  return `${code} at ${at === "" ? "the document" : at}${message === undefined ? "" : `: ${message}`}`;
}
