/** Runs `workspacectl lint`. */
import { readOptions } from "../../../automation/connection/file-facts.js";
import { AutomationError } from "../../../automation/errors.js";
import {
  describeRules,
  listBindingRules,
  withPolicy,
} from "../../../automation/policy/policy-file/cel-rules.js";
import { readPolicies } from "../../../automation/policy/policy-file/read.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type { Io } from "../../../reports/io.js";
import { printJson, printTable } from "../../../reports/output.js";
import { chooseFormat, printReport, reportInvalid } from "../../../reports/print-problems.js";
import { counts, type ProblemReport, tally } from "../../../reports/problem-report.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import {
  lint as lintFile,
  type LintRuleFacts,
  lintRules,
  type LintSeverity,
} from "../../../workspace-file/lint/lint.js";
import type { LintOptions } from "./lint-command.js";
import { readRules } from "./read-lint-rules.js";

/**
 * Finds likely mistakes in a valid workspace file.
 * @returns the exit code: an error for findings of that severity, or for too many warnings
 * @throws {WorkspaceFileError} when the file is not valid
 */
export async function lint(options: LintOptions, io: Io): Promise<number> {
  const { file, maxWarnings = Infinity } = options;
  const format = chooseFormat(options);
  const own = await reportInvalid(format, io, () => readRules(options.rules ?? []));
  const binding = listBindingRules(await readPolicies(options, io));
  const all = [...lintRules, ...own].map(({ code, severity, description, remedy }) => {
    return { code, severity, description, remedy };
  });
  const severities = parseSeverities(options, all);
  if (options.listRules) return listRules(all, severities, format === "json", io);
  const read = () => lintFile(file, { ...readOptions(options, io), severities, rules: own, binding });
  const { findings, textOf } = await reportInvalid(format, io, read);
  const rules = describeRules([...all, ...binding]);
  const report: ProblemReport = { file, problems: findings.map(withPolicy), rules, textOf };
  const found = counts(findings);
  await printReport(report, format, io);
  if (format !== "text") note(io, `${tally(found)} in ${file}`);
  if (found.warning > maxWarnings)
    note(io, `${tally({ ...found, error: 0, info: 0 })}: more than the ${maxWarnings} of --max-warnings`);
  return found.error > 0 || found.warning > maxWarnings ? exitCodes.error : exitCodes.ok;
}

/** @throws {AutomationError} for an unknown code, or one with two severities */
function parseSeverities(
  options: LintOptions,
  rules: readonly LintRuleFacts[],
): Record<string, LintSeverity | "off"> {
  const severities: Record<string, LintSeverity | "off"> = {};
  const known = rules.map(({ code }) => code);
  for (const severity of ["error", "warning", "off"] as const) {
    for (const code of options[severity] ?? []) {
      const earlier = severities[code];
      if (!known.includes(code))
        throw new AutomationError(
          `there is no lint rule ${code}`,
          suggestOr(code, known, "--list-rules lists them"),
        );
      if (earlier !== undefined && earlier !== severity)
        throw new AutomationError(
          `the rule ${code} is set to ${earlier} and to ${severity}`,
          "use only one of the two",
        );
      severities[code] = severity;
    }
  }
  return severities;
}

async function listRules(
  rules: readonly LintRuleFacts[],
  severities: Readonly<Record<string, LintSeverity | "off">>,
  asJson: boolean,
  io: Io,
): Promise<number> {
  const list = rules.map((rule) => ({ ...rule, severity: severities[rule.code] ?? rule.severity }));
  if (asJson) printJson(io, list);
  else
    await printTable(
      io,
      ["CODE", "SEVERITY", "WHAT IT FINDS"],
      list.map(({ code, severity, description }) => [code, severity, description]),
    );
  return exitCodes.ok;
}
