/**
 * Property paths as Pulumi's engine reads, writes and follows them: those of `ignoreChanges`, and of the differences that a provider
 * returns. There is no library for Node.js, so a test holds this to the examples of Pulumi's own tests.
 * @see https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/properties_path.go
 */
import type { PropertyPath } from "./structural-diff.js";
import { isPlain } from "./values.js";

/** Matches every key of a map, or every index of a list. */
export const EVERY = "*";

/** A name, an index, `*`, or a quoted key. A point before a bracket is tolerated, as several points are. */
const STEP = /^\.*(?:([^.[]+)|\[(?:([+-]?\d+)|(\*))\]|\["((?:\\"|[^"\\]|\\(?!"))*)"\])/;

/** Parses a path such as `variables["a.b"]`, `headers[0].value` or `variables.*`; undefined when it is none. */
export function parsePropertyPath(text: string): PropertyPath | undefined {
  if (text.startsWith(".")) return undefined;
  const steps: (string | number)[] = [];
  for (let rest = text; rest !== "";) {
    const [whole, name, index, every, quoted] = STEP.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    steps.push(
      index === undefined ? (name ?? every ?? (quoted as string).replaceAll('\\"', '"')) : Number(index),
    );
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** Writes a path: `headers[0].value`. A key that is not a word is in brackets. Only quotes are escaped. */
export function formatPropertyPath(path: PropertyPath): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (/^\w+$/.test(step)) return index === 0 ? step : `.${step}`;
      return `["${step.replaceAll('"', '\\"')}"]`;
    })
    .join("");
}

/** A value, and whether the whole path could be followed. What could not be followed is unchanged. */
export interface ResetValue {
  readonly value: unknown;
  readonly isDone: boolean;
}

/** Replaces what a path names by what it names in another version of the value. */
export function resetProperty(value: unknown, from: unknown, [step, ...rest]: PropertyPath): ResetValue {
  if (step === undefined) return { value, isDone: false };
  if (step === EVERY) return resetEvery(value, from, rest);
  return typeof step === "number" ? resetItem(value, from, step, rest) : resetKey(value, from, step, rest);
}

function resetKey(value: unknown, from: unknown, key: string, rest: PropertyPath): ResetValue {
  const isLast = rest.length === 0;
  if (!isPlain(value)) return { value, isDone: !(isPlain(from) && (!isLast || Object.hasOwn(from, key))) };
  if (!isPlain(from)) return isLast ? { value: omit(value, key), isDone: true } : { value, isDone: false };
  const had = Object.hasOwn(from, key);
  if (isLast) return { value: had ? { ...value, [key]: from[key] } : omit(value, key), isDone: true };
  if (!Object.hasOwn(value, key)) return { value, isDone: !had };
  const part = resetProperty(value[key], had ? from[key] : undefined, rest);
  return { ...part, value: { ...value, [key]: part.value } };
}

/** A list keeps its length, so an item that only one version has is not replaced. */
function resetItem(value: unknown, from: unknown, index: number, rest: PropertyPath): ResetValue {
  if (index < 0) return { value, isDone: false };
  if (!Array.isArray(value) || !Array.isArray(from))
    return { value, isDone: Array.isArray(value) === Array.isArray(from) };
  const [has, had] = [index < value.length, index < from.length];
  if (!has || !had) return { value, isDone: rest.length === 0 && has === had };
  const part = resetOne(value[index], from[index], rest);
  return { ...part, value: value.with(index, part.value) };
}

function resetEvery(value: unknown, from: unknown, rest: PropertyPath): ResetValue {
  if (Array.isArray(value)) {
    if (!Array.isArray(from)) return { value, isDone: rest.length === 0 };
    const common = Math.min(value.length, from.length);
    const indexes = [...Array(common).keys()];
    const items = resetParts(indexes, (index) => resetOne(value[index], from[index], rest));
    return {
      value: value.map((item: unknown, index) => (items.parts.has(index) ? items.parts.get(index) : item)),
      isDone: items.isDone && value.length === from.length,
    };
  }
  if (!isPlain(value)) return { value, isDone: false };
  if (!isPlain(from)) return { value, isDone: rest.length === 0 };
  if (rest.length === 0) return { value: { ...from }, isDone: true };
  const entries = resetParts(Object.keys(from), (key) =>
    Object.hasOwn(value, key) ? resetProperty(value[key], from[key], rest) : undefined,
  );
  return { value: { ...value, ...Object.fromEntries(entries.parts) }, isDone: entries.isDone };
}

function resetOne(value: unknown, from: unknown, rest: PropertyPath): ResetValue {
  return rest.length === 0 ? { value: from, isDone: true } : resetProperty(value, from, rest);
}

/** Replaces one part after the other, and stops at the first that cannot be followed. */
function resetParts<K>(keys: readonly K[], resetPart: (key: K) => ResetValue | undefined) {
  const parts = new Map<K, unknown>();
  for (const key of keys) {
    const part = resetPart(key);
    if (part !== undefined) parts.set(key, part.value);
    if (part?.isDone !== true) return { parts, isDone: false };
  }
  return { parts, isDone: true };
}

function omit(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
