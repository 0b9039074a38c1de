/** Writes the report of a fleet in every format, and publishes its schema. */
import pc from "picocolors";
import { z } from "zod";
import { reportHead, reportParts } from "../../../automation/report/report-schemas.js";
import type { FindingView, SectionItem } from "../../../automation/report/report-view.js";
import { listRequestedFormats, writeReport } from "../../../reports/deliver-report.js";
import type { Format, FormatRequest } from "../../../reports/formats.js";
import { captureOutput, type Io } from "../../../reports/io.js";
import { printResultTo, printTable } from "../../../reports/output.js";
import { formatReportTable } from "../../../reports/table.js";
import { formatJson } from "../../../text/safe-text.js";
import { getWidth } from "../../../text/wrap.js";
import {
  chooseExitCode,
  computeFleetFingerprint,
  describeScope,
  type FleetReport,
  reviewParts,
} from "./outcome.js";
import { type FleetResult, fleetResultSchema } from "./result.js";
import { buildFleetView, formatFleetVerdict, groupEqual, groupEqualResults } from "./view.js";
import type { Wave } from "./waves.js";
import { fleetCommands } from "./workspace-command.js";

const shard = z.strictObject({
  index: z.int().describe("This shard, from 1."),
  count: z.int().describe("Number of shards."),
  of: z.record(z.string(), z.int()).describe("Number of the shard of each workspace."),
});
export type Shard = Readonly<z.infer<typeof shard>>;

const gate = z.strictObject({ wave: z.string(), result: z.enum(["open", "closed"]), summary: z.string() });
export type GateResult = Readonly<z.infer<typeof gate>>;

export const fleetReportSchema = z
  .strictObject({
    ...reportParts(2),
    command: z.enum(fleetCommands),
    exitCode: z.int().describe("The exit code of the worst workspace, or 1 when a gate is closed."),
    seconds: z
      .number()
      .optional()
      .describe("Duration of the run; of the longest shard, if several were merged."),
    fingerprint: z
      .string()
      .optional()
      .describe(
        "Of a preview: one fingerprint over the plans of all workspaces, which `fleet up --approved` accepts. Absent if a workspace has no plan.",
      ),
    shard: shard.optional().describe("With --shard."),
    gates: z.array(gate).optional().describe("The gates that were checked before waves."),
    removed: z
      .array(z.strictObject({ name: z.string(), file: z.string(), stack: z.string() }))
      .optional()
      .describe("With --changed-since: entries that the fleet file no longer has."),
    groups: reviewParts.groups.optional(),
    notes: reviewParts.notes.optional(),
    workspaces: z.array(fleetResultSchema),
  })
  .meta({
    title: "Fleet report",
    description: "What the commands of `workspacectl fleet` print with `--format json`.",
  });

interface Output {
  readonly format?: readonly FormatRequest<Format>[];
  readonly output?: string;
}

/** Writes the report in the requested formats: by default, as a table on standard output. */
export async function writeFleet(given: FleetReport, output: Output, io: Io): Promise<void> {
  const report = { ...given, results: given.results.map((result) => withWave(result, given.waves)) };
  for (const wish of listRequestedFormats<Format>(output, "text")) {
    const { format, file } = wish;
    if (format === "json") printResultTo(file, formatFleetJson(report), io);
    else if (format === "text") {
      const plain = file === undefined ? io : { ...io, colors: pc.createColors(false) };
      printResultTo(file, await text(report, plain, file === undefined ? getWidth(io.stdout) : Infinity), io);
    } else await writeReport(buildFleetView(report), wish, io);
  }
}

function withWave(result: FleetResult, waves: readonly Wave[] = []): FleetResult {
  const wave = waves.find(({ workspaces }) => workspaces.includes(result.name));
  return wave === undefined ? result : { ...result, wave: wave.name };
}

/** Number of workspaces from which equal results share a row. */
const MANY = 9;

