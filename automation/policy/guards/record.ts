/**
 * Records the guards that are in force at an `up`, as an output of the stack, so that a later preview can say what was loosened. The
 * state is the one place that every backend and both engines have, and that a change of a checkout cannot reach.
 */
import { z } from "zod";
import { isSameJson } from "../../../diff/values.js";
import type { Fields } from "../../../provider/index.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { normalizePerson } from "../../../workspace-file/access/access.js";
import { guardSettings } from "../../../workspace-file/document/guard-settings.js";
import type { GuardSettings } from "../../../workspace-file/index.js";
import type { LoadedFile } from "../../../workspace-file/load/load.js";
import type { PlannedObject } from "../../plan/planned-objects.js";
import type { Policy } from "../policy-file/cel-rules.js";
import {
  formatLooserEntry,
  listLooserEntries,
  type RecordedEntry,
  recordEntries,
} from "./loosened-entries.js";
import { USUAL_DELETES, USUAL_SHARE } from "./rules/max-deletes.js";
import type { Loosened } from "./types.js";

/** Name of the output, which is no output of a program. */
export const GUARDS_OUTPUT = "workspacectl:guards";

/** The settings from the checkout. A policy from outside cannot be loosened by changing it. */
interface GuardsInForce {
  readonly file: GuardSettings;
  /** Guards of the policy that a fleet file names. */
  readonly fleet?: GuardSettings | undefined;
  /** What entries allow. Undefined in a record of an earlier release. */
  readonly entries?: RecordedEntry | undefined;
}

export function collectGuardsInForce(
  file: GuardSettings,
  policies: readonly Policy[],
  declared: Pick<LoadedFile, "declarations"> | undefined,
): GuardsInForce {
  const fleet = joinGuards(policies.filter(({ ofFleet }) => ofFleet));
  return {
    file,
    ...(fleet === undefined ? {} : { fleet }),
    entries: recordEntries(declared?.declarations ?? []),
  };
}

type WithGuards = { readonly guards?: GuardSettings | undefined };

/** What decides whether a run replaces the record of earlier ones. */
interface RecordingRun {
  /** It concerns some objects only. */
  readonly isPart: boolean;
  /** A fleet runs it, and so applies the policies of the fleet file. */
  readonly isOfFleet: boolean;
  readonly policies: readonly Policy[];
}

/**
 * Returns what a run records. A run of some objects is no review of a whole change, and one outside of a fleet does not apply the
 * policy of the fleet: neither replaces a stricter record, so that the next run reports again what is looser.
 */
export function chooseRecord(
  now: GuardsInForce,
  before: GuardsInForce | undefined,
  { isPart, isOfFleet, policies }: RecordingRun,
): GuardsInForce {
  if (before === undefined) return now;
  const keepsFile = isPart && listLooserSettings(before.file, now.file).length > 0;
  const isLooser = before.fleet !== undefined && listLooserFleet(before.fleet, [now.fleet]).length > 0;
  // The caller may omit next time what only the caller gives.
  const isGiven = isLooser && listLooserFleet(before.fleet, listGuards(policies)).length === 0;
  const fleet = isLooser && (isPart || !isOfFleet || isGiven) ? before.fleet : now.fleet;
  return {
    file: keepsFile ? before.file : now.file,
    ...(fleet === undefined ? {} : { fleet }),
    entries: isPart ? { ...now.entries, ...before.entries } : now.entries,
  };
}

/** Says that looser guards are not recorded. */
export function describeKept(record: GuardsInForce, now: GuardsInForce): string[] {
  if (isSameJson({ ...record }, { ...now })) return [];
  return [
    "The record of stricter guards stays, because this run is outside of the fleet, or concerns some objects only: the next run reports what is looser again",
  ];
}

const listGuards = (policies: readonly WithGuards[]) => policies.map(({ guards }) => guards);

export function serializeGuards(guards: GuardsInForce): Fields {
  return { [GUARDS_OUTPUT]: guards };
}

