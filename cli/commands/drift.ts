import { detectDrift, type DetectOptions } from "../drift/detect.js";
import type { DriftReport } from "../drift/model.js";
import { keptOf } from "../drift/report.js";
import { viewOf } from "../drift/view.js";
import type { Io } from "../io.js";
import { delivery, type DeliveryOptions } from "../report/deliver.js";

export interface DriftOptions extends DetectOptions, DeliveryOptions {}

/** Tells how the file, the last applied state and the workspace differ. Writes none of them. */
export async function drift(options: DriftOptions, io: Io): Promise<number> {
  const { deliver } = delivery<DriftReport>(options, io);
  const { report } = await detectDrift(options, io);
  await deliver(report, (value) => ({ value, view: viewOf(value) }), keptOf(report));
  return report.exitCode;
}
