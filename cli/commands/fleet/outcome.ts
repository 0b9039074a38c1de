/** What a run of a fleet ends with: its results, its exit code, the fingerprint of its plans, and what its workspaces have in common. */
import { z } from "zod";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type {
  FindingView,
  SectionItem,
  SectionView,
  WorkspaceScope,
} from "../../../automation/report/report-view.js";
import { hashSha256 } from "../../../diff/digest.js";
import { setFingerprint } from "../../../diff/fingerprint.js";
import type { Io } from "../../../reports/io.js";
import {
  type FindingData,
  findingData,
  fromFindingData,
  sectionData,
  type ViewData,
} from "../../../reports/view-data.js";
import { formatFirst, groupBy } from "../../../text/lists.js";
import { NOT_KNOWN } from "../../../text/shown-change.js";
import type { FleetEntry } from "./fleet-file.js";
import type { GateResult, Shard } from "./fleet-report.js";
import type { FleetResult } from "./result.js";
import { findWorst, type FleetRun, runFleet } from "./run-each-workspace.js";
import type { Wave } from "./waves.js";
import { type FleetCommand, plansChanges } from "./workspace-command.js";

export interface FleetReport {
  readonly command: FleetCommand;
  readonly results: readonly FleetResult[];
  readonly shard?: Shard;
  /** The waves of the fleet file. */
  readonly waves?: readonly Wave[];
  /** The gates that were checked. */
  readonly gates?: readonly GateResult[];
  /** What a preview or drift has found. */
  readonly review?: Review;
  /** Entries that the fleet file no longer has. */
  readonly removed?: readonly Pick<FleetEntry, "name" | "file" | "stack">[] | undefined;
  /** What `fleet up` needs as well: its arguments, and the options for each workspace. */
  readonly again?: { readonly args: readonly string[]; readonly more: readonly string[] };
  /** Duration of the whole run. */
  readonly seconds?: number | undefined;
}

/** Returns the exit code of the run: that of the worst workspace, or an error when a gate is closed. */
export function chooseExitCode(report: FleetReport): number {
  const closed = listClosedGates(report).map(() => ({ exitCode: exitCodes.error }));
  return findWorst([...report.results, ...closed]);
}

export function listClosedGates({ gates = [] }: FleetReport): readonly GateResult[] {
  return gates.filter(({ result }) => result === "closed");
}

type Planned = Pick<FleetResult, "name" | "plan" | "fingerprint" | "fingerprintWithoutSecrets">;

/** Names the workspaces whose plans do something, and whose run has lacked a secret. */
function listLackingSecrets(results: readonly Planned[]): string[] {
  return results
    .filter((one) => one.plan !== "nothing" && one.fingerprint !== undefined)
    .filter((one) => one.fingerprint === one.fingerprintWithoutSecrets)
    .map(({ name }) => name);
}

/**
 * Returns the fingerprints of plans. Where one run has lacked a secret, no plan counts with the values of referenced secrets: a fingerprint
 * over all says this of all, and so the run that has every secret can compute it.
 */
export function listFingerprints(
  results: readonly Planned[],
  withoutSecrets: boolean = listLackingSecrets(results).length > 0,
): ReadonlyMap<string, string> {
  return new Map(
    results.flatMap((one) => {
      const fingerprint = (withoutSecrets ? one.fingerprintWithoutSecrets : undefined) ?? one.fingerprint;
      return fingerprint === undefined ? [] : [[one.name, fingerprint]];
    }),
  );
}

/** @returns what an approval of several workspaces does not cover, because one of them lacks secrets */
export function describeLackingSecrets({ command, results }: FleetReport): SectionView["items"] {
  const names = command === "preview" ? listLackingSecrets(results) : [];
  if (names.length === 0) return [];
  const text = `the values of the secrets to which files refer, in any workspace: the run of ${formatFirst(names, NAMED)} does not have all of them`;
  return [{ text, level: "warning" }];
}

/**
 * Returns the plans that an approval is for: those that do something, by workspace. Their fingerprint is computed of these, and a saved
 * report applies these and no others. Undefined if a workspace could not be planned.
 */
export function listPlans(
  results: readonly Planned[],
  withoutSecrets?: boolean,
): ReadonlyMap<string, string> | undefined {
  const found = listFingerprints(results, withoutSecrets);
  if (found.size < results.length) return undefined;
  const idle = new Set(results.filter(({ plan }) => plan === "nothing").map(({ name }) => name));
  return new Map([...found].filter(([name]) => !idle.has(name)));
}

