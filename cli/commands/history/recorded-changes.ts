/** Finds the changes of an object in the states after the runs that Pulumi has recorded. */
import { HIDDEN, isSameJson, isSecret } from "../../../diff/values.js";
import { maskArgs, type Fields } from "../../../provider/index.js";
import { listChangesBetween, pickDeclared, type PropertyChange } from "../../engine/plan/property-changes.js";
import type { RecordedRun } from "../../engine/stack/state-store.js";
import { isManaged, type StateEntry } from "../../engine/stack/state.js";
import { findDefinitionAt, parseLogicalName } from "../../engine/urn.js";
import { parseRunOrigin } from "../../run-origin.js";
import { pickOrigin, type HistoryEntry } from "./entry.js";

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
