import { detectDrift, type DetectOptions } from "./detect.js";
import type { DriftReport } from "./model.js";
import { keptOf } from "./report.js";
import { viewOf } from "./view.js";
import type { Io } from "../../terminal/io.js";
import { delivery, type DeliveryOptions } from "../../reporters/deliver.js";

export interface DriftOptions extends DetectOptions, DeliveryOptions {}

/** Tells how the file, the last applied state and the workspace differ. Writes none of them. */
export async function drift(options: DriftOptions, io: Io): Promise<number> {
  const { deliver } = delivery<DriftReport>(options, io);
  const { report } = await detectDrift(options, io);
  await deliver(report, (value) => ({ value, view: viewOf(value) }), keptOf(report));
  return report.exitCode;
}
