/** The result of one workspace: a summary of its report, and the notes that are grouped over the workspaces. */
import { z } from "zod";
import { accessReportSchema } from "../../../automation/report/access-report.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import {
  diagnosticsReportSchema,
  type ErrorReport,
  errorReportSchema,
  place,
} from "../../../automation/report/report-schemas.js";
import { pickDefined } from "../../../diff/values.js";
import { labelInWorkspace } from "../../../reports/access-labels.js";
import type { SectionData } from "../../../reports/view-data.js";
import { shortenPath } from "../../../text/shown-path.js";
import { type FleetCommand, isOffline } from "./workspace-command.js";

export const fleetResultSchema = z.strictObject({
  name: z.string().describe("Its name in the fleet file."),
  file: z.string().describe("The workspace file."),
  stack: z.string().describe("The Pulumi stack."),
  owner: z.string().exactOptional().describe("Who is responsible, by the fleet file."),
  wave: z.string().exactOptional().describe("Its wave, in a run in waves."),
  workspace: z.string().exactOptional().describe("Domain of the workspace, if its process printed it."),
  baseUrl: z.string().exactOptional().describe("Address of the service, likewise."),
  result: z
    .enum(["ok", "drift", "different", "incomplete", "refused", "error", "interrupted", "skipped"])
    .describe("refused: `up` would refuse the plan; different: a comparison has found differences."),
  exitCode: z.int().describe("Exit code of its process."),
  summary: z.string().describe("What happened, for people. An error is here with its remedy."),
  location: place.exactOptional().describe("Where an error is."),
  plan: z
    .enum(["nothing", "changes", "refused"])
    .exactOptional()
    .describe("Of a preview: the result of its preview-report."),
  fingerprint: z.string().exactOptional().describe("Of a preview: the fingerprint of its plan."),
  fingerprintWithoutSecrets: z
    .string()
    .exactOptional()
    .describe("Of a preview: the same without the values of secrets to which the file refers."),
  seconds: z.number().exactOptional(),
  requests: z.int().exactOptional().describe("Number of requests that its process made."),
  objects: z.int().exactOptional().describe("Number of its objects."),
  report: z
    .unknown()
    .optional()
    .describe(
      "The report of its command: preview-report, up-report, drift-report, diagnostics-report, access-report or compare-report.",
    ),
});

export type FleetResult = Readonly<z.infer<typeof fleetResultSchema>>;

type RunOutcome = Pick<
  FleetResult,
  | "workspace"
  | "baseUrl"
  | "result"
  | "exitCode"
  | "summary"
  | "location"
  | "objects"
  | "report"
  | keyof PlanOfResult
>;

type PlanOfResult = Pick<FleetResult, "plan" | "fingerprint" | "fingerprintWithoutSecrets">;

interface Report {
  /** Of a preview. */
  readonly result?: string;
  readonly fingerprint?: string;
  readonly fingerprintWithoutSecrets?: string;
  readonly workspace?: string;
  readonly baseUrl?: string;
  readonly plan?: Changes;
  readonly done?: Changes;
  readonly counts?: Readonly<Record<string, number>>;
  readonly unchanged?: number;
  readonly findings?: readonly { readonly name: string }[];
}

interface Changes {
  readonly steps?: readonly { readonly operation: string }[];
  readonly drift?: readonly unknown[];
  readonly unchanged?: number;
}

const RESULTS: Readonly<Record<number, FleetResult["result"]>> = {
  [exitCodes.ok]: "ok",
  [exitCodes.drift]: "drift",
  [exitCodes.incomplete]: "incomplete",
  [exitCodes.interrupted]: "interrupted",
};

/** @param lines standard error of the process */
export function parseResult(
  command: FleetCommand,
  exitCode: number,
  stdout: string,
  lines: readonly string[],
): RunOutcome {
  const { report, error } = parseReport(stdout);
  const isRefused = command === "preview" && report?.result === "refused";
  const different = command === "compare" && exitCode === exitCodes.drift ? "different" : undefined;
  const result = isRefused ? "refused" : (different ?? RESULTS[exitCode] ?? "error");
  const { workspace, baseUrl } = report ?? {};
  const address = { ...(workspace ? { workspace } : {}), ...(baseUrl ? { baseUrl } : {}) };
  const objects = report === undefined ? undefined : countObjects(command, report);
  const withReport = report === undefined ? {} : { ...(objects === undefined ? {} : { objects }), report };
  const failed = result === "error" || result === "interrupted";
  const unsaid = result === "interrupted" ? "was interrupted" : "failed without an error message";
  // What is wrong in a file is said in the notes.
  const summary =
    failed && !(isOffline(command) && report)
      ? (error?.message ?? findProblemLine(lines) ?? unsaid)
      : (report && formatSummary(command, report)) || result;
  return {
    ...address,
    result,
    exitCode: result === "error" || isRefused ? exitCodes.error : exitCode,
    summary,
    ...(error?.location === undefined ? {} : { location: error.location }),
    ...(command === "preview" && report !== undefined ? getPlan(report) : {}),
    ...withReport,
  };
}