/** A later release may have recorded settings that this one does not know. */
const known = z.object(guardSettings.shape);
const recordSchema = z.object({
  file: known,
  fleet: known.optional(),
  entries: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

/** Returns the guards of the last `up`; undefined if it was one of an earlier release, or there was none. */
export function parseRecordedGuards(outputs: Fields): GuardsInForce | undefined {
  return recordSchema.safeParse(outputs[GUARDS_OUTPUT]).data;
}

export function isRecorded(guards: GuardsInForce, outputs: Fields): boolean {
  // The record of an earlier release need not be written again while there is nothing to add.
  const recorded = { entries: {}, ...(outputs[GUARDS_OUTPUT] as Partial<GuardsInForce> | undefined) };
  return isSameJson(recorded, guards);
}

/** Finds what a plan loosens. Without a record, only what the state contains of each object is known. */
export function listLoosened(
  now: GuardsInForce,
  before: GuardsInForce | undefined,
  objects: readonly PlannedObject[],
  policies: readonly Policy[] = [],
): Loosened[] {
  return [
    ...(before === undefined ? [] : listLooserSettings(before.file, now.file)),
    // A guard that the caller gives instead is in force, too.
    ...(before?.fleet === undefined
      ? []
      : listLooserFleet(before.fleet, [now.fleet, ...listGuards(policies)])),
    ...listLooserEntries(objects, before?.entries, now.entries),
  ];
}

/** Describes a loosened guard in one line. */
export function formatLoosened(one: Loosened): string {
  const values = `${formatSetting(one.before)} → ${formatSetting(one.now)}`;
  return one.objects === undefined ? `${one.setting}: ${values}` : formatLooserEntry(one, values);
}

function formatSetting(value: unknown): string {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : value === null ? [] : [value];
  const texts = items.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  return texts.join(", ") || "(none)";
}

type Setting = keyof GuardSettings;
type Value<S extends Setting> = NonNullable<GuardSettings[S]>;

/** How the values of a setting compare. */
interface Order<T> {
  /** What two values refuse together. Default: the stricter one. */
  readonly join?: (one: T, other: T) => T;
  /** Value of a file that does not give it. */
  readonly usual: T;
  /** Value that refuses nothing. */
  readonly none: T;
  /** Whether the second value allows something that the first one refuses. */
  readonly isLooser: (before: T, now: T) => boolean;
}

function orderNumbers(usual: number): Order<number> {
  return { usual, none: Infinity, isLooser: (before, now) => now > before };
}

const atLeast: Order<number> = { usual: 0, none: 0, isLooser: (before, now) => now < before };

/** A value that refuses, and is the usual one, and another one that does not. */
function orderChoices<T>(strict: T, loose: T): Order<T> {
  return { usual: strict, none: loose, isLooser: (before, now) => before === strict && now === loose };
}

/** A list in which each entry refuses something. */
function orderRefusals<T>(keyOf: (item: T) => string): Order<readonly T[]> {
  return {
    usual: [],
    none: [],
    join: (one, other) => [...one, ...other.filter((item) => !one.map(keyOf).includes(keyOf(item)))],
    isLooser: (before, now) => {
      const left = new Set(now.map(keyOf));
      return before.some((item) => !left.has(keyOf(item)));
    },
  };
}

/** A list of patterns, each of which allows something. */
const allowing: Order<readonly string[]> = {
  usual: [],
  none: ["**"],
  isLooser: (before, now) => now.some((pattern) => !isCovered(pattern, before)),
};

/** Whether patterns match everything that another one matches, as far as that is easy to say. */
function isCovered(pattern: string, by: readonly string[]): boolean {
  const isName = !/[*?]/.test(pattern);
  return by.some(
    (other) => other === pattern || other === "**" || (isName && matchesPattern(other, pattern)),
  );
}

const orders: { readonly [S in Setting]-?: Order<Value<S>> | Order<Readonly<Value<S>>> } = {
  maxDeletes: orderNumbers(USUAL_DELETES),
  maxDeleteShare: orderNumbers(USUAL_SHARE),
  allowDelete: allowing,
  protectedKinds: orderRefusals((kind: string) => kind),
  projectDeletion: orderChoices<Value<"projectDeletion">>("named", "allow"),
  sectionDeletion: orderChoices<Value<"sectionDeletion">>("named", "allow"),
  unmanagedContents: orderChoices<Value<"unmanagedContents">>("named", "allow"),
  minimumAdmins: atLeast,
  requiredAdmins: orderRefusals(normalizePerson),
  ownAccess: orderChoices(true, false),
};

/** Returns what several policies refuse together; undefined if there is none. */
function joinGuards(policies: readonly WithGuards[]): GuardSettings | undefined {
  const all = listGuards(policies).filter((guards) => guards !== undefined);
  if (all.length < 2) return all[0];
  const settings = Object.entries(orders) as [Setting, Order<unknown>][];
  return Object.fromEntries(
    settings.flatMap(([setting, { join, isLooser }]) => {
      const given = all
        .map((guards): unknown => guards[setting])
        .filter((value) => value !== undefined) as unknown[];
      const stricter = (one: unknown, other: unknown) => (isLooser(one, other) ? one : other);
      return given.length === 0 ? [] : [[setting, given.reduce(join ?? stricter)]];
    }),
  );
}

/** @param now the guards that several policies give */
function listLooserFleet(
  before: GuardSettings | undefined,
  now: readonly (GuardSettings | undefined)[],
): Loosened[] {
  const inForce = joinGuards(now.map((guards) => ({ guards })));
  return listLooserSettings(before ?? {}, inForce ?? {}, "none");
}

/**
 * Finds the settings that are looser than before.
 * @param absent what holds for a setting that is not given: the usual value, as in a workspace file, or nothing
 */
export function listLooserSettings(
  before: GuardSettings,
  now: GuardSettings,
  absent: "usual" | "none" = "usual",
): Loosened[] {
  return (Object.entries(orders) as [Setting, Order<unknown>][]).flatMap(([setting, order]) => {
    const [was, is] = [before[setting], now[setting]].map((given) => given ?? order[absent]);
    const shown = (given: unknown) => given ?? (absent === "usual" ? order.usual : null);
    if (!order.isLooser(was, is)) return [];
    return [{ setting, before: shown(before[setting]), now: shown(now[setting]) }];
  });
}
