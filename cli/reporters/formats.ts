/** Formats of a report. */
import type { Io } from "../terminal/io.js";
import type { ReportView } from "./report-view.js";
import type { Format } from "./format-names.js";

/** A report: the published data, and the view for people. */
export interface Report {
  readonly value: object;
  readonly view: ReportView;
}

/** Writes a report. Each format is loaded on demand. */
export async function written({ value, view }: Report, format: Format, io: Io): Promise<string> {
  switch (format) {
    case "table":
      return (await import("./table.js")).table(view, io.colors);
    case "json":
      return (await import("./json.js")).json(value);
    case "markdown":
      return (await import("./markdown.js")).markdown(view);
    case "junit":
      return (await import("./junit.js")).junit(view);
    case "sarif":
      return (await import("./sarif.js")).sarif(view, io.env);
    case "html":
      return (await import("./html/report.js")).html(view);
  }
}