/** Returns one fingerprint over the plans that an approval is for. A workspace that has nothing to do adds none. */
export function computeFleetFingerprint(
  { command, results }: { readonly command: FleetCommand; readonly results: readonly Planned[] },
  withoutSecrets?: boolean,
): string | undefined {
  const plans = command === "preview" ? listPlans(results, withoutSecrets) : undefined;
  return plans && setFingerprint([...plans], [["fleet", 1]]);
}

export async function runReview(
  entries: readonly FleetEntry[],
  run: FleetRun,
  io: Io,
): Promise<Required<Pick<FleetReport, "results" | "review">>> {
  const reports = new Map<string, ViewData>();
  const results = await runFleet(entries, { ...run, onReport: (name, data) => reports.set(name, data) }, io);
  const found = entries.flatMap(({ name }) => {
    const data = reports.get(name);
    return data === undefined ? [] : [{ name, data }];
  });
  return { results, review: buildReview(found) };
}

const workspaces = z.array(z.string()).describe("Names of the workspaces, in the order of the fleet file.");

export const reviewParts = {
  groups: z
    .array(z.strictObject({ workspaces, findings: z.array(findingData) }))
    .describe("What was found of an object, with the workspaces in which exactly this was found."),
  notes: z
    .array(z.strictObject({ workspaces, ...sectionData.shape }))
    .describe("What is said besides: refusals of guards, access, what starts or stops running."),
};

type Review = { readonly [Part in keyof typeof reviewParts]: z.infer<(typeof reviewParts)[Part]> };
type ReviewGroup = Review["groups"][number];

/** Groups what was found in workspaces. */
export function buildReview(found: readonly { readonly name: string; readonly data: ViewData }[]): Review {
  return mergeReviews(
    found.map(({ name, data: { findings, notes } }) => ({
      groups: [...groupBy(findings, getFindingObject).values()].map((of) => ({
        workspaces: [name],
        findings: of,
      })),
      // The requests of each workspace differ, and matter only where they are not enough.
      notes: notes
        .filter(({ section, level }) => section !== "requests" || level !== "info")
        .map((notice) => ({ workspaces: [name], ...notice, details: notice.details.map(adaptAdvice) })),
    })),
  );
}

/** An option of `up` is one of each workspace in a fleet, and holds for all that are selected. */
function adaptAdvice(detail: string): string {
  const isOption = /^(To allow it|Or with an option of up): --/.test(detail);
  return isOption ? `${detail} (after "--" of fleet up, with --only for the workspaces that may)` : detail;
}

/** Groups what several reviews have in common. The variants of an object are next to each other, the most frequent first. */
export function mergeReviews(reviews: readonly Review[]): Review {
  const groups = reviews.flatMap((review) => review.groups);
  const objects = groupBy(groups, ({ findings }) =>
    findings[0] === undefined ? "" : getFindingObject(findings[0]),
  );
  return {
    groups: [...objects.values()].flatMap((variants) =>
      [...groupBy(variants, getContent).values()]
        .map((equal): ReviewGroup => {
          const names = equal.flatMap((one) => one.workspaces);
          const [first, ...others] = equal;
          return {
            workspaces: names,
            findings: first && others.length === 0 ? first.findings : joinRemedies(equal),
          };
        })
        .toSorted((one, other) => other.workspaces.length - one.workspaces.length),
    ),
    notes: [
      ...groupBy(
        reviews.flatMap((review) => review.notes),
        ({ workspaces: _, place: _place, ...notice }) => JSON.stringify(notice),
      ).values(),
    ].flatMap((equal) => {
      const [first] = equal;
      return first === undefined ? [] : [{ ...first, workspaces: equal.flatMap((one) => one.workspaces) }];
    }),
  };
}

/** Maximum number of commands for a finding in several workspaces: those of the first ones show how to go on. */
const COMMANDS = 6;

/** A command concerns one stack, and an overlay may declare the object in another place. So each says for which workspace it is. */
function joinRemedies(equal: readonly ReviewGroup[]): FindingData[] {
  const [first] = equal;
  return (first?.findings ?? []).map((finding, index) => {
    const remedies = equal.flatMap(({ workspaces: [name = "", ...others], findings }) => {
      const own = findings[index]?.remedies ?? [];
      return others.length > 0 ? own : own.map((one) => ({ ...one, label: `${one.label} in ${name}` }));
    });
    return remedies.length === 0 ? finding : { ...finding, remedies: remedies.slice(0, COMMANDS) };
  });
}

