/** Remembers in the state file of drift and compare since when each finding has been there, in how many runs it was seen, and when it ended. */
import { z } from "zod";
import { readJsonFileIfPresent, refuseRepeated } from "../automation/config-files/checked-files.js";
import type { Finding } from "../diff/finding.js";

const recorded = z.object({
  id: z.string(),
  class: z.string(),
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

/** @throws {AutomationError} when the file is another one */
export function readFindingRecord(file: string): RecordedFinding[] {
  const remedy =
    "choose another with --state-file, or delete it: the next run then reports every finding as new";
  const what = "a record of findings of workspacectl drift or compare";
  const record = readJsonFileIfPresent(recordSchema, file, { what, remedy, named: true });
  const open = (record?.findings ?? []).filter(({ ended }) => ended === undefined).map(({ id }) => id);
  refuseRepeated(file, open, remedy);
  return record?.findings ?? [];
}

/** What the record needs of a report. */
interface AgedReport<F extends Finding = Finding> {
  readonly findings: readonly F[];
  readonly complete: boolean;
  readonly generatedAt: string;
}

/** Adds the findings of a run. A run that could not read everything ends no finding. */
export function recordFindings(
  before: readonly RecordedFinding[],
  { findings, complete, generatedAt: now }: AgedReport,
): RecordedFinding[] {
  const open = new Map(before.filter(({ ended }) => ended === undefined).map((one) => [one.id, one]));
  const found = findings.filter(isDifference).map((finding): RecordedFinding => {
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

/** A value that the service never returns is no difference, however long. */
const isDifference = (finding: Finding) => finding.class !== "unverifiable";

/** Since when a finding has been there, in how many runs. */
interface Age {
  readonly since?: string | undefined;
  readonly runs?: number | undefined;
}

/** Adds to each finding since when it has been there. */
export function addAges<F extends Finding & Age, R extends AgedReport<F>>(
  report: R,
  record: readonly RecordedFinding[],
): R {
  const known = new Map(record.filter(({ ended }) => ended === undefined).map((one) => [one.id, one]));
  const findings = report.findings.map((finding) => {
    const { since, runs } = known.get(finding.id) ?? {};
    return since === undefined ? finding : { ...finding, since, runs };
  });
  return { ...report, findings };
}

/** `2026-11-28 03:12` of a time in UTC: whoever looks for the cause of an incident needs the hour. */
export function formatMinute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

/** Says since when a finding has been there, if earlier runs found it, too. */
export function formatAge({ since, runs }: Age): string | undefined {
  return since === undefined || runs === undefined || runs < 2
    ? undefined
    : `since ${formatMinute(since)} UTC, ${runs} runs`;
}
