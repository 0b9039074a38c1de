/**
 * `ignoreChanges`: paths of properties whose changes are ignored, as Pulumi writes and applies them. Before two values are
 * compared, the ignored parts of one are replaced by those of the other.
 */
import type { PropertyPath } from "./structural-diff.js";
import { isPlain } from "./values.js";

/** Matches every key of a map, or every index of a list. */
const EVERY = "*";

/** Parses a path such as `variables["a.b"]`, `headers[0].value` or `variables.*`; undefined when it is none. */
export function parseIgnoredPath(text: string): PropertyPath | undefined {
  const steps: (string | number)[] = [];
  let rest = text;
  while (rest !== "") {
    const [whole, name, index, quoted] = STEP.exec(rest) ?? [];
    if (whole === undefined || (steps.length === 0 && (name === undefined || rest.startsWith("."))))
      return undefined;
    if (steps.length > 0 && name !== undefined && !rest.startsWith(".")) return undefined;
    steps.push(
      name ??
        (quoted === undefined ? (index === EVERY ? EVERY : Number(index)) : quoted.replaceAll('\\"', '"')),
    );
    rest = rest.slice(whole.length);
  }
  return steps.length === 0 ? undefined : steps;
}

const STEP = /^(?:\.?([^.[\]"]+)|\[(\d+|\*)\]|\["((?:[^"\\]|\\")+)"\])/;

/** Returns a value with its ignored parts replaced by those of another version of it. Paths that Pulumi cannot follow change nothing. */
export function withIgnored<T>(value: T, from: unknown, paths: readonly string[]): T {
  return paths.reduce((now: unknown, path) => reset(now, from, parseIgnoredPath(path) ?? []), value) as T;
}

function reset(value: unknown, from: unknown, [step, ...rest]: PropertyPath): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value) && Array.isArray(from)) return resetItems(value, from, step, rest);
  if (!isPlain(value) || !isPlain(from) || typeof step === "number") return value;
  const keys = step === EVERY ? [...new Set([...Object.keys(value), ...Object.keys(from)])] : [step];
  const entries = new Map(Object.entries(value));
  for (const key of keys) {
    const [has, hasFrom] = [Object.hasOwn(value, key), Object.hasOwn(from, key)];
    if (rest.length > 0) {
      if (has && hasFrom) entries.set(key, reset(value[key], from[key], rest));
    } else if (hasFrom) entries.set(key, from[key]);
    else entries.delete(key);
  }
  return Object.fromEntries(entries);
}

/** A list keeps its length, so an item that only one version has is not ignored. */
function resetItems(
  items: readonly unknown[],
  from: readonly unknown[],
  step: string | number,
  rest: PropertyPath,
): unknown[] {
  return items.map((item, index) => {
    if ((step !== EVERY && step !== index) || index >= from.length) return item;
    return rest.length === 0 ? from[index] : reset(item, from[index], rest);
  });
}

/** An object of which some properties are ignored. */
export interface NotWatched {
  /** Resource type. */
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  readonly paths: string[];
}
