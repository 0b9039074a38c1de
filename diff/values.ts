/** Values in the engine's form: unknown values, secret marks, and equality. */
import { isDeepStrictEqual } from "node:util";

/** Text that represents an unknown value. @pulumi/pulumi exports it as `runtime.unknownValue`. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What people read in the place of such a value. */
export const KNOWN_LATER = "(known later)";
const SECRET_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** The engine's texts for an unknown string, boolean, number, list, asset, archive and map. */
const UNKNOWNS = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/**
 * What a text stands for in Pulumi's engine, which takes it for nothing else; undefined for an ordinary text.
 * @param isKey whether it is a key of a map
 */
export function describeEngineText(text: string, isKey: boolean): string | undefined {
  if (isKey && text === SECRET_KEY) return "a secret or a file";
  return UNKNOWNS.has(text) ? "a value that is not known yet" : undefined;
}

/** Returns a text in a value that the engine would take for something else. */
export function findEngineText(value: unknown): string | undefined {
  if (typeof value === "string") return describeEngineText(value, false) === undefined ? undefined : value;
  if (typeof value !== "object" || value === null) return undefined;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const key = keys.find((one) => describeEngineText(one, true) !== undefined);
  if (key !== undefined) return key;
  const parts: unknown[] = Object.values(value);
  return parts.map(findEngineText).find((text) => text !== undefined);
}

/** Whether the value, or a part of it, is unknown. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

/** Marks a value so that the engine encrypts it wherever it stores it. */
export function asSecret(value: unknown): unknown {
  if (value === undefined || value === null || isSecret(value)) return value;
  return { [SECRET_KEY]: SECRET_SIGNATURE, value };
}

/** Stands for a secret whose value is not shown. A string in its place could also be a value of the service. */
export const HIDDEN: unknown = Object.freeze({ [SECRET_KEY]: SECRET_SIGNATURE });

/** Stands for a secret in the events of the engine. */
export const MASKED: unknown = Object.freeze({ [SECRET_KEY]: SECRET_SIGNATURE, ciphertext: "[secret]" });

const concealed = new WeakMap<object, unknown>();

/** Stands for a secret like {@link HIDDEN}, and leads to its value, which no printer and no serializer finds. */
export function conceal(value: unknown): object {
  const mark = Object.freeze({ [SECRET_KEY]: SECRET_SIGNATURE });
  concealed.set(mark, value);
  return mark;
}

/** Returns the value that a mark of {@link conceal} leads to; undefined for every other value. */
export function getConcealed(mark: unknown): unknown {
  return typeof mark === "object" && mark !== null ? concealed.get(mark) : undefined;
}

export function isSecret(value: unknown): value is { readonly value: unknown } {
  return typeof value === "object" && value !== null && SECRET_KEY in value;
}

/** Whether the value, or a part of it, is marked as secret. A resource that it refers to is no part of it. */
export function hasSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return (Array.isArray(value) || isPlain(value)) && Object.values(value).some(hasSecret);
}

/** Removes secret marks from a value, at any depth. */
export function withoutMarks(value: unknown): unknown {
  if (isSecret(value)) return withoutMarks(value.value);
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)]));
}

/** Replaces the leaves of lists and plain objects, at any depth. Instances of classes count as leaves. */
export function mapDeep(value: unknown, replace: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapDeep(item, replace));
  if (!isPlain(value)) return replace(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapDeep(inner, replace)]));
}

/** Whether a value is a map, and not a list or an instance of a class. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

/** Whether a value is not set. The service shows null where a user writes "", [], false or nothing. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/**
 * Whether two values are equivalent. Values that are not set are equal. Within nested values, only null counts as not set,
 * because `false` may switch something off there.
 */
export function isSameValue(a: unknown, b: unknown, orderFree = false): boolean {
  if (isBlank(a) && isBlank(b)) return true;
  if (orderFree && Array.isArray(a) && Array.isArray(b)) return isSameNested(sortItems(a), sortItems(b));
  // A port is a text for the service and may be a number for the user.
  if (typeof a === "number" && typeof b === "string") return String(a) === b;
  if (typeof a === "string" && typeof b === "number") return a === String(b);
  return isSameNested(a, b);
}

/**
 * Whether two declared values of an argument are equivalent. An omitted argument differs from any declared value, unless
 * the argument has a default.
 */
export function isSameDeclared(a: unknown, b: unknown, initial?: unknown, orderFree = false): boolean {
  const [one, other] = [a ?? initial ?? a, b ?? initial ?? b];
  if (one === undefined || other === undefined) return one === other;
  return isSameValue(one, other, orderFree);
}

/** Whether both values are not set, so that a change from one to the other only changes the declaration. */
export function areBothBlank(a: unknown, b: unknown): boolean {
  return isBlank(a) && isBlank(b);
}

/** Whether two nested values are equal. A key with null equals a missing one (spec, General conventions). */
export function isSameNested(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(withoutNulls(a), withoutNulls(b));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function sortItems(items: readonly unknown[]): unknown[] {
  return items.map(withoutNulls).sort((a, b) => (stringifyStably(a) < stringifyStably(b) ? -1 : 1));
}

/** Removes the properties that are undefined. */
export function pickDefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** Returns JSON that does not depend on the order of keys, so that equal values have equal texts. */
export function stringifyStably(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) => sortKeys(inner));
}

/** Returns a map with its keys in order; any other value as it is. */
export function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether two values are equal as JSON, with keys in any order. An absent value equals null. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return stringifyStably(a) === stringifyStably(b);
}
