/** Writes the report of a fleet in every format. */
import pc from "picocolors";
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
import type { FleetResult } from "./result.js";
import type { Shard } from "./shards.js";
import type { Wave } from "./waves.js";
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

interface Output {
  readonly format?: readonly FormatRequest<Format>[];
  readonly output?: string;
}

/** Writes the report in the requested formats: by default, as a table on standard output. */
export async function writeFleet(given: FleetReport, output: Output, io: Io): Promise<void> {
  const report = { ...given, results: given.results.map((result) => withWave(result, given.waves)) };
  for (const wish of listRequestedFormats<Format>(output, "text")) {
    const { format, file } = wish;
    if (format !== "text" && format !== "markdown" && format !== "json") {
      await writeReport(createReportOf(report), wish, io);
      continue;
    }
    const plain = file === undefined ? io : { ...io, colors: pc.createColors(false) };
    const text = await texts[format](report, plain);
    printResultTo(file, text, io);
  }
}

function withWave(result: FleetResult, waves: readonly Wave[] = []): FleetResult {
  const wave = waves.find(({ workspaces }) => workspaces.includes(result.name));
  return wave === undefined ? result : { ...result, wave: wave.name };
}

const texts = { text: formatTable, markdown: formatFleetMarkdown, json: formatFleetJson } satisfies Partial<
  Record<Format, (report: FleetReport, io: Io) => string | Promise<string>>
>;

async function formatTable(report: FleetReport, io: Io): Promise<string> {
  const { red, yellow, green, dim } = io.colors;
  const { results } = report;
  const inWaves = results.some(({ wave }) => wave !== undefined);
  const paint = { ok: green, drift: yellow, incomplete: yellow, error: red, interrupted: red, skipped: dim };
  const rows = results.map(({ name, wave = "", workspace = "", stack, result, summary, seconds }) => [
    ...(inWaves ? [wave] : []),
    name,
    workspace,
    stack,
    paint[result](result),
    // The whole message is in the output above.
    summary.length > 80 ? `${summary.slice(0, 79)}…` : summary,
    seconds === undefined ? "" : `${seconds.toFixed(1)} s`,
  ]);
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
function createReportOf(report: FleetReport): Report {
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
  };
}
