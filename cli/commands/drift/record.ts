/** Remembers in the state file of drift since when each finding has been there, in how many runs it was seen, and when it ended. */
import { z } from "zod";
import { readJsonFileIfPresent } from "../../config-files/json-file.js";
import { exitCodes } from "../../exit-codes.js";
import type { DriftFinding, DriftReport } from "./model.js";
import { findingClasses } from "./classes.js";

const recorded = z.object({
  id: z.string(),
  class: z.enum(findingClasses),
  type: z.string(),
  name: z.string(),
  path: z.string(),
  /** Run that found it first, and the last one. */
  since: z.iso.datetime(),
  seen: z.iso.datetime(),
  runs: z.int().positive(),
  /** The first complete run that no longer found it. */
  ended: z.iso.datetime().optional(),
});
export type RecordedFinding = z.infer<typeof recorded>;

const recordSchema = z.object({
  version: z.literal(1),
  stack: z.string().optional(),
  /** Absent in files of earlier releases. */
  findings: z.array(recorded).default([]),
});

/** How many findings that have ended are kept. */
const MOST_ENDED = 500;

/** @throws {CliError} when the file is another one */
export function readDriftRecord(file: string): RecordedFinding[] {
  const record = readJsonFileIfPresent(recordSchema, file, {
    what: "a state file of workspacectl drift",
    remedy: "choose another with --state-file, or delete it",
    named: true,
  });
  return record?.findings ?? [];
}

/** Adds the findings of a run. A run that could not read everything ends no finding. */
export function recordFindings(
  before: readonly RecordedFinding[],
  { findings, complete, generatedAt: now }: Pick<DriftReport, "findings" | "complete" | "generatedAt">,
): RecordedFinding[] {
  const open = new Map(before.filter(({ ended }) => ended === undefined).map((one) => [one.id, one]));
  const found = findings.filter(isDrift).map((finding): RecordedFinding => {
    const { id, type, name, path } = finding;
    const last = open.get(id);
    open.delete(id);
    const { since, runs } = last ?? { since: now, runs: 0 };
    return { id, class: finding.class, type, name, path, since, seen: now, runs: runs + 1 };
  });
  const others = [...open.values()].map((one) => (complete ? { ...one, ended: now } : one));
  const ended = [...others, ...before].filter((one) => one.ended !== undefined);
  return [...found, ...others.filter((one) => one.ended === undefined), ...ended.slice(0, MOST_ENDED)];
}

/** A value that the service never returns is no drift, however long. */
const isDrift = (finding: Pick<DriftFinding, "class">) => finding.class !== "unverifiable";

/** Adds to each finding since when it has been there. @param failAfter age in milliseconds below which a finding fails no run */
export function addAges(
  report: DriftReport,
  record: readonly RecordedFinding[],
  failAfter: number | undefined,
): DriftReport {
  const known = new Map(record.filter(({ ended }) => ended === undefined).map((one) => [one.id, one]));
  const findings = report.findings.map((finding) => {
    const { since, runs } = known.get(finding.id) ?? {};
    return since === undefined ? finding : { ...finding, since, runs };
  });
  const aged = { ...report, findings };
  if (failAfter === undefined || report.result !== "drift") return aged;
  const fails = findings.some(
    (finding) =>
      report.failOn.includes(finding.class) &&
      finding.since !== undefined &&
      Date.parse(report.generatedAt) - Date.parse(finding.since) >= failAfter,
  );
  if (fails) return aged;
  return { ...aged, exitCode: report.complete ? exitCodes.ok : exitCodes.incomplete };
}
