/** Runs `workspacectl drift`. */
import { existsSync } from "node:fs";
import { detectDrift } from "../../../automation/drift/detect-drift.js";
import { createDriftBaseline, type DriftReport } from "../../../automation/drift/drift-report.js";
import { AutomationError } from "../../../automation/errors.js";
import { DEFAULT_FILE, repeatOptions, type StackWords } from "../../../automation/next-command.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { publishReport } from "../../../automation/report/findings-report.js";
import type { Report } from "../../../automation/report/report-view.js";
import { getProjectFile } from "../../../automation/stack/user-program.js";
import { openDelivery } from "../../../reports/deliver-report.js";
import { addAges, readFindingRecord, recordFindings } from "../../../reports/finding-record.js";
import type { Io } from "../../../reports/io.js";
import type { UnverifiableOption } from "../../../reports/plan/print-plan.js";
import { createDriftView } from "../../../reports/views/drift-view.js";
import type { DriftOptions } from "./drift-command.js";

/** Without a file, the objects of the program in this folder are compared. */
function findProgramHere({ file, program }: DriftOptions, io: Io): Pick<DriftOptions, "program"> {
  const isMissing = program === undefined && file === DEFAULT_FILE && !existsSync(file);
  if (!isMissing || !existsSync(getProjectFile("."))) return {};
  note(io, `There is no ${DEFAULT_FILE} here, so the state of the program in this folder is compared.`);
  return { program: "." };
}

/** Detects drift between file, state and live workspace. Writes none of them. */
export async function runDrift(given: DriftOptions, io: Io): Promise<number> {
  const options = { ...given, ...findProgramHere(given, io) };
  const { stateFile, failAfter } = options;
  if (failAfter !== undefined && stateFile === undefined)
    throw new AutomationError(
      "--fail-after needs a file that stores since when each finding exists",
      "add --state-file FILE, and keep that file for the next run",
    );
  const { deliver } = openDelivery<DriftReport>(options, io);
  const before = stateFile === undefined ? [] : readFindingRecord(stateFile);
  const { report: detected } = await detectDrift(options, io);
  const record = recordFindings(before, detected);
  const report = stateFile === undefined ? detected : failOnlyAfter(failAfter, addAges(detected, record));
  await deliver(report, (found) => describeDrift(found, options), {
    ...createDriftBaseline(report),
    findings: record,
  });
  return report.exitCode;
}

/** Converts a report to its published data and its view. */
export function describeDrift(report: DriftReport, options: StackWords & UnverifiableOption): Report {
  return {
    value: publishReport(report, ["declared", "applied", "live"]),
    view: createDriftView(report, {
      // A report of a program has no file to change.
      ...(options.program === undefined ? { again: repeatOptions(options) } : {}),
      unverifiable: options.unverifiable,
    }),
  };
}

/** @param failAfter age in milliseconds below which a finding fails no run */
export function failOnlyAfter(failAfter: number | undefined, report: DriftReport): DriftReport {
  if (failAfter === undefined || report.result !== "drift") return report;
  const fails = report.findings.some(
    (finding) =>
      report.failOn.includes(finding.class) &&
      finding.since !== undefined &&
      Date.parse(report.generatedAt) - Date.parse(finding.since) >= failAfter,
  );
  if (fails) return report;
  return { ...report, exitCode: report.complete ? exitCodes.ok : exitCodes.incomplete };
}
