/** What Pulumi's engine refuses in a state: an object that is in it twice, and a reference to an object that is missing or comes later. */
import { parseLogicalName } from "../../components/urn.js";
import { groupBy } from "../../text/lists.js";
import { parseJsonIfValid } from "../config-files/checked-files.js";
import { sortByDependency } from "./recovered-state.js";
import { type Deployment, listReferredBy, type StateEntry } from "./state.js";

/** What is left of a replaced object may have the URN of the new one. */
const groupOwn = (resources: readonly StateEntry[]) =>
  groupBy(
    resources.filter((one) => one.delete !== true),
    ({ urn }) => urn,
  );

/** Says why the engine refuses a state; undefined when it does not. */
export function findDamage({ resources = [] }: Deployment): string | undefined {
  const before = new Set<string>();
  for (const one of resources) {
    const other = listReferredBy(one).find((urn) => !before.has(urn));
    if (other !== undefined)
      return `${parseLogicalName(one.urn)} refers to ${parseLogicalName(other)}, which is not before it`;
    before.add(one.urn);
  }
  const twice = [...groupOwn(resources)].find(([, entries]) => entries.length > 1);
  return twice && `it contains ${parseLogicalName(twice[0])} ${twice[1].length} times`;
}

/**
 * Removes what the engine refuses, where nothing is lost by it: entries of one object, with the same id, become the latest of them.
 * @returns the text of the state without it; undefined when the engine accepts the state, or when two entries are different objects
 */
export function repairState(text: string | undefined): string | undefined {
  const state = parseJsonIfValid(text) as
    { readonly checkpoint?: { readonly latest?: Damaged | null } } | undefined;
  const latest = state?.checkpoint?.latest;
  if (!latest || findDamage(latest) === undefined) return undefined;
  const { resources = [], metadata = {} } = latest;
  const dropped = new Set<StateEntry>();
  for (const entries of groupOwn(resources).values()) {
    if (new Set(entries.map(({ id }) => id)).size > 1) return undefined;
    const [, ...older] = entries.toSorted((a, b) => getTime(b).localeCompare(getTime(a)));
    for (const one of older) dropped.add(one);
  }
  const kept = sortByDependency(resources.filter((one) => !dropped.has(one)));
  const accepted = { ...latest, metadata: { ...metadata, integrity_error: undefined }, resources: kept };
  return JSON.stringify({ ...state, checkpoint: { ...state.checkpoint, latest: accepted } }, undefined, 4);
}

/** Pulumi notes there that it has refused the state. */
type Damaged = Deployment & { readonly metadata?: { readonly integrity_error?: unknown } };

const getTime = ({ modified }: StateEntry) => (typeof modified === "string" ? modified : "");
