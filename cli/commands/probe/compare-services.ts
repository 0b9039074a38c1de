/** Compares how two services behave, before a workspace of one is replicated to the other. */
import { listDifferences } from "../../../assumptions/profile.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { reportHead } from "../../../automation/report/report-schemas.js";
import { type Io, print } from "../../../reports/io.js";
import { escapeMarkdown, formatMarkdownTable } from "../../../reports/markdown/text.js";
import { printTable } from "../../../reports/output.js";
import type { ProbeComparison, ProbeReport } from "./probe-report.js";

interface ProbedService {
  /** Name of the connection. */
  readonly name: string;
  readonly report: ProbeReport;
}

/** Lists what was measured at both services, and differs. */
export function compareServices(left: ProbedService, right: ProbedService): ProbeComparison {
  const there = new Map(right.report.assumptions.map((one) => [one.id, one]));
  const found = new Map(left.report.assumptions.map((one) => [one.id, one.found]));
  const differences = listDifferences(left.report.profile, right.report.profile).map(({ id, title }) => ({
    id,
    title,
    left: found.get(id) ?? "",
    right: there.get(id)?.found ?? "",
  }));
  const undecided = left.report.assumptions.filter(
    ({ id, verdict }) => verdict === "undecided" || there.get(id)?.verdict === "undecided",
  ).length;
  return {
    ...reportHead(1),
    left: describeSide(left),
    right: describeSide(right),
    differences,
    undecided,
    exitCode: differences.length > 0 ? exitCodes.drift : exitCodes.ok,
  };
}

const describeSide = ({ name, report: { baseUrl, workspace } }: ProbedService) => ({
  name,
  baseUrl,
  workspace,
});

export async function printComparison(
  { left, right, differences, undecided }: ProbeComparison,
  io: Io,
): Promise<void> {
  if (differences.length > 0) {
    const rows = differences.map(({ id, left: one, right: other }) => [id, one, other]);
    await printTable(io, ["ASSUMPTION", left.name.toUpperCase(), right.name.toUpperCase()], rows);
    print(io);
  }
  print(io, formatComparisonVerdict({ left, right, differences, undecided }));
}

function formatComparisonVerdict({
  left,
  right,
  differences,
  undecided,
}: Pick<ProbeComparison, "left" | "right" | "differences" | "undecided">): string {
  const what =
    differences.length === 0 ? "behave in the same way" : `behave differently in ${differences.length} ways`;
  return `${left.name} and ${right.name} ${what}, as far as was measured at both (${undecided} not decidable).`;
}

export function formatComparison(compared: ProbeComparison): string {
  const { left, right, differences } = compared;
  const rows = differences.map(({ id, title, left: one, right: other }) => [`${title} (${id})`, one, other]);
  const table = formatMarkdownTable(["Assumption", left.name, right.name], rows);
  return [...(rows.length > 0 ? [table] : []), escapeMarkdown(formatComparisonVerdict(compared))].join(
    "\n\n",
  );
}
