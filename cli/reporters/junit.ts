/** The report as JUnit XML: a suite for each class, so that CI servers show findings as failed tests. */
import { escaped } from "../terminal/markup.js";
import { cellBlock, unreadText } from "./values.js";
import type { ClassView, FindingView, ReportView } from "./report-view.js";

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly body: string;
  readonly kind: "failure" | "error" | "skipped" | "passed";
}

export function junit(report: ReportView): string {
  const { classes, findings, ignored, incomplete, failOn } = report;
  const suites = [
    ...classes.map((of) =>
      suiteOf(
        of,
        findings.filter((finding) => finding.class === of.name),
        failOn.includes(of.name),
      ),
    ),
    { name: "read", cases: incomplete.map((one): Case => unread(unreadText(one), one.type)) },
    {
      name: "ignored",
      cases: ignored.map(({ finding, reason }): Case => ({
        ...caseOf(finding),
        kind: "skipped",
        body: `<skipped message="${escaped(reason)}"/>`,
      })),
    },
  ].map(({ name, cases }) => ({
    name,
    // A suite without a case is taken for one that did not run.
    cases:
      cases.length > 0
        ? cases
        : [{ name: `nothing ${name}`, classname: name, body: "", kind: "passed" as const }],
  }));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="${escaped(report.subject)}" ${totals(all)} time="${report.seconds}">`,
    ...suites.map(({ name, cases }) => suite(name, cases, report)),
    `</testsuites>`,
    "",
  ].join("\n");
}

function suite(name: string, cases: readonly Case[], { generatedAt }: ReportView): string {
  const lines = cases.map(
    (one) =>
      `    <testcase classname="${escaped(one.classname)}" name="${escaped(one.name)}" time="0"${one.body === "" ? "/>" : `>${one.body}</testcase>`}`,
  );
  return [
    `  <testsuite name="${escaped(name)}" ${totals(cases)} skipped="${count(cases, "skipped")}" time="0" timestamp="${generatedAt.slice(0, 19)}">`,
    ...lines,
    `  </testsuite>`,
  ].join("\n");
}

function suiteOf(of: ClassView, found: readonly FindingView[], fails: boolean) {
  return {
    name: of.name,
    cases: found.map((finding): Case => {
      const message = escaped(finding.sentence());
      // What does not fail the run is told, and does not fail a test either.
      const body = fails
        ? `<failure type="${of.name}" message="${message}">${escaped(details(finding, of))}</failure>`
        : `<system-out>${escaped(details(finding, of))}</system-out>`;
      return { ...caseOf(finding), body, kind: fails ? "failure" : "passed" };
    }),
  };
}

function unread(text: string, classname: string): Case {
  return {
    name: text,
    classname,
    kind: "error",
    body: `<error type="incomplete" message="${escaped(text)}"/>`,
  };
}

function caseOf({ type, name, path }: FindingView): Pick<Case, "name" | "classname"> {
  return { classname: type, name: path === "" ? name : `${name} ${path}` };
}

function details(finding: FindingView, of: ClassView): string {
  const { sides, link, place } = finding;
  const lines = [
    of.description,
    ...sides.map((cell) => `${cell.title}: ${cellBlock(cell, finding)}`),
    ...(place === undefined ? [] : [`at ${place.file}:${place.line}:${place.column}`]),
    ...(link === undefined ? [] : [link]),
  ];
  return lines.join("\n");
}

function totals(cases: readonly Case[]): string {
  return `tests="${cases.length}" failures="${count(cases, "failure")}" errors="${count(cases, "error")}"`;
}

function count(cases: readonly Case[], kind: Case["kind"]): number {
  return cases.filter((one) => one.kind === kind).length;
}
