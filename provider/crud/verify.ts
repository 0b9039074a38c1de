/** Compares every write with its response. Values that the service did not accept are an error; the state has the actual ones. */
import { isDeepStrictEqual } from "node:util";
import { isSameDeclared } from "../../diff/values.js";
import { readShownValue } from "../../resources/definition/api-names.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { listSecretNames } from "../../resources/definition/secrets/mask.js";
import { formatVisibly, isSameSpelling } from "../../resources/definition/spelling.js";
import { ProviderError } from "../../resources/errors.js";
import { isSameArgument } from "./diff.js";
import type { ObjectState } from "./state.js";
import type { Target } from "./target.js";

export interface Verified {
  readonly result: ObjectState;
  /** Why the object differs from its declaration; absent when it does not. */
  readonly refusal?: ProviderError;
}

/**
 * Compares the requested values with those in the response.
 * @param result the state after the response
 * @param olds the state before; undefined for a creation, whose response has to show the values that the definition lists as `confirmed`
 */
export function verifyResponse(
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
    const sentOf = (value: unknown) => pickSentPart(definition, name, value, olds?.[name], state[name]);
    return (
      !isSameDeclared(sentOf(outs[name]), sentOf(state[name])) &&
      !isSameArgument(definition, name, outs[name], state[name])
    );
  });
  const unconfirmed =
    olds === undefined
      ? Object.keys(definition.confirmed).filter(
          (name) =>
            asked.has(name) && (readShownValue(definition, response, name, state[name]) ?? null) === null,
        )
      : [];
  const names = [...new Set([...other, ...unconfirmed])];
  if (names.length === 0) return { result };
  const missing = unconfirmed.flatMap((name) => [name, definition.references[name]?.idOutput ?? name]);
  const known = Object.fromEntries(Object.entries(outs).filter(([name]) => !missing.includes(name)));
  const refusal = new ProviderError(
    "not-as-asked",
    explainReason(definition, state, known, names),
    formatRemedy(definition, names),
  );
  return { result: { ...result, outs: known }, refusal };
}

/** The part of a value that was in the request. Another user may have changed the rest meanwhile. */
function pickSentPart(definition: Definition, name: string, value: unknown, old: unknown, asked: unknown) {
  if (definition.apiFields[name]?.merged !== true || old === undefined) return value;
  const [before, after] = [old as Fields, (asked ?? {}) as Fields];
  const isSent = ([key]: [string, unknown]) => !isDeepStrictEqual(before[key], after[key]);
  return Object.fromEntries(Object.entries((value ?? {}) as Fields).filter(isSent));
}

function explainReason(
  definition: Definition,
  state: Fields,
  outs: Fields,
  names: readonly string[],
): string {
  const hidden = [...listSecretNames(definition, state), ...listSecretNames(definition, outs)];
  const parts = names.map((name) => {
    if (hidden.includes(name) || !isShort(state[name]) || !isShort(outs[name])) return `"${name}"`;
    const got = outs[name] ?? null;
    const format = isSameSpelling("name", state[name], got) ? formatVisibly : JSON.stringify;
    const requested = state[name] === undefined ? "its default" : format(state[name]);
    return `"${name}" (requested ${requested}, got ${format(got)})`;
  });
  const declared = Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
  return (
    `${getDisplayName(definition, { ...outs, ...declared })}: the service accepted the request, but its response shows ` +
    `another value for ${parts.join(", ")}`
  );
}

function formatRemedy(definition: Definition, names: readonly string[]): string {
  const reasons = names.flatMap((name) => definition.confirmed[name] ?? []);
  const why =
    reasons.length > 0
      ? reasons.join(". ")
      : "Look at it in the service, and declare the value that it shows there, or correct it there";
  return `${why}. The next run sends the declared value again`;
}

function isShort(value: unknown): boolean {
  return value === undefined || (typeof value !== "object" && JSON.stringify(value).length <= 60);
}
