/** What the reports that operations of this process have returned can be rendered from. */
import type { Variables } from "../../automation/automation-port.js";
import type { Report } from "../../automation/report/report-view.js";
import type { ReportFormat } from "../../automation/workspace.js";

interface ReportSource {
  /** The view of a report about findings or a plan. */
  readonly report?: Report;
  /** What the command prints, where that is no view. */
  readonly text?: string;
  readonly formats: readonly ReportFormat[];
  readonly env: Variables;
}

const sources = new WeakMap<object, ReportSource>();

/** Remembers how to render a report. */
export function withRendering<R extends object>(report: R, from: ReportSource): R {
  sources.set(report, from);
  return report;
}

/** Returns what a report can be rendered from; undefined for one that no operation of this process has returned. */
export function findReportSource(report: object): ReportSource | undefined {
  return sources.get(report);
}
