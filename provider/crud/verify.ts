/** Compares every write with its response: values that the service did not accept are an error, and stay in the state. */
import { isDeepStrictEqual } from "node:util";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { secretNames } from "../definition/secrets/mask.js";
import type { ObjectState } from "./state.js";
import type { Target } from "./target.js";
import { sameDeclared } from "../../diff/values.js";
import { shownValue } from "../definition/api-names.js";

export interface Verified {
  readonly result: ObjectState;
  /** Why the object is not as declared; absent when nothing in the response says so. */
  readonly refusal?: ProviderError;
}

/**
 * Compares what a request asked for with what its response shows.
 * @param result the state after the response: where it differs from the declaration, the response does
 * @param olds what the object had before; undefined for a creation, whose response has to show what the definition wants
 * confirmed
 */
export function verified(
  { definition, state }: Target,
  sent: readonly string[],
  response: RemoteObject,
  result: ObjectState,
  olds: Fields | undefined,
): Verified {
  const { outs } = result;
  const modes = (definition.variants?.modes ?? []).filter((name) => state[name] === undefined);
  const asked = new Set([...sent, ...modes]);
  const other = [...asked].filter((name) => {
    const carried = (value: unknown) => carriedPart(definition, name, value, olds?.[name], state[name]);
    return !sameDeclared(carried(outs[name]), carried(state[name]));
  });
  const unconfirmed =
    olds === undefined
      ? Object.keys(definition.confirmed).filter(
          (name) => asked.has(name) && (shownValue(definition, response, name, state[name]) ?? null) === null,
        )
      : [];
  const names = [...new Set([...other, ...unconfirmed])];
  if (names.length === 0) return { result };
  const missing = unconfirmed.flatMap((name) => [name, definition.references[name]?.idOutput ?? name]);
  const known = Object.entries(outs).filter(([name]) => !missing.includes(name));
  const refusal = new ProviderError("not-as-asked", reasonOf(definition, state, outs, names));
  return { result: { ...result, outs: Object.fromEntries(known) }, refusal };
}

/** The part of a value that the request carried. Somebody may have changed the rest meanwhile. */
function carriedPart(definition: Definition, name: string, value: unknown, old: unknown, asked: unknown) {
  if (definition.apiFields[name]?.merged !== true || old === undefined) return value;
  const [before, after] = [old as Fields, (asked ?? {}) as Fields];
  const isCarried = ([key]: [string, unknown]) => !isDeepStrictEqual(before[key], after[key]);
  return Object.fromEntries(Object.entries((value ?? {}) as Fields).filter(isCarried));
}

function reasonOf(definition: Definition, state: Fields, outs: Fields, names: readonly string[]): string {
  const key = definition.naturalKey.map((name) => `"${String(state[name] ?? outs[name])}"`).join(" ");
  const hidden = [...secretNames(definition, state), ...secretNames(definition, outs)];
  const parts = names.map((name) => {
    if (hidden.includes(name) || !isShort(state[name]) || !isShort(outs[name])) return name;
    const wanted = state[name] === undefined ? "its default" : JSON.stringify(state[name]);
    return `${name} (asked for ${wanted}, it says ${JSON.stringify(outs[name] ?? null)})`;
  });
  const reasons = names.flatMap((name) => definition.confirmed[name] ?? []);
  const why = reasons.length > 0 ? reasons.join(". ") : "Declare what the service allows, or change it there";
  return (
    `${definition.noun}${key === "" ? "" : ` ${key}`}: the service took the request, but its answer shows ` +
    `something else for ${parts.join(", ")}. ${why}. The next run tries again`
  );
}

function isShort(value: unknown): boolean {
  return value === undefined || (typeof value !== "object" && JSON.stringify(value).length <= 60);
}
