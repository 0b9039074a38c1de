/** Writes a report as JUnit XML: a suite for each class, so that CI servers show findings as failed tests. Each workspace of a fleet is a test. */
import {
  type Cell,
  type ClassView,
  type FindingView,
  formatScopedName,
  listNotices,
  type PartView,
  type ReportView,
  type SectionItem,
} from "../automation/report/report-view.js";
import { escapeMarkup } from "../text/safe-text.js";
import { formatBlockLines } from "../text/shown-change.js";
import { formatCell, formatLegend, formatUnreadText, showCellChange } from "./format-values.js";
import { pickWebAddress } from "./web-address.js";

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly body?: string;
  readonly kind: "failure" | "error" | "skipped" | "passed";
}

export function formatJunit(report: ReportView): string {
  const { findings, ignored, incomplete, failOn, generatedAt, parts = [] } = report;
  // A workspace in which nothing failed is a test that has passed, so no others are needed to say so.
  const classes = report.classes.filter(
    ({ name, ofParts }) => !ofParts || findings.some((one) => one.class === name),
  );
  const ofClass = (of: ClassView) => findings.filter((finding) => finding.class === of.name);
  const found: [name: string, cases: readonly Case[]][] = [
    ...(parts.length === 0 ? [] : [["workspaces", parts.map(createPartCase)] as [string, Case[]]]),
    ...listNotices(report).map(({ name, items }): [string, Case[]] => [
      name,
      items.map((item) => createSectionCase(name, item)),
    ]),
    ...classes.map((of): [string, Case[]] => [
      of.name,
      ofClass(of).map((finding) => createFindingCase(finding, of, failOn.includes(of.name))),
    ]),
    ["read", incomplete.map(createUnreadCase)],
    [
      "ignored",
      ignored.map(({ finding, reason }): Case => {
        return {
          ...nameCase(finding),
          kind: "skipped",
          body: `<skipped message="${escapeMarkup(reason)}"/>`,
        };
      }),
    ],
  ];
  const suites = found.map(([name, cases]): [string, readonly Case[]] => {
    // CI servers treat a suite without a case as one that did not run.
    return [name, cases.length > 0 ? cases : [{ name: `nothing ${name}`, classname: name, kind: "passed" }]];
  });
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="${escapeMarkup(report.subject)}" ${formatTotals(suites.flatMap(([, cases]) => cases))} time="${report.seconds}">`,
    ...suites.flatMap(([name, cases]) => [
      `  <testsuite name="${escapeMarkup(name)}" ${formatTotals(cases)} skipped="${count(cases, "skipped")}" time="0" timestamp="${generatedAt.slice(0, 19)}">`,
      ...cases.map(renderCase),
      `  </testsuite>`,
    ]),
    `</testsuites>`,
    "",
  ].join("\n");
}

function createPartCase({ name, owner = "workspace", result, text }: PartView): Case {
  const said = escapeMarkup(text);
  const kind = result === "failed" ? "failure" : result;
  const body = kind === "passed" ? `<system-out>${said}</system-out>` : `<${kind} message="${said}"/>`;
  return { name, classname: owner, kind, body };
}

function createSectionCase(classname: string, { text, level, details = [] }: SectionItem): Case {
  const more = escapeMarkup(details.join("\n"));
  if (level === "error") {
    const body = `<failure type="${classname}" message="${escapeMarkup(text)}">${more}</failure>`;
    return { name: text, classname, kind: "failure", body };
  }
  const body = more === "" ? {} : { body: `<system-out>${more}</system-out>` };
  return { name: text, classname, kind: "passed", ...body };
}

function createUnreadCase(one: ReportView["incomplete"][number]): Case {
  const name = formatUnreadText(one);
  const body = `<error type="incomplete" message="${escapeMarkup(name)}"/>`;
  return { name, classname: one.type, kind: "error", body };
}

function renderCase({ name, classname, body }: Case): string {
  const end = body === undefined ? "/>" : `>${body}</testcase>`;
  return `    <testcase classname="${escapeMarkup(classname)}" name="${escapeMarkup(name)}" time="0"${end}`;
}

function createFindingCase(finding: FindingView, of: ClassView, fails: boolean): Case {
  const text = escapeMarkup(formatDetails(finding, of));
  // A class that does not fail the run does not fail a test either.
  if (!fails) return { ...nameCase(finding), kind: "passed", body: `<system-out>${text}</system-out>` };
  const message = escapeMarkup(finding.sentence());
  return {
    ...nameCase(finding),
    kind: "failure",
    body: `<failure type="${of.name}" message="${message}">${text}</failure>`,
  };
}

function nameCase(finding: FindingView): Pick<Case, "name" | "classname"> {
  const { type, name, path, scope } = finding;
  const object = path === "" ? name : `${name} ${path}`;
  return {
    classname: type,
    name: formatScopedName({ name: object, ...(scope === undefined ? {} : { scope }) }),
  };
}

function formatDetails(finding: FindingView, of: ClassView): string {
  const { link, place } = finding;
  const lines = [
    of.description,
    ...listSideTexts(finding),
    place && `at ${place.file}:${place.line}:${place.column}`,
    pickWebAddress(link),
  ];
  return lines.filter((line) => line !== undefined).join("\n");
}

/** The values; two that differ in lines are compared. */
function listSideTexts(finding: FindingView): string[] {
  const { sides, columns } = finding;
  const texts = (cells: readonly Cell[]) =>
    cells.map((cell) => `${cell.title}: ${formatCell(cell, finding)}`);
  const [before, after, ...others] = sides;
  if (before === undefined || after === undefined) return texts(sides);
  const change = showCellChange({ ...finding, columns: [before, after] });
  if ("said" in change) return [change.said, ...texts(others)];
  if ("before" in change)
    return [`${before.title}: ${change.before}`, `${after.title}: ${change.after}`, ...texts(others)];
  return [`${formatLegend({ columns })}:`, ...formatBlockLines(change), ...texts(others)];
}

const formatTotals = (cases: readonly Case[]) =>
  `tests="${cases.length}" failures="${count(cases, "failure")}" errors="${count(cases, "error")}"`;

const count = (cases: readonly Case[], kind: Case["kind"]) => cases.filter((one) => one.kind === kind).length;
