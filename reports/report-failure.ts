/** Reports an error in the formats that the user asked for, in the place of older reports. */
import { exitCodes } from "../automation/report/exit-codes.js";
import { type ErrorReport, reportHead } from "../automation/report/report-schemas.js";
import type { ReportView } from "../automation/report/report-view.js";
import { stripControls } from "../client/printable.js";
import { pickDefined } from "../diff/values.js";
import { formatJson } from "../text/safe-text.js";
import type { FormatChoice } from "./formats.js";
import { hasPrintedResult, type Io } from "./io.js";
import { fenceLines, readOrigin } from "./markdown/text.js";
import { printResultTo } from "./output.js";

interface Target {
  readonly format: string;
  readonly file: string | undefined;
}

/** Formats that are written by way of a view. */
const viewed = ["junit", "sarif", "html", "github"] as const;

/** Writes an error as the report of a command that failed, in every form that was asked for: a report that is missing looks as if nothing had run. */
export async function reportFailure(
  report: ErrorReport,
  command: string,
  choice: FormatChoice,
  io: Io,
): Promise<void> {
  for (const { format, file } of listTargets(choice)) {
    // A second document would make both unreadable.
    if ((file === undefined || file === "-") && hasPrintedResult(io)) continue;
    const form = viewed.find((one) => one === format);
    if (format === "json") printResultTo(file, `${formatJson(report)}\n`, io);
    else if (format === "markdown") printResultTo(file, formatFailureMarkdown(report, command, io.env), io);
    else if (form !== undefined) {
      const { writeReport } = await import("./deliver-report.js");
      const view = createFailureView(report, command);
      await writeReport({ value: report, view }, { format: form, ...pickDefined({ file }) }, io);
    }
  }
}

function createFailureView({ error }: ErrorReport, command: string): ReportView {
  const [text = "", ...details] = error.message.split("\n");
  const subject = `workspacectl ${command}`.trim();
  const { tool } = reportHead(1);
  return {
    ...{ kind: "error", title: subject, id: `error/${command}/`, subject, scene: subject, about: [subject] },
    ...{ facts: [], verdict: "The command failed", outcome: "found", same: "", unchanged: 0 },
    ...{ nothing: "Nothing could be found out.", classes: [], findings: [], counts: {}, failOn: [] },
    ...{ ignored: [], incomplete: [], warnings: [], complete: false, fingerprint: "" },
    sections: [
      {
        name: error.code,
        title: "Error",
        items: [{ text, details, level: "error", place: error.location }],
      },
    ],
    exitCode: exitCodes.error,
    tool,
    generatedAt: new Date().toISOString(),
    seconds: 0,
  };
}

function listTargets({ json, format, output }: FormatChoice): Target[] {
  const wishes = Array.isArray(format)
    ? (format as readonly unknown[])
    : format === undefined
      ? []
      : [format];
  const file = typeof output === "string" ? output : undefined;
  const named = wishes.flatMap((wish): Target[] => {
    if (typeof wish === "string") return [{ format: wish, file }];
    const { format: form, file: own } = wish as { readonly format: string; readonly file?: string };
    return [{ format: form, file: own ?? file }];
  });
  const isNamed = named.some((one) => one.format === "json" && one.file === file);
  const all = json === true && !isNamed ? [...named, { format: "json", file }] : named;
  // Only one of them can be on standard output.
  return all.toSorted((a, b) => Number(b.format === "json") - Number(a.format === "json"));
}

function formatFailureMarkdown({ error }: ErrorReport, command: string, env: NodeJS.ProcessEnv): string {
  const { commit, run } = readOrigin(env);
  const origin = [
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 10)}`]),
    ...(run === undefined ? [] : [`[run](${run})`]),
  ];
  return [
    `## 🔴 \`workspacectl ${command}\` failed`,
    "",
    ...fenceLines(error.message.split("\n").map(stripControls), "text"),
    "",
    ...(origin.length === 0 ? [] : [`<sub>${origin.join(" · ")}</sub>`, ""]),
  ].join("\n");
}