async function text(report: FleetReport, io: Io, width: number): Promise<string> {
  const { command, results, review } = report;
  const isReview = command !== "up" && review !== undefined;
  const rows =
    isReview && results.length >= MANY ? await formatEqualRows(report, io) : await formatEachRow(report, io);
  const isWhole = results.every(({ summary }) => shorten(summary) === summary);
  if (!isReview && isWhole) return `${rows}\n${formatFleetVerdict(report)}\n`;
  const { view } = buildFleetView(report);
  const { sections = [] } = view;
  // The rows say what happened in each workspace. All errors are together, whether they have one line or several.
  const isError = (one: FindingView) =>
    one.type === "Workspace" && ["error", "interrupted"].includes(one.class);
  const isLong = ({ remark = "" }: FindingView) =>
    results.some(({ summary }) => summary.startsWith(`${remark}\n`));
  const short = view.findings.filter((one) => isError(one) && !isLong(one));
  const long = sections.find(({ name }) => name === "errors")?.items ?? [];
  const errors = { name: "errors", title: "Errors", items: [...short.map(toErrorItem), ...long] };
  const shown = {
    ...view,
    sections: [errors, ...sections.filter(({ name }) => name !== "workspaces" && name !== "errors")],
    findings: withoutPast(view.findings).filter((one) => !isError(one)),
  };
  return `${rows}\n${formatReportTable(shown, io.colors, width)}`;
}

function toErrorItem({ name, note: said, remark = "" }: FindingView): SectionItem {
  return { text: `${name}${said === undefined ? "" : ` (${said})`}: ${remark}`, level: "error" };
}

/** What was changed outside and is planned to be changed back is one line, in the direction of the plan. */
function withoutPast(findings: readonly FindingView[]): FindingView[] {
  const keyOf = ({ type, name, scope }: FindingView) => JSON.stringify([type, name, scope?.text]);
  const planned = new Set(findings.filter((one) => one.class !== "outside").map(keyOf));
  const past = new Set(findings.filter((one) => one.class === "outside").map(keyOf));
  return findings
    .filter((one) => one.class !== "outside" || !planned.has(keyOf(one)))
    .map((one) =>
      one.class !== "outside" && past.has(keyOf(one)) ? { ...one, note: "changed outside" } : one,
    );
}

const paints = {
  ok: "green",
  drift: "yellow",
  different: "yellow",
  incomplete: "yellow",
  refused: "red",
  error: "red",
  interrupted: "red",
  skipped: "dim",
} as const;

async function formatEachRow({ results }: FleetReport, io: Io): Promise<string> {
  const hasOwners = results.some(({ owner }) => owner !== undefined);
  const inWaves = results.some(({ wave }) => wave !== undefined);
  const all = results.map(({ name }) => name);
  // Of many workspaces, those that end in the same way without success share a row.
  const isOwn = ({ name, result }: FleetResult) =>
    results.length < MANY || result === "ok" ? name : undefined;
  const rows = groupEqual(results, isOwn).map(({ first, names }) => {
    const { wave = "", workspace = "", stack, owner = "", result, summary, seconds } = first;
    const [own, time] = names.length === 1 ? [[workspace, stack, owner], seconds] : [["", "", ""], undefined];
    return [
      ...(inWaves ? [wave] : []),
      ...[describeScope(names, all).text, ...own.slice(0, hasOwners ? 3 : 2)],
      ...[io.colors[paints[result]](result), shorten(summary)],
      time === undefined ? "" : `${time.toFixed(1)} s`,
    ];
  });
  return formatTableText(
    [
      ...(inWaves ? ["wave"] : []),
      "name",
      "workspace",
      "stack",
      ...(hasOwners ? ["owner"] : []),
      "result",
      "",
      "",
    ],
    rows,
    io,
  );
}

async function formatEqualRows(report: FleetReport, io: Io): Promise<string> {
  const all = report.results.map(({ name }) => name);
  const rows = groupEqualResults(report).map(({ first: { result, summary }, names }) => [
    ...[describeScope(names, all).text, io.colors[paints[result]](result), shorten(summary)],
  ]);
  return formatTableText(["workspaces", "result", ""], rows, io);
}

async function formatTableText(head: readonly string[], rows: readonly (readonly string[])[], io: Io) {
  const { stream, text: written } = captureOutput();
  await printTable({ ...io, stdout: stream }, head, rows);
  return written();
}

function shorten(summary: string): string {
  const [line = ""] = summary.split("\n");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function formatFleetJson(report: FleetReport): string {
  const { command, results, shard, gates, review, removed, seconds } = report;
  const fingerprint = computeFleetFingerprint(report);
  const more = {
    ...(seconds === undefined ? {} : { seconds }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(shard ? { shard } : {}),
    ...(gates ? { gates } : {}),
    ...(removed ? { removed: removed.map(({ name, file, stack }) => ({ name, file, stack })) } : {}),
    ...(review ?? {}),
  };
  return `${formatJson({ ...reportHead(2), command, exitCode: chooseExitCode(report), ...more, workspaces: results })}\n`;
}
