/** The report as one JSON value; its schema is published with the package. */
export function json(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
