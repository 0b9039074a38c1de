/** Every write is compared with its answer: what the service did not take is an error, and is kept as it is. */
import { isDeepStrictEqual } from "node:util";
import type { Definition, Fields, Live } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { secretNames } from "../definition/secrets/mask.js";
import type { Kept } from "./state.js";
import { sameDeclared } from "../../diff/values.js";
import { shownValue } from "../definition/api-names.js";

export interface Verified {
  readonly kept: Kept;
  /** Why the object is not as it was asked for; absent when nothing in the answer says so. */
  readonly refusal?: ProviderError;
}

/**
 * Compares what a request asked for with what its answer shows.
 * @param kept the state after the answer: where it differs from the declaration, the answer does
 * @param olds what the object had before; undefined for a creation, whose answer has to show what the definition wants
 * confirmed
 */
export function verified(
  definition: Definition,
  at: Fields,
  sent: readonly string[],
  answer: Live,
  kept: Kept,
  olds: Fields | undefined,
): Verified {
  const { outs } = kept;
  const modes = (definition.variants?.modes ?? []).filter((name) => at[name] === undefined);
  const asked = new Set([...sent, ...modes]);
  const other = [...asked].filter((name) => {
    const carried = (value: unknown) => carriedPart(definition, name, value, olds?.[name], at[name]);
    return !sameDeclared(carried(outs[name]), carried(at[name]));
  });
  const unconfirmed =
    olds === undefined
      ? Object.keys(definition.confirmed).filter(
          (name) => asked.has(name) && (shownValue(definition, answer, name, at[name]) ?? null) === null,
        )
      : [];
  const names = [...new Set([...other, ...unconfirmed])];
  if (names.length === 0) return { kept };
  const missing = unconfirmed.flatMap((name) => [name, definition.references[name]?.into ?? name]);
  const known = Object.entries(outs).filter(([name]) => !missing.includes(name));
  const refusal = new ProviderError("not-as-asked", reasonOf(definition, at, outs, names));
  return { kept: { ...kept, outs: Object.fromEntries(known) }, refusal };
}

/** What of a value the request carried: somebody may have changed the rest meanwhile. */
function carriedPart(definition: Definition, name: string, value: unknown, old: unknown, asked: unknown) {
  if (definition.wire[name]?.merged !== true || old === undefined) return value;
  const [before, after] = [old as Fields, (asked ?? {}) as Fields];
  const isCarried = ([key]: [string, unknown]) => !isDeepStrictEqual(before[key], after[key]);
  return Object.fromEntries(Object.entries((value ?? {}) as Fields).filter(isCarried));
}

function reasonOf(definition: Definition, at: Fields, outs: Fields, names: readonly string[]): string {
  const key = definition.naturalKey.map((name) => `"${String(at[name] ?? outs[name])}"`).join(" ");
  const hidden = [...secretNames(definition, at), ...secretNames(definition, outs)];
  const parts = names.map((name) => {
    if (hidden.includes(name) || !isShort(at[name]) || !isShort(outs[name])) return name;
    const wanted = at[name] === undefined ? "its default" : JSON.stringify(at[name]);
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
