/** Problems as SARIF 2.1.0 (OASIS), which code scanning services take. */
import type { Log, ReportingDescriptor, Result } from "sarif";
import { pathFromRoot, type ProblemReport, type Root, type RuleFacts, type Severity } from "./report.js";
import { jsonText } from "../../terminal/safe-text.js";

const levels: Record<Severity, "error" | "warning" | "note"> = {
  error: "error",
  warning: "warning",
  info: "note",
};

export function sarif({ problems, rules }: ProblemReport, root: Root, version: string): string {
  const codes = Object.keys(rules);
  const results = problems.map(({ code, severity, message, place }): Result => {
    const artifactLocation = { uri: encodeURI(pathFromRoot(place.file, root)) };
    const region = { startLine: place.line, startColumn: place.column };
    return {
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: levels[severity],
      message: { text: message },
      locations: [{ physicalLocation: { artifactLocation, region } }],
    };
  });
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "workspacectl", semanticVersion: version, rules: codes.map(descriptor) } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
  return `${jsonText(log)}\n`;

  function descriptor(id: string): ReportingDescriptor {
    const { description, remedy, severity } = rules[id] as RuleFacts;
    return {
      id,
      shortDescription: { text: description },
      ...(remedy === undefined ? {} : { help: { text: remedy } }),
      defaultConfiguration: { level: levels[severity] },
    };
  }
}
