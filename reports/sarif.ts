/** Writes reports and diagnostics as SARIF 2.1.0 (OASIS), for code scanning services. */
import type { Log, ReportingDescriptor, Result, Run } from "sarif";
import {
  type FindingView,
  formatScopedName,
  listNotices,
  type ReportView,
  type SectionItem,
  type SectionView,
} from "../automation/report/report-view.js";
import { showLines } from "../client/printable.js";
import { pickDefined } from "../diff/values.js";
import { formatJson } from "../text/safe-text.js";
import type { Location } from "../workspace-file/index.js";
import type { LintSeverity } from "../workspace-file/lint/lint.js";
import { formatUnreadText, listBlockLines } from "./format-values.js";
import { findRoot, type ProblemReport, relateToRoot, type Root } from "./problem-report.js";
import { pickWebAddress } from "./web-address.js";

export function formatSarif(report: ReportView, env: NodeJS.ProcessEnv): string {
  const root = findRoot(env);
  const { kind, classes, failOn, findings, ignored, incomplete, warnings, file } = report;
  const sections = listNotices(report);
  const classOf = (finding: FindingView) => classes.findIndex(({ name }) => name === finding.class);
  const level = (finding: FindingView): Result["level"] => {
    if (failOn.includes(finding.class)) return "error";
    return classes[classOf(finding)]?.tone === "unknown" ? "note" : "warning";
  };
  const resultOf = (finding: FindingView): Result => ({
    ruleId: `${kind}/${finding.class}`,
    ruleIndex: classOf(finding),
    level: level(finding),
    message: {
      text: [
        `${finding.type} ${formatScopedName(finding)} ${finding.sentence()}`,
        ...listBlockLines(finding),
      ].join("\n"),
    },
    locations: [
      createSarifLocation(finding.place ?? (file === undefined ? undefined : { file }), root, finding.name),
    ],
    partialFingerprints: { [`${kind}Finding/v1`]: finding.id },
    ...pickDefined({ hostedViewerUri: pickWebAddress(finding.link) }),
  });
  const noticeOf = (
    section: SectionView,
    index: number,
    { text, level: of, details = [], place }: SectionItem,
  ) => ({
    ruleId: `${kind}/${section.name}`,
    ruleIndex: classes.length + index,
    level: ({ error: "error", warning: "warning", info: "note" } as const)[of],
    message: { text: [text, ...details].join("\n") },
    locations: [
      createSarifLocation(place ?? (file === undefined ? undefined : { file }), root, section.title),
    ],
  });
  const results: Result[] = [
    ...sections.flatMap((section, index) => section.items.map((item) => noticeOf(section, index, item))),
    ...findings.map(resultOf),
    ...ignored.map(({ finding, reason }) => ({
      ...resultOf(finding),
      suppressions: [{ kind: "external" as const, justification: reason }],
    })),
  ];
  return formatSarifLog(report.tool.version, {
    rules: [...classes, ...sections.map(({ name, title }) => ({ name, description: title }))].map(
      ({ name, description }) => ({
        id: `${kind}/${name}`,
        name,
        shortDescription: { text: description },
      }),
    ),
    results,
    automationDetails: { id: report.id },
    invocations: [
      {
        executionSuccessful: report.complete,
        exitCode: report.exitCode,
        endTimeUtc: report.generatedAt,
        toolExecutionNotifications: [
          ...incomplete.map((one) => ({
            level: "error" as const,
            message: { text: showLines(formatUnreadText(one)) },
          })),
          ...warnings.map(({ message, place }) => ({
            level: "warning" as const,
            message: { text: showLines(message) },
            ...(place === undefined ? {} : { locations: [createSarifLocation(place, root)] }),
          })),
        ],
      },
    ],
  });
}

const levels = { error: "error", warning: "warning", info: "note" } as const satisfies Record<
  LintSeverity,
  Result["level"]
>;

export function formatDiagnosticsSarif(
  { problems, rules }: ProblemReport,
  root: Root,
  version: string,
): string {
  const codes = Object.keys(rules);
  return formatSarifLog(version, {
    rules: Object.entries(rules).map(([id, { description, remedy, severity }]) => ({
      id,
      shortDescription: { text: description },
      ...(remedy === undefined ? {} : { help: { text: remedy } }),
      defaultConfiguration: { level: levels[severity] },
    })),
    results: problems.map(({ code, severity, message, place }) => ({
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: levels[severity],
      message: { text: message },
      locations: [createSarifLocation(place, root)],
    })),
  });
}

type RunParts = Pick<Run, "automationDetails" | "invocations"> & {
  readonly rules: ReportingDescriptor[];
  readonly results: Result[];
};

function formatSarifLog(semanticVersion: string, { rules, results, ...run }: RunParts): string {
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "workspacectl", semanticVersion, rules } },
        columnKind: "utf16CodeUnits",
        ...run,
        results: results.map(({ message, ...result }) => ({
          ...result,
          message: { text: showLines(message.text ?? "") },
        })),
      },
    ],
  };
  return `${formatJson(log)}\n`;
}

/** Returns the location: a line, the file of an object that has no line in it, or only the logical name. */
function createSarifLocation(
  place: Location | Pick<Location, "file"> | undefined,
  root: Root,
  object?: string,
): NonNullable<Result["locations"]>[number] {
  return {
    ...(place === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(relateToRoot(place.file, root)) },
            ...("line" in place ? { region: { startLine: place.line, startColumn: place.column } } : {}),
          },
        }),
    ...(object === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: object, kind: "object" }] }),
  };
}
