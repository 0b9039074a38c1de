/** Writes diagnostics as SARIF 2.1.0 (OASIS), and what all such logs have in common. */
import type { Log, ReportingDescriptor, Result, Run } from "sarif";
import type { LintSeverity } from "../../workspace-file/lint/index.js";
import { relateToRoot, type ProblemReport, type Root } from "./problem-report.js";
import type { Location } from "../../workspace-file/index.js";
import { formatJson } from "../terminal/safe-text.js";

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

export function formatSarifLog(semanticVersion: string, { rules, ...run }: RunParts): string {
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
  return `${formatJson(log)}\n`;
}

/** Returns the location: a line, the file of an object that has no line in it, or only the logical name. */
export function createSarifLocation(
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
