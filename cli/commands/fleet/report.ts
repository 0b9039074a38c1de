/** Writes the report of a fleet in every format. */
import pc from "picocolors";
<<<<<<< HEAD
import { createFinding } from "../../../diff/finding.js";
import { exitCodes } from "../../exit-codes.js";
import { listRequestedFormats, writeReport } from "../../reporters/deliver.js";
import type { Format, FormatRequest } from "../../reporters/format-names.js";
import { reportHead } from "../../reporters/report-head.js";
import { formatMarkdownTable } from "../../reporters/markdown/text.js";
import type { ClassView, FindingView, Report } from "../../reporters/report-view.js";
import { captureOutput, type Io } from "../../terminal/io.js";
import { printResultTo, printTable } from "../../terminal/output.js";
import { formatJson } from "../../terminal/safe-text.js";
import { readVersion } from "../../version.js";
import type { FleetCommand } from "./child.js";
import type { GateResult } from "./gate.js";
import { findWorst } from "./processes.js";
=======
import { requestedFormats, writeReport } from "../../reporters/deliver.js";
import type { Format, FormatRequest } from "../../reporters/format-names.js";
import { reportHead } from "../../reporters/report-head.js";
import { table } from "../../reporters/table.js";
import { captured, type Io } from "../../terminal/io.js";
import { printResultTo, printTable } from "../../terminal/output.js";
import { jsonText } from "../../terminal/safe-text.js";
import { widthOf } from "../../terminal/wrap.js";
import { fleetExitCode, fleetFingerprint, type FleetReport } from "./outcome.js";
>>>>>>> 41a01f72 (Review a fleet as one, and apply only what was approved)
import type { FleetResult } from "./result.js";
import { scopeOf } from "./review.js";
import { equalResults, fleetView, fleetVerdict } from "./view.js";
import type { Wave } from "./waves.js";
<<<<<<< HEAD
import { formatCount } from "../../../diff/format-count.js";

export interface FleetReport {
  readonly command: FleetCommand;
  readonly results: readonly FleetResult[];
  readonly shard?: Shard;
  /** The waves of the fleet file. */
  readonly waves?: readonly Wave[];
  /** The gates that were checked. */
  readonly gates?: readonly GateResult[];
}

/** Returns the exit code of the run: that of the worst workspace, or an error when a gate is closed. */
export function chooseExitCode(report: FleetReport): number {
  const closed = listClosedGates(report).map(() => ({ exitCode: exitCodes.error }));
  return findWorst([...report.results, ...closed]);
}

function listClosedGates({ gates = [] }: FleetReport): readonly GateResult[] {
  return gates.filter(({ result }) => result === "closed");
}
=======
>>>>>>> 41a01f72 (Review a fleet as one, and apply only what was approved)

interface Output {
  readonly format?: readonly FormatRequest<Format>[];
  readonly output?: string;
}

/** Writes the report in the requested formats: by default, as a table on standard output. */
export async function writeFleet(given: FleetReport, output: Output, io: Io): Promise<void> {
  const report = { ...given, results: given.results.map((result) => withWave(result, given.waves)) };
  for (const wish of listRequestedFormats<Format>(output, "text")) {
    const { format, file } = wish;
    if (format === "json") printResultTo(file, json(report), io);
    else if (format === "text") {
      const plain = file === undefined ? io : { ...io, colors: pc.createColors(false) };
      printResultTo(file, await text(report, plain, file === undefined ? widthOf(io.stdout) : Infinity), io);
    } else await writeReport(fleetView(report), wish, io);
  }
}

function withWave(result: FleetResult, waves: readonly Wave[] = []): FleetResult {
  const wave = waves.find(({ workspaces }) => workspaces.includes(result.name));
  return wave === undefined ? result : { ...result, wave: wave.name };
}

