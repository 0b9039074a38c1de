/** Reports an error in the formats that the user asked for: JSON for programs, Markdown in the place of an older report. */
import type { ErrorReport } from "../automation/report/report-schemas.js";
import { stripControls } from "../client/printable.js";
import { formatJson } from "../text/safe-text.js";
import type { FormatChoice } from "./formats.js";
import { hasPrintedResult, type Io } from "./io.js";
import { fenceLines, readOrigin } from "./markdown/text.js";
import { printResultTo } from "./output.js";

interface Target {
  readonly format: string;
  readonly file: string | undefined;
}

/** Writes an error as the report of a command that failed, wherever its JSON or its Markdown was to go. */
export function reportFailure(report: ErrorReport, command: string, choice: FormatChoice, io: Io): void {
  for (const { format, file } of listTargets(choice)) {
    const text =
      format === "json"
        ? `${formatJson(report)}\n`
        : format === "markdown"
          ? formatFailureMarkdown(report, command, io.env)
          : undefined;
    // A second document would make both unreadable.
    const isTaken = (file === undefined || file === "-") && hasPrintedResult(io);
    if (text !== undefined && !isTaken) printResultTo(file, text, io);
  }
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
