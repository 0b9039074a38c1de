/** The report as one JSON value; its schema (schema/drift-report.schema.json) is published with the package. */
import type { DriftReport } from "../model.js";

export function json(report: DriftReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
