/** Runs `workspacectl drift`. */
import { detectDrift, type DetectOptions } from "./detect.js";
import type { DriftReport } from "./model.js";
import { createDriftBaseline } from "./report.js";
import { createDriftView } from "./view.js";
import type { UnverifiableOption } from "../../reporters/plan/print.js";
import { repeatOptions } from "../../options/document.js";
import type { Io } from "../../terminal/io.js";
import { publishReport } from "../../reporters/report.js";
import { openDelivery, type DeliveryOptions } from "../../reporters/deliver.js";

export interface DriftOptions extends DetectOptions, DeliveryOptions, UnverifiableOption {}

/** Detects drift between file, state and live workspace. Writes none of them. */
export async function runDrift(options: DriftOptions, io: Io): Promise<number> {
  const { deliver } = openDelivery<DriftReport>(options, io);
  const { report } = await detectDrift(options, io);
  await deliver(
    report,
    (found) => ({
      value: publishReport(found, ["declared", "applied", "live"]),
      view: createDriftView(found, { again: repeatOptions(options), unverifiable: options.unverifiable }),
    }),
    createDriftBaseline(report),
  );
  return report.exitCode;
}