<<<<<<< HEAD
const texts = { text: formatTable, markdown: formatFleetMarkdown, json: formatFleetJson } satisfies Partial<
  Record<Format, (report: FleetReport, io: Io) => string | Promise<string>>
>;

async function formatTable(report: FleetReport, io: Io): Promise<string> {
  const { red, yellow, green, dim } = io.colors;
  const { results } = report;
=======
/** Number of workspaces from which equal results share a row. */
const MANY = 9;

async function text(report: FleetReport, io: Io, width: number): Promise<string> {
  const { command, results, review } = report;
  const isReview = command !== "up" && review !== undefined;
  const rows = isReview && results.length >= MANY ? await equalRows(report, io) : await eachRow(report, io);
  if (!isReview) return `${rows}\n${fleetVerdict(report)}\n`;
  const { view } = fleetView(report);
  const { sections = [] } = view;
  // The rows say what happened in each workspace. A message is whole below them.
  const shown = { ...view, sections: sections.filter(({ name }) => name !== "ok") };
  return `${rows}\n${table(shown, io.colors, width)}`;
}

const paints = {
  ok: "green",
  drift: "yellow",
  incomplete: "yellow",
  refused: "red",
  error: "red",
  interrupted: "red",
  skipped: "dim",
} as const;

async function eachRow({ results }: FleetReport, io: Io): Promise<string> {
>>>>>>> 41a01f72 (Review a fleet as one, and apply only what was approved)
  const inWaves = results.some(({ wave }) => wave !== undefined);
  const rows = results.map(({ name, wave = "", workspace = "", stack, result, summary, seconds }) => [
    ...(inWaves ? [wave] : []),
    ...[name, workspace, stack, io.colors[paints[result]](result), brief(summary)],
    seconds === undefined ? "" : `${seconds.toFixed(1)} s`,
  ]);
<<<<<<< HEAD
  const { stream, text } = captureOutput();
  const header = [...(inWaves ? ["wave"] : []), "name", "workspace", "stack", "result", "", ""];
  await printTable({ ...io, stdout: stream }, header, rows);
  return `${text()}\n${formatVerdict(report)}\n`;
}

function formatFleetJson(report: FleetReport): string {
  const { command, results, shard, gates } = report;
  const more = { ...(shard ? { shard } : {}), ...(gates ? { gates } : {}) };
  return `${formatJson({ ...reportHead(1), command, exitCode: chooseExitCode(report), ...more, workspaces: results })}\n`;
}

function formatVerdict(report: FleetReport): string {
  const { results } = report;
  const count = (of: FleetResult["result"]) => results.filter(({ result }) => result === of).length;
  const parts = (["error", "interrupted", "incomplete", "drift", "skipped", "ok"] as const).flatMap((of) =>
    count(of) === 0 ? [] : [`${count(of)} ${of}`],
  );
  const all = formatCount(results.length, "workspace");
  const closed = listClosedGates(report).map(
    ({ wave, summary }) => `; gate of wave ${wave} closed: ${summary}`,
  );
  const isFine = findWorst(results) === exitCodes.ok && parts.length === 1;
  return `${all}: ${isFine ? "all ok" : parts.join(", ")}${closed.join("")}`;
}

function formatFleetMarkdown(report: FleetReport): string {
  const { command, results } = report;
  const rows = results.map(({ name, workspace = "", stack, result, summary }) => [
    name,
    workspace,
    stack,
    result,
    summary,
  ]);
  const rowsTable = formatMarkdownTable(["Name", "Workspace", "Stack", "Result", ""], rows);
  return `## Fleet: ${command}\n\n${rowsTable}\n\n${formatVerdict(report)}\n`;
}

/** Results that are findings of the report. A class of the last two does not fail it. */
const classes: readonly ClassView[] = (
  [
    ["error", "gone", "The command failed."],
    ["interrupted", "gone", "The command was interrupted."],
    ["incomplete", "unknown", "Something could not be read."],
    ["drift", "other", "The workspace does not match the declaration."],
    ["skipped", "later", "The command was not started."],
  ] as const
).map(([name, tone, description]) => ({ name, tone, description, columns: false, folded: false }));
const failOn = ["error", "interrupted", "incomplete", "drift"];

/** Converts the report to the view that the other formats share: a finding for each workspace that is not in order. */
function reportOf(report: FleetReport): Report {
  const { command, results } = report;
  const subject = `fleet ${command}`;
  const gates = listClosedGates(report).map(({ wave, summary }) => ({
    ...{ name: `gate of wave ${wave}`, file: "", stack: "", result: "error" as const, summary },
    exitCode: exitCodes.error,
  }));
  const findings = [...results.filter(({ result }) => result !== "ok"), ...gates].map(getFinding);
  const inOrder = results.filter(({ result }) => result === "ok");
  const all = formatCount(results.length, "workspace");
  const exitCode = chooseExitCode(report);
  const view: Report["view"] = {
    ...{ kind: "fleet", title: `Fleet: ${command}`, id: `fleet/${command}/`, subject, scene: all },
    ...{ about: [subject], facts: [["Workspaces", String(results.length)]], verdict: formatVerdict(report) },
    outcome: exitCode === exitCodes.ok ? "clean" : "found",
    ...{ same: `${inOrder.length} ok`, unchanged: inOrder.length, nothing: "All workspaces are ok." },
    ...{ classes, findings, ignored: [], incomplete: [], warnings: [], failOn, exitCode },
    sections:
      inOrder.length === 0
        ? []
        : [
            {
              name: "ok",
              title: "In order",
              items: inOrder.map(({ name, summary }) => ({ text: `${name}: ${summary}`, level: "info" })),
            },
          ],
    counts: Object.fromEntries(
      classes.map(({ name }) => [name, findings.filter((finding) => finding.class === name).length]),
    ),
    ...{ tool: { version: readVersion() }, generatedAt: new Date().toISOString() },
    seconds: Math.max(0, ...results.map(({ seconds = 0 }) => seconds)),
    complete: !results.some(({ result }) => result !== "ok" && result !== "drift"),
    fingerprint: "",
  };
  return { value: results, view };
}

function getFinding({ name, file, stack, result, summary }: FleetResult): FindingView {
  const cell = { title: "result", value: summary };
  const finding = createFinding(result, { type: "Workspace", name }, [], {});
  return {
    ...finding,
    sentence: () => summary,
    remark: summary,
    columns: [cell, cell],
    sides: [{ title: "stack", value: stack }, cell],
    place: file === "" ? undefined : { file, line: 1, column: 1 },
=======
  return tableText([...(inWaves ? ["wave"] : []), "name", "workspace", "stack", "result", "", ""], rows, io);
}

async function equalRows(report: FleetReport, io: Io): Promise<string> {
  const all = report.results.map(({ name }) => name);
  const rows = equalResults(report).map(({ first: { result, summary }, names }) => [
    ...[scopeOf(names, all).text, io.colors[paints[result]](result), brief(summary)],
  ]);
  return tableText(["workspaces", "result", ""], rows, io);
}

async function tableText(head: readonly string[], rows: readonly (readonly string[])[], io: Io) {
  const { stream, text: written } = captured();
  await printTable({ ...io, stdout: stream }, head, rows);
  return written();
}

function brief(summary: string): string {
  const [line = ""] = summary.split("\n");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function json(report: FleetReport): string {
  const { command, results, shard, gates, review } = report;
  const fingerprint = fleetFingerprint(report);
  const more = {
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(shard ? { shard } : {}),
    ...(gates ? { gates } : {}),
    ...(review ?? {}),
>>>>>>> 41a01f72 (Review a fleet as one, and apply only what was approved)
  };
  return `${jsonText({ ...reportHead(2), command, exitCode: fleetExitCode(report), ...more, workspaces: results })}\n`;
}
