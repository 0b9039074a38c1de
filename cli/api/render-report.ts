/** Renders the reports of the programmatic API in the formats of the command. */
import { AutomationError } from "../../automation/errors.js";
import type { OperationReport, ReportFormat } from "../../automation/workspace.js";
import { findReportSource } from "./report-sources.js";

/**
 * Renders a report as the command prints it.
 * @throws {AutomationError} `format` for a format that the report does not have, or for a report that no operation has returned
 */
export async function renderReport(report: OperationReport, format: ReportFormat): Promise<string> {
  const from = findReportSource(report);
  if (format === "json")
    return (await import("../../automation/report/report-schemas.js")).formatJsonReport(report);
  if (from === undefined)
    throw new AutomationError(
      "this is not a report that an operation of this process has returned, and only such can be rendered",
      "pass the object that the operation returned, or use JSON.stringify",
      { code: "format" },
    );
  if (!from.formats.includes(format))
    throw new AutomationError(
      `this report has no format ${format}`,
      `use one of ${["json", ...from.formats].join(", ")}`,
      { code: "format" },
    );
  if (format === "text" && from.text !== undefined) return from.text;
  const { formatForFile } = await import("../../reports/deliver-report.js");
  return formatForFile(from.report!, format, { ...from.env });
}
