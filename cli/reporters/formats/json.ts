/** The report as one JSON value; its schema is published with the package. */
import { jsonText } from "../../terminal/safe-text.js";
export function json(report: object): string {
  return `${jsonText(report)}\n`;
}
