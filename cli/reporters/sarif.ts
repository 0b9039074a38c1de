/** Writes reports and diagnostics as SARIF 2.1.0 (OASIS), for code scanning services. */
import type { Log, ReportingDescriptor, Result, Run } from "sarif";
import type { LintSeverity } from "../../workspace-file/lint/index.js";
import { pathFromRoot, rootOf, type ProblemReport, type Root } from "./diagnostics.js";
import type { Location } from "../../workspace-file/index.js";
import { blockOf, unreadText } from "./values.js";
import type { FindingView, ReportView } from "./report-view.js";
import { jsonText } from "../terminal/safe-text.js";

export function sarif(report: ReportView, env: NodeJS.ProcessEnv): string {
  const root = rootOf(env);
  const { kind, classes, failOn, findings, ignored, incomplete, warnings, file } = report;
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
      text: [`${finding.type} ${finding.name} ${finding.sentence()}`, ...blockOf(finding)].join("\n"),
    },
    locations: [
      location(
        finding.place ?? (file === undefined ? undefined : { file, line: 1, column: 1 }),
        root,
        finding.name,
      ),
    ],
    partialFingerprints: { [`${kind}Finding/v1`]: finding.id },
    ...(finding.link === undefined ? {} : { hostedViewerUri: finding.link }),
  });
  const results: Result[] = [
    ...findings.map(resultOf),
    ...ignored.map(({ finding, reason }) => ({
      ...resultOf(finding),
      suppressions: [{ kind: "external" as const, justification: reason }],
    })),
  ];
  return sarifLog(report.tool.version, {
    rules: classes.map(({ name, description }) => ({
      id: `${kind}/${name}`,
      name,
      shortDescription: { text: description },
    })),
    results,
    automationDetails: { id: report.id },
    invocations: [
      {
        executionSuccessful: report.complete,
        exitCode: report.exitCode,
        endTimeUtc: report.generatedAt,
        toolExecutionNotifications: [
          ...incomplete.map((one) => ({ level: "error" as const, message: { text: unreadText(one) } })),
          ...warnings.map(({ message, place }) => ({
            level: "warning" as const,
            message: { text: message },
            ...(place === undefined ? {} : { locations: [location(place, root)] }),
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

export function diagnosticsSarif({ problems, rules }: ProblemReport, root: Root, version: string): string {
  const codes = Object.keys(rules);
  return sarifLog(version, {
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
      locations: [location(place, root)],
    })),
  });
}

type RunParts = Pick<Run, "automationDetails" | "invocations"> & {
  readonly rules: ReportingDescriptor[];
  readonly results: Result[];
};

function sarifLog(semanticVersion: string, { rules, ...run }: RunParts): string {
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "workspacectl", semanticVersion, rules } },
        columnKind: "utf16CodeUnits",
        ...run,
      },
    ],
  };
  return `${jsonText(log)}\n`;
}

/** Returns the location, or only the logical name of an object that is in no file. */
function location(
  place: Location | undefined,
  root: Root,
  object?: string,
): NonNullable<Result["locations"]>[number] {
  return {
    ...(place === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(pathFromRoot(place.file, root)) },
            region: { startLine: place.line, startColumn: place.column },
          },
        }),
    ...(object === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: object, kind: "object" }] }),
  };
}
