/** Writes reports as SARIF 2.1.0 (OASIS), for code scanning services. */
import type { Result } from "sarif";
import { findRoot } from "./problem-report.js";
import {
  formatScopedName,
  type FindingView,
  type ReportView,
  type SectionItem,
  type SectionView,
} from "./report-view.js";
import { createSarifLocation, formatSarifLog } from "./sarif-diagnostics.js";
import { listBlockLines, formatUnreadText } from "./format-values.js";

export function formatSarif(report: ReportView, env: NodeJS.ProcessEnv): string {
  const root = findRoot(env);
  const { kind, classes, failOn, findings, ignored, incomplete, warnings, file, sections = [] } = report;
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
    ...(finding.link === undefined ? {} : { hostedViewerUri: finding.link }),
  });
  const noticeOf = (section: SectionView, index: number, { text, level: of, details = [] }: SectionItem) => ({
    ruleId: `${kind}/${section.name}`,
    ruleIndex: classes.length + index,
    level: ({ error: "error", warning: "warning", info: "note" } as const)[of],
    message: { text: [text, ...details].join("\n") },
    locations: [createSarifLocation(file === undefined ? undefined : { file }, root, section.title)],
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
          ...incomplete.map((one) => ({ level: "error" as const, message: { text: formatUnreadText(one) } })),
          ...warnings.map(({ message, place }) => ({
            level: "warning" as const,
            message: { text: message },
            ...(place === undefined ? {} : { locations: [createSarifLocation(place, root)] }),
          })),
        ],
      },
    ],
  });
}
