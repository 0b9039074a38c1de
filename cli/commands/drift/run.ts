/** Runs `workspacectl drift`. */
import { detectDrift, type DetectOptions } from "./detect.js";
import type { DriftReport } from "./model.js";
import { createDriftBaseline } from "./report.js";
import { createDriftView } from "./view.js";
import type { UnverifiableOption } from "../../reporters/plan/print.js";
import { repeatOptions } from "../../options/document.js";
import { CliError } from "../../errors.js";
import { addAges, readDriftRecord, recordFindings } from "./record.js";
import type { Io } from "../../terminal/io.js";
import { publishReport } from "../../reporters/report.js";
import { openDelivery, type DeliveryOptions } from "../../reporters/deliver.js";

export interface DriftOptions extends DetectOptions, DeliveryOptions, UnverifiableOption {
  /** Age in milliseconds below which a finding fails no run. */
  readonly failAfter?: number;
}

/** Detects drift between file, state and live workspace. Writes none of them. */
export async function runDrift(options: DriftOptions, io: Io): Promise<number> {
  const { stateFile, failAfter } = options;
  if (failAfter !== undefined && stateFile === undefined)
    throw new CliError(
      "--fail-after has to know since when each finding has been there",
      "add --state-file FILE, and keep that file for the next run",
    );
  const { deliver } = openDelivery<DriftReport>(options, io);
  const before = stateFile === undefined ? [] : readDriftRecord(stateFile);
  const { report: detected } = await detectDrift(options, io);
  const record = recordFindings(before, detected);
  const report = stateFile === undefined ? detected : addAges(detected, record, failAfter);
  await deliver(
    report,
    (found) => ({
      value: publishReport(found, ["declared", "applied", "live"]),
      view: createDriftView(found, { again: repeatOptions(options), unverifiable: options.unverifiable }),
    }),
    { ...createDriftBaseline(report), findings: record },
  );
  return report.exitCode;
}
