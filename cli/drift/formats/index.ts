/** The forms of a report. */
import type { Io } from "../../io.js";
import type { DriftReport } from "../model.js";
import type { Format } from "../words.js";

/** Each form is loaded when it is wanted. */
export async function written(report: DriftReport, format: Format, io: Io): Promise<string> {
  switch (format) {
    case "table":
      return (await import("./table.js")).table(report, io.colors);
    case "json":
      return (await import("./json.js")).json(report);
    case "markdown":
      return (await import("./markdown.js")).markdown(report);
    case "junit":
      return (await import("./junit.js")).junit(report);
    case "sarif":
      return (await import("./sarif.js")).sarif(report, io.env);
    case "html":
      return (await import("./html.js")).html(report);
  }
}
