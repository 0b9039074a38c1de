import { detectDrift, type DetectOptions } from "./detect.js";
import type { DriftReport } from "./model.js";
import { driftBaseline } from "./report.js";
import { driftView } from "./view.js";
import type { UnverifiableOption } from "../../reporters/plan/print.js";
import { optionsAgain } from "../../options/document.js";
import type { Io } from "../../terminal/io.js";
import { publishedReport } from "../../reporters/report.js";
import { delivery, type DeliveryOptions } from "../../reporters/deliver.js";

export interface DriftOptions extends DetectOptions, DeliveryOptions, UnverifiableOption {}

/** Detects drift between file, state and live workspace. Writes none of them. */
export async function drift(options: DriftOptions, io: Io): Promise<number> {
  const { deliver } = delivery<DriftReport>(options, io);
  const { report } = await detectDrift(options, io);
  await deliver(
    report,
    (found) => ({
      value: publishedReport(found, ["declared", "applied", "live"]),
      view: driftView(found, { again: optionsAgain(options), unverifiable: options.unverifiable }),
    }),
    driftBaseline(report),
  );
  return report.exitCode;
}
