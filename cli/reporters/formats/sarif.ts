/** The report as SARIF 2.1.0: findings at their places in files, for code scanning. */
import type { Log, Result } from "sarif";
import { pathFromRoot, rootOf, type Root } from "../diagnostics/report.js";
import { unreadText } from "../values.js";
import type { FindingView, ReportPlace, ReportView } from "../view.js";
import { jsonText } from "../../terminal/safe-text.js";

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
    message: { text: `${finding.type} ${finding.name} ${finding.sentence()}` },
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
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "workspacectl",
            semanticVersion: report.tool.version,
            rules: classes.map(({ name, description }) => ({
              id: `${kind}/${name}`,
              name,
              shortDescription: { text: description },
            })),
          },
        },
        automationDetails: { id: report.id },
        columnKind: "utf16CodeUnits",
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
        results,
      },
    ],
  };
  return `${jsonText(log)}\n`;
}

/** Of what is written nowhere, only what it is called. */
function location(
  place: ReportPlace | undefined,
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
