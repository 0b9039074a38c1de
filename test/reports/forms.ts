/** The forms of a report, as people read them. */
import { JSDOM } from "jsdom";
import pc from "picocolors";
import type { ReportView } from "../../automation/report/report-view.js";
import { formatWebhook } from "../../reports/deliver-report.js";
import { formatGithub } from "../../reports/github.js";
import { formatHtmlReport } from "../../reports/html/html-report.js";
import { formatJunit } from "../../reports/junit.js";
import { formatMarkdownReport } from "../../reports/markdown/markdown-report.js";
import { formatSarif } from "../../reports/sarif.js";
import { formatReportTable } from "../../reports/table.js";

const parsed = (text: string, contentType: "text/html" | "application/xml") =>
  new JSDOM(text, { contentType }).window.document.documentElement.textContent;

/** Each form as it is read, without its own escapes. */
export const forms: Readonly<Record<string, (view: ReportView) => string>> = {
  table: (view) => formatReportTable(view, pc.createColors(false)),
  Markdown: (view) =>
    formatMarkdownReport(view)
      .replaceAll("\\|", "|")
      .replaceAll(/[\u200b]/g, ""),
  HTML: (view) => parsed(formatHtmlReport(view), "text/html"),
  GitHub: (view) => decodeURIComponent(formatGithub(view, {}).replaceAll(/%(?!25|0A|0D)/g, "%25")),
  JUnit: (view) => parsed(formatJunit(view), "application/xml"),
  SARIF: (view) => {
    const log = JSON.parse(formatSarif(view, {})) as { runs: { results: { message: { text: string } }[] }[] };
    return log.runs.flatMap(({ results }) => results.map(({ message }) => message.text)).join("\n");
  },
  webhook: (view) => plainAngles(formatWebhook(view)).replaceAll(/[\u200b]/g, ""),
};

/** A webhook's text has other brackets in the place of `<` and `>`, and a value may contain those as well. */
export function plainAngles(text: string): string {
  return text.replaceAll("‹", "<").replaceAll("›", ">");
}