function getFindingObject(finding: FindingData): string {
  return JSON.stringify([finding.class, finding.type, finding.name]);
}

function getContent({ findings }: ReviewGroup): string {
  return JSON.stringify(findings.map(({ place: _, ...finding }) => omitRemedies(finding)));
}

function omitRemedies<F extends FindingData>({ remedies: _, ...finding }: F): Omit<F, "remedies"> {
  return finding;
}

/** Returns what distinguishes the plan of each workspace: equal plans have equal signatures. */
export function signPlans({ groups, notes }: Review): ReadonlyMap<string, string> {
  const parts = new Map<string, number[]>();
  for (const [index, { workspaces: names }] of [...groups, ...notes].entries())
    for (const name of names) {
      const own = parts.get(name);
      if (own === undefined) parts.set(name, [index]);
      else own.push(index);
    }
  return new Map([...parts].map(([name, indexes]) => [name, indexes.join(" ")]));
}

/** @param all names of the workspaces of the run */
export function listReviewFindings(
  { command, review }: Pick<FleetReport, "command" | "review">,
  all: readonly string[],
): FindingView[] {
  const { groups = [] } = review ?? {};
  // Only a plan has values that are known later.
  const unknown = plansChanges(command) ? undefined : NOT_KNOWN;
  const known = new Set<string>();
  return groups.flatMap((group) => {
    const [first] = group.findings;
    if (first === undefined) return [];
    const object = getFindingObject(first);
    const { text, count } = describeScope(group.workspaces, all);
    // The most frequent variant comes first.
    const scope = { count, text: known.has(object) ? `${text}, differs` : text };
    known.add(object);
    const variant = getContent(group);
    return group.findings.map((data) => ({
      ...fromFindingData(data, hashSha256(`${data.path}\n${variant}`).slice(0, 12), unknown),
      scope,
    }));
  });
}

export function listReviewSections({ notes }: Review, all: readonly string[]): SectionView[] {
  return [...groupBy(notes, ({ section, title }) => JSON.stringify([section, title])).values()].map(
    (of): SectionView => ({
      name: of[0]!.section,
      title: of[0]!.title,
      folded: of.every(({ folded }) => folded),
      items: sortBySeverity(of).map(({ workspaces: names, text, level, details, place }): SectionItem => {
        return { text: `${describeScope(names, all).text}: ${text}`, level, details, place };
      }),
    }),
  );
}

const LEVELS = ["error", "warning", "info"];

/** What matters most comes first, in whatever workspace it is: a reader may stop anywhere, and so may a form with little room. */
function sortBySeverity<N extends Review["notes"][number]>(notes: readonly N[]): N[] {
  const severity = ({ level, rank = Infinity }: N): [number, number] => [LEVELS.indexOf(level), rank];
  return notes.toSorted((one, other) => {
    const [[level, rank], [otherLevel, otherRank]] = [severity(one), severity(other)];
    return level - otherLevel || (rank === otherRank ? 0 : rank - otherRank);
  });
}

/** Maximum number of names. */
const NAMED = 3;

/** Describes some workspaces of a fleet by the shorter list of names. */
export function describeScope(names: readonly string[], all: readonly string[]): WorkspaceScope {
  const count = names.length;
  if (count === all.length && count > 1) return { count, text: `all ${count} workspaces` };
  if (count <= NAMED) return { count, text: names.join(", ") };
  if (all.length - count <= NAMED) {
    const own = new Set(names);
    const others = all.filter((name) => !own.has(name));
    return { count, text: `${count} workspaces (not ${others.join(", ")})` };
  }
  return {
    count,
    text: `${count} workspaces (${names.slice(0, NAMED - 1).join(", ")} and ${count - NAMED + 1} more)`,
  };
}

/** Names all workspaces of the scopes that only count them. */
export function listScopeItems(
  groups: readonly { readonly workspaces: readonly string[] }[],
  all: readonly string[],
): SectionItem[] {
  const scopes = new Map(
    groups.flatMap(({ workspaces: names }): [string, readonly string[]][] => {
      const isCounted = names.length > NAMED && all.length - names.length > NAMED;
      return isCounted ? [[JSON.stringify(names), names]] : [];
    }),
  );
  return [...scopes.values()].map((names) => ({
    text: `${describeScope(names, all).text}: ${names.join(", ")}`,
    level: "info" as const,
  }));
}