function getPlan({ result, fingerprint, fingerprintWithoutSecrets }: Report): PlanOfResult {
  const plan = (["nothing", "changes", "refused"] as const).find((one) => one === result);
  if (plan === undefined || fingerprint === undefined) return {};
  return { plan, fingerprint, ...pickDefined({ fingerprintWithoutSecrets }) };
}

function countObjects(command: FleetCommand, { plan, unchanged, findings = [] }: Report): number | undefined {
  if (isOffline(command) || command === "compare") return undefined;
  if (command !== "drift")
    return plan?.unchanged === undefined ? undefined : plan.unchanged + (plan.steps?.length ?? 0);
  return unchanged === undefined ? undefined : unchanged + new Set(findings.map(({ name }) => name)).size;
}

function formatSummary(command: FleetCommand, report: Report): string {
  const { plan, done, counts } = report;
  if (command === "drift") return formatCounts(Object.entries(counts ?? {})) || "clean";
  if (command === "compare") return formatCounts(Object.entries(counts ?? {})) || "no difference";
  if (isOffline(command)) return formatCounts(summarizeCheck(command, report)) || "valid";
  const outside = plan?.drift?.length ?? 0;
  const steps = (command === "up" ? done : plan)?.steps ?? [];
  const operations = new Map<string, number>();
  for (const { operation } of steps) operations.set(operation, (operations.get(operation) ?? 0) + 1);
  const changes = formatCounts(
    [...operations].map(([operation, count]) => [formatOperation(operation, command), count]),
  );
  const drifted = outside > 0 ? `${outside} changed outside` : "";
  return [changes || "no changes", drifted].filter((part) => part !== "").join("; ");
}

function formatOperation(operation: string, command: FleetCommand): string {
  if (command === "preview") return `to ${operation}`;
  return operation.endsWith("e") ? `${operation}d` : `${operation}ed`;
}

function formatCounts(counts: readonly (readonly [word: string, count: number])[]): string {
  return counts.flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])).join(", ");
}

/** Returns the first error, else the last line. */
function findProblemLine(lines: readonly string[]): string | undefined {
  const texts = lines.map((line) => line.trim()).filter((line) => line !== "");
  const error = texts.find((line) => line.startsWith("error: "));
  return error?.slice("error: ".length) ?? texts.at(-1);
}

/** Parses the report of a process, or the error with which it failed. */
function parseReport(text: string): { readonly report?: Report; readonly error?: ErrorReport["error"] } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    if (!("error" in value)) return { report: value };
    const { error } = errorReportSchema.parse(value);
    return { error };
  } catch {
    return {};
  }
}

const problems = z.looseObject({ problems: diagnosticsReportSchema.shape.problems });
const access = z.looseObject({ rows: accessReportSchema.shape.rows });

export function listCheckNotes(command: FleetCommand, report: unknown): SectionData[] {
  return command === "access" ? listAccessNotes(report) : listProblemNotes(report);
}

const countAdministrators = (certainty: string, count: number): [word: string, count: number] => [
  `${certainty}administrator${count === 1 ? "" : "s"}`,
  count,
];

/** Counts problems by severity, or people. */
function summarizeCheck(command: FleetCommand, report: unknown): [word: string, count: number][] {
  if (command === "access") {
    const { rows } = access.safeParse(report).data ?? { rows: [] };
    return [
      [rows.length === 1 ? "person" : "people", rows.length],
      countAdministrators("", rows.filter(({ admin }) => admin).length),
      countAdministrators("perhaps ", rows.filter(({ admin }) => admin === undefined).length),
    ];
  }
  const found = problems.safeParse(report).data?.problems ?? [];
  return (["error", "warning", "info"] as const).map((one) => {
    const { length } = found.filter(({ severity }) => severity === one);
    return [one === "info" || length === 1 ? one : `${one}s`, length];
  });
}

function listProblemNotes(report: unknown): SectionData[] {
  const found = problems.safeParse(report).data?.problems ?? [];
  return found.map(({ file, line, column, message, code, severity }) => ({
    section: "problems",
    title: "Problems",
    folded: false,
    level: severity,
    details: [],
    text: `${shortenPath(file)}:${line}:${column}: ${severity}: ${message} (${code})`,
    place: { file: shortenPath(file), line, column },
  }));
}

function listAccessNotes(report: unknown): SectionData[] {
  const { rows } = access.safeParse(report).data ?? { rows: [] };
  return rows.flatMap((row) => {
    const { member, projects } = row;
    const role = labelInWorkspace({ owner: row.owner, admin: row.admin });
    const inProjects = Object.entries(projects).map(([project, { permissionSet = role }]) => {
      return `${project}: ${permissionSet}`;
    });
    return [`${member}: ${role}`, ...inProjects.map((text) => `${member} in ${text}`)].map((text) => ({
      section: "access",
      title: "Access",
      folded: false,
      level: "info" as const,
      details: [],
      text,
    }));
  });
}
