/** The report as SARIF 2.1.0: findings at their places in the workspace file, for code scanning. */
import type { Log, Result } from "sarif";
import { pathFromRoot, rootOf, type Root } from "../../problems/report.js";
import { classDescriptions, findingClasses, type DriftReport, type Finding } from "../model.js";
import { sentence, unreadText } from "../values.js";

export function sarif(report: DriftReport, env: NodeJS.ProcessEnv): string {
  const root = rootOf(env);
  const { failOn, findings, ignored, incomplete, warnings } = report;
  const level = (finding: Finding): Result["level"] =>
    failOn.includes(finding.class) ? "error" : finding.class === "unverifiable" ? "note" : "warning";
  const resultOf = (finding: Finding): Result => ({
    ruleId: `drift/${finding.class}`,
    ruleIndex: findingClasses.indexOf(finding.class),
    level: level(finding),
    message: { text: `${finding.type} ${finding.name} ${sentence(finding)}` },
    locations: [location(finding.place ?? { file: report.file, line: 1, column: 1 }, root, finding.name)],
    partialFingerprints: { "driftFinding/v1": finding.id },
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
            rules: findingClasses.map((of) => ({
              id: `drift/${of}`,
              name: of,
              shortDescription: { text: classDescriptions[of] },
            })),
          },
        },
        automationDetails: { id: `drift/${report.workspace}/${report.stack}/` },
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
  return `${JSON.stringify(log, null, 2)}\n`;
}

function location(
  { file, line, column }: NonNullable<Finding["place"]>,
  root: Root,
  object?: string,
): NonNullable<Result["locations"]>[number] {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(pathFromRoot(file, root)) },
      region: { startLine: line, startColumn: column },
    },
    ...(object === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: object, kind: "object" }] }),
  };
}
