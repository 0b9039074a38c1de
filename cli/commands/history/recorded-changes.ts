/** The changes of an object in the past, and how to find them in the states after the runs that Pulumi has recorded. */
import {
  listChangesBetween,
  pickDeclared,
  type PropertyChange,
} from "../../../automation/plan/property-changes.js";
import { parseRunOrigin, type RunOrigin } from "../../../automation/run-origin.js";
import { isManaged, type StateEntry } from "../../../automation/stack/state.js";
import type { RecordedRun } from "../../../automation/stack/state-store.js";
import { findDefinitionAt } from "../../../automation/urn.js";
import { parseLogicalName } from "../../../components/urn.js";
import { HIDDEN, isSameJson, isSecret, pickDefined } from "../../../diff/values.js";
import { type Fields, maskArgs } from "../../../provider/index.js";

export interface HistoryEntry {
  /** End of the run, in milliseconds. */
  readonly at: number;
  /** Start of a run that Pulumi has recorded, in milliseconds. */
  readonly startedAt?: number;
  /** `found` for a change that was made outside, which a refresh found. */
  readonly operation: "create" | "adopt" | "update" | "replace" | "delete" | "release" | "rename" | "found";
  /** The name before it was renamed. */
  readonly formerName?: string;
  readonly by: Partial<Pick<RunOrigin, "actor" | "commit" | "run">>;
  /** Fingerprint of the approved plan. */
  readonly approved?: string | undefined;
  readonly changes: readonly PropertyChange[];
  readonly source: "receipt" | "pulumi";
}

/** Omits what is not known. */
export function pickOrigin({ actor, commit, run }: Partial<RunOrigin>): HistoryEntry["by"] {
  return pickDefined({ actor, commit, run });
}

/**
 * Lists the changes of an object, the latest first. It is followed to its former names.
 * @param runs from the latest to the first one
 */
export async function listRecordedChanges(
  name: string,
  runs: AsyncIterable<RecordedRun>,
  limit: number,
): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  let called = name;
  let last: RecordedRun | undefined;
  for await (const run of runs) {
    if (last !== undefined) {
      const entry = compareRuns(called, last, run);
      if (entry !== undefined) found.push(entry);
      called = entry?.formerName ?? called;
      if (found.length >= limit) return found;
    }
    last = run;
  }
  const first = last && compareRuns(called, last, undefined);
  return first === undefined ? found : [...found, first];
}

/** Returns what a run changed. @param earlier the run before it */
function compareRuns(
  name: string,
  { about, state }: RecordedRun,
  earlier: RecordedRun | undefined,
): HistoryEntry | undefined {
  const now = find(state, (one) => parseLogicalName(one.urn) === name);
  const isSameObject = (one: StateEntry) => parseLogicalName(one.urn) === name;
  const before =
    find(earlier?.state, isSameObject) ??
    find(earlier?.state, (one) => now?.id !== undefined && one.id === now.id && one.type === now.type);
  if (now === undefined && before === undefined) return undefined;
  const changes = listChanges(before, now);
  const operation = chooseOperation(about.kind, before, now, changes);
  if (operation === undefined) return undefined;
  const { environment = {}, message = "" } = about;
  const by = parseRunOrigin(message);
  const [actor, commit] = [environment["git.author"], environment["git.head"]];
  const formerName = before && parseLogicalName(before.urn);
  return {
    at: about.endTime * 1000,
    startedAt: about.startTime * 1000,
    operation,
    ...(formerName !== undefined && formerName !== name ? { formerName } : {}),
    by: pickOrigin(by.actor === undefined ? { actor, commit } : by),
    changes,
    source: "pulumi",
  };
}

function find(
  state: RecordedRun["state"] | undefined,
  is: (one: StateEntry) => boolean,
): StateEntry | undefined {
  return state?.resources?.find((one) => isManaged(one) && one.delete !== true && is(one));
}

function chooseOperation(
  kind: string,
  before: StateEntry | undefined,
  now: StateEntry | undefined,
  changes: readonly PropertyChange[],
): HistoryEntry["operation"] | undefined {
  const isRefresh = kind === "refresh";
  if (before === undefined) return kind === "import" || kind === "resource-import" ? "adopt" : "create";
  if (now === undefined) return isRefresh ? "found" : "delete";
  if (before.id !== now.id) return "replace";
  if (changes.length > 0) return isRefresh ? "found" : "update";
  return parseLogicalName(before.urn) === parseLogicalName(now.urn) ? undefined : "rename";
}

/** Lists the arguments that differ. Pulumi has encrypted the secrets, so these are only known to differ. */
function listChanges(before: StateEntry | undefined, now: StateEntry | undefined): PropertyChange[] {
  if (before === undefined || now === undefined) return [];
  const [one, other] = [before, now].map(getShownArguments);
  const changes = listChangesBetween(one, other);
  const secrets = Object.keys(other ?? {}).filter(
    (name) =>
      !changes.some(({ parts }) => parts[0] === name) &&
      !isSameJson(before.inputs?.[name], now.inputs?.[name]) &&
      isSecret(before.inputs?.[name]) &&
      isSecret(now.inputs?.[name]),
  );
  return [
    ...changes,
    ...secrets.map((name) => ({ parts: [name], path: name, before: HIDDEN, after: HIDDEN })),
  ];
}

function getShownArguments(entry: StateEntry): Fields {
  const inputs = pickDeclared(entry.inputs ?? {});
  const definition = findDefinitionAt(entry);
  return definition === undefined ? inputs : maskArgs(definition, inputs);
}
