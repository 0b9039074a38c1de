/** Builds the report of a probe by the published schema, and writes it in each format. */
import { z } from "zod";
import { behaviorSchema } from "../../../assumptions/behavior.js";
import { assumptions } from "../../../assumptions/list-of-assumptions.js";
import { type Profile, profileSchema, type Verdict, verdicts } from "../../../assumptions/profile.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { count, reportParts, runHead, runParts } from "../../../automation/report/report-schemas.js";
import { captureOutput, type Io, print } from "../../../reports/io.js";
import { escapeMarkdown, formatMarkdownTable } from "../../../reports/markdown/text.js";
import { printJson, printResultTo, printTable } from "../../../reports/output.js";
import type { ProbeFormat } from "./probe-command.js";
import type { CheckResults } from "./run-checks.js";

export const probeReportSchema = z
  .strictObject({
    ...runParts(1),
    workspace: z.string().describe("Domain of the workspace."),
    baseUrl: z.string().describe("Address of the service."),
    exitCode: z.int().describe("7 when an assumption differs, else 0."),
    requests: count.describe("Number of requests that were sent."),
    counts: z.strictObject({ holds: count, differs: count, undecided: count }),
    assumptions: z.array(
      z.strictObject({
        id: z.string().describe("Its id in docs/decisions.md."),
        title: z.string(),
        assumed: z.string(),
        verdict: z
          .enum(verdicts)
          .describe("`undecided`: it could not be measured, for the reason in `found`."),
        found: z.string().describe("What was found, or why nothing was. No name or value of the workspace."),
        consequence: z.string().optional().describe("Where it differs: what the provider does."),
      }),
    ),
    profile: profileSchema.describe("What `--save-profile` writes."),
  })
  .meta({ title: "Probe report", description: "What `workspacectl probe --json` prints." });

export type ProbeReport = z.infer<typeof probeReportSchema>;

const side = z.strictObject({
  name: z.string().describe("Name of the connection."),
  baseUrl: z.string().describe("Address of the service."),
  workspace: z.string().describe("Domain of the workspace."),
});

export const probeComparisonSchema = z
  .strictObject({
    ...reportParts(1),
    left: side,
    right: side,
    differences: z.array(
      z.strictObject({
        id: z.string().describe("Id of the assumption in docs/decisions.md."),
        title: z.string(),
        left: z.string().describe("What was found at the left service."),
        right: z.string().describe("What was found at the right service."),
      }),
    ),
    undecided: count.describe("Assumptions that could not be measured at both."),
    exitCode: z.int().describe("7 when the services differ, else 0."),
  })
  .meta({ title: "Probe comparison", description: "What `workspacectl probe --compare --json` prints." });

export type ProbeComparison = z.infer<typeof probeComparisonSchema>;

interface ProbeFacts {
  readonly findings: CheckResults;
  readonly workspace: string;
  readonly baseUrl: string;
  readonly requests: number;
  readonly wrote: boolean;
  readonly now: Date;
  readonly milliseconds: number;
}

export function buildProbeReport(facts: ProbeFacts): ProbeReport {
  const { findings, workspace, baseUrl, requests, now, milliseconds } = facts;
  const all = assumptions.map(({ id, title, assumed, otherwise }) => {
    const { verdict = "undecided", found = "" } = findings.get(id) ?? {};
    return {
      id,
      title,
      assumed,
      verdict,
      found,
      ...(verdict === "differs" ? { consequence: otherwise } : {}),
    };
  });
  const count = (verdict: Verdict) => all.filter((one) => one.verdict === verdict).length;
  const counts = { holds: count("holds"), differs: count("differs"), undecided: count("undecided") };
  const exitCode = counts.differs > 0 ? exitCodes.drift : exitCodes.ok;
  return {
    ...runHead(1, milliseconds, now),
    exitCode,
    workspace,
    baseUrl,
    requests,
    counts,
    assumptions: all,
    profile: buildProfile(facts),
  };
}

function buildProfile({ findings, baseUrl, wrote, now }: ProbeFacts): Profile {
  const measured = assumptions.flatMap(({ id, behavior }) => {
    const value = findings.get(id)?.value;
    return behavior === undefined || value === undefined ? [] : [[behavior, value] as const];
  });
  return {
    version: 1,
    service: baseUrl,
    measuredAt: now.toISOString(),
    wrote,
    behavior: behaviorSchema.partial().parse(Object.fromEntries(measured)),
    assumptions: Object.fromEntries([...findings].map(([id, { verdict }]) => [id, verdict])),
  };
}

const inWords: Readonly<Record<Verdict, string>> = {
  holds: "holds",
  differs: "differs",
  undecided: "not decidable",
};

export async function printProbeReport(report: ProbeReport, io: Io): Promise<void> {
  const { green, yellow, red, bold } = io.colors;
  const colors = { holds: green, differs: red, undecided: yellow };
  const { workspace, baseUrl, assumptions: all } = report;
  print(io, bold(`What the specification leaves open, at ${baseUrl} (workspace ${workspace})`));
  print(io);
  const rows = all.map(({ id, verdict, found }) => [id, colors[verdict](inWords[verdict]), found]);
  await printTable(io, ["ASSUMPTION", "RESULT", "FOUND"], rows);
  const different = all.filter(({ verdict }) => verdict === "differs");
  if (different.length > 0) print(io, "\nWhere it differs:");
  for (const { id, title, consequence = "" } of different) print(io, `  - ${title} (${id}): ${consequence}`);
  print(io, `\n${formatVerdict(report)}`);
}

export function formatVerdict({ counts, requests }: ProbeReport): string {
  return `${counts.holds} hold, ${counts.differs} differ, ${counts.undecided} not decidable; ${requests} requests.`;
}

export function formatReport(report: ProbeReport): string {
  const { workspace, baseUrl, assumptions: all } = report;
  const rows = all.map(({ id, title, verdict, found }) => [`${title} (${id})`, inWords[verdict], found]);
  const different = all.filter(({ verdict }) => verdict === "differs");
  const consequences = different.map(
    ({ title, consequence = "" }) => `- ${escapeMarkdown(title)}: ${escapeMarkdown(consequence)}`,
  );
  return [
    `## What the specification leaves open, at ${escapeMarkdown(baseUrl)} (workspace ${escapeMarkdown(workspace)})`,
    formatMarkdownTable(["Assumption", "Result", "Found"], rows),
    ...(consequences.length > 0 ? ["Where it differs:", consequences.join("\n")] : []),
    formatVerdict(report),
  ].join("\n\n");
}

/** How a result is shown to people. */
export interface Writers<T> {
  readonly print: (result: T, io: Io) => Promise<void>;
  readonly markdown: (result: T) => string;
}

/** @param file where to write; undefined stands for the terminal */
export async function writeInFormat<T extends object>(
  result: T,
  { print, markdown }: Writers<T>,
  format: ProbeFormat,
  file: string | undefined,
  io: Io,
): Promise<void> {
  if (format === "markdown") return printResultTo(file, `${markdown(result)}\n`, io);
  const { stream, text } = captureOutput();
  const into = file === undefined ? io : { ...io, stdout: stream };
  if (format === "json") printJson(into, result);
  else await print(result, into);
  if (file !== undefined) printResultTo(file, text(), io);
}
