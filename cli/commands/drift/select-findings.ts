/** Selects findings: by name, all of them, or from a prompt. */
import { readJsonFile, refuseRepeated } from "../../../automation/config-files/checked-files.js";
import {
  type DriftFinding,
  type DriftReport,
  driftReportSchema,
} from "../../../automation/drift/drift-report.js";
import { AutomationError } from "../../../automation/errors.js";
import { stripControls } from "../../../client/printable.js";
import type { Io } from "../../../reports/io.js";
import { formatFinding } from "../../../reports/views/drift-view.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { fromJson, type JsonValue } from "../../../text/json-value.js";
import { limitLines } from "../../../text/shown-change.js";
import { promptAnswer } from "../../terminal/answers.js";

/** Maximum length of what a prompt says of a finding. */
const LONGEST_HINT = 400;

export interface Selection {
  /** Patterns of logical names, or ids of findings. */
  readonly names: readonly string[];
  readonly all?: boolean;
}

/** @throws {AutomationError} when nothing is selected and there is no terminal */
export function requireSelection({ names, all }: Selection, command: string, io: Io): void {
  if (names.length > 0 && all)
    throw new AutomationError(
      "names of objects and --all cannot be passed together",
      "use only one of the two",
    );
  if (names.length > 0 || all || io.interactive) return;
  throw new AutomationError(
    `${command} needs to know which objects, and there is no terminal to ask`,
    "add the names of objects, such as groups/QA, or add --all",
  );
}

/** Returns the selected findings. @throws {AutomationError} when a name has none, or the prompt is cancelled */
export async function selectFindings(
  findings: readonly DriftFinding[],
  { names, all }: Selection,
  question: string,
  io: Io,
): Promise<readonly DriftFinding[]> {
  if (all) return findings;
  if (names.length === 0) return findings.length === 0 ? [] : pickFindings(findings, question, io);
  const literal = new Set(findings.map((one) => one.name));
  const isNamed = (one: DriftFinding, name: string) =>
    one.id === name || one.name === name || (!literal.has(name) && matchesPattern(name, one.name));
  for (const name of names) {
    if (findings.some((one) => isNamed(one, name))) continue;
    const known = [...new Set(findings.map((one) => one.name))];
    throw new AutomationError(
      `drift was not found at ${name}`,
      suggestOr(
        name,
        known,
        known.length === 0
          ? "there is no drift, so nothing has to be done"
          : `choose from ${known.join(", ")}`,
      ),
    );
  }
  return findings.filter((one) => names.some((name) => isNamed(one, name)));
}

async function pickFindings(
  findings: readonly DriftFinding[],
  question: string,
  io: Io,
): Promise<readonly DriftFinding[]> {
  const { multiselect } = await import("@clack/prompts");
  const answer = await multiselect({
    message: question,
    options: findings.map((one) => ({
      value: one.id,
      label: one.name,
      hint: formatDriftHint(one),
    })),
    required: false,
    input: io.stdin,
    output: io.stderr,
  });
  const ids = promptAnswer(answer, "nothing was changed");
  return findings.filter(({ id }) => ids.includes(id));
}

/** Describes a finding in a prompt. */
export function formatDriftHint(finding: DriftFinding): string {
  return limitLines([stripControls(`${finding.class}: ${formatFinding(finding)}`)], LONGEST_HINT).join(" ");
}

/** Reads a report that `workspacectl drift --format json` has written. */
export function readReport(file: string): DriftReport {
  const remedy = 'Write one with "workspacectl drift --format json=FILE"';
  const what = 'a report of "workspacectl drift --format json"';
  const report: DriftReport = readJsonFile(driftReportSchema, file, { what, remedy });
  const ids = report.findings.map(({ id }) => id);
  refuseRepeated(file, ids, remedy);
  if (report.comparedWith === "state")
    throw new AutomationError(
      `${file} is the report of a program, so there is no workspace file to compare with`,
      'change the program, or run "workspacectl up --program" to undo what was changed outside',
    );
  return { ...report, findings: report.findings.map(withValues) };
}

/** Replaces the marks of a report with what they stand for. */
function withValues(finding: DriftFinding): DriftFinding {
  const sides = (["declared", "applied", "live"] as const).filter((side) => side in finding);
  const values = sides.map((side) => [side, fromJson(finding[side] as JsonValue)]);
  return { ...finding, ...(Object.fromEntries(values) as Partial<DriftFinding>) };
}
