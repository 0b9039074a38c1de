/** Addresses that the service returns, in reports whose readers follow them. */
import { describe, expect, it } from "vitest";
import type { ReportView } from "../../automation/report/report-view.js";
import { formatHtmlReport } from "../../reports/html/html-report.js";
import { formatJunit } from "../../reports/junit.js";
import { formatMarkdownReport } from "../../reports/markdown/markdown-report.js";
import { formatSarif } from "../../reports/sarif.js";
import { createDriftView } from "../../reports/views/drift-view.js";
import { pickWebAddress } from "../../reports/web-address.js";
import { finding, reportWith } from "../cli/commands/drift/support.js";

const OWN = "https://app.example.com/acme/groups/7";
const others = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "https://me:secret@app.example.com/",
  "//evil.example/x",
  "https://app.example.com/\nx",
  `https://app.example.com/${"x".repeat(3000)}`,
  "no address",
  "",
];

const view = (link: string) => createDriftView(reportWith({ findings: [finding({ link })] }));

const forms = {
  sarif: (one: ReportView) => formatSarif(one, {}),
  junit: formatJunit,
  markdown: (one: ReportView) => formatMarkdownReport(one, {}),
  html: formatHtmlReport,
};

it("are web addresses without credentials", () => {
  expect(pickWebAddress(OWN)).toBe(OWN);
  expect(pickWebAddress(undefined)).toBeUndefined();
  expect(others.map(pickWebAddress)).toEqual(others.map(() => undefined));
});

describe.each(Object.entries(forms))("%s", (_name, format) => {
  it("links to the page of an object, and to nothing else", () => {
    expect(format(view(OWN))).toContain(OWN);
    for (const link of others.filter((one) => one !== "")) expect(format(view(link))).not.toContain(link);
  });
});
