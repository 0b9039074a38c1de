/** Changes what a file says, one step at a time, as somebody would who can edit it between two jobs. */
import { isDeepStrictEqual } from "node:util";

export interface Forgery {
  /** What was done, for messages. */
  readonly what: string;
  readonly value: unknown;
}

/** Other values of the same type, among them those that a reader may take for a default. */
const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  string: ["", "nothing", "other", "sha256:0", "2099-01-01T00:00:00.000Z", "__proto__"],
  number: [0, -1, 1e9, 0.5],
  boolean: [true, false],
  object: [null, {}, []],
  undefined: [],
};

type Path = readonly (string | number)[];

/**
 * Returns each single forgery of a value: every part of it changed, removed, doubled, and exchanged with every other part of the same
 * name or the same list.
 */
export function* forge(value: unknown): Generator<Forgery> {
  const parts = [...listParts(value, [])];
  for (const [path, part] of parts) {
    const at = path.join(".");
    for (const other of OTHERS[typeof part] ?? [])
      if (other !== part)
        yield { what: `${at} = ${JSON.stringify(other)}`, value: withPart(value, path, () => other) };
    yield { what: `without ${at}`, value: withPart(value, path, undefined) };
    if (typeof path.at(-1) === "number") yield { what: `${at} twice`, value: double(value, path) };
  }
  for (const [path, part] of parts)
    for (const [other, found] of parts) {
      const isAlike = path.length === other.length && path.join() < other.join() && canSwap(path, other);
      if (isAlike && !isDeepStrictEqual(part, found))
        yield {
          what: `${path.join(".")} <-> ${other.join(".")}`,
          value: withPart(
            withPart(value, path, () => found),
            other,
            () => part,
          ),
        };
    }
}

function canSwap(one: Path, other: Path): boolean {
  return one.at(-1) === other.at(-1) || one.slice(0, -1).join() === other.slice(0, -1).join();
}

function* listParts(value: unknown, at: Path): Generator<readonly [Path, unknown]> {
  if (typeof value !== "object" || value === null) return;
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  for (const key of keys) {
    const part = (value as Record<string | number, unknown>)[key];
    yield [[...at, key], part];
    yield* listParts(part, [...at, key]);
  }
}

function withPart(value: unknown, [key = "", ...rest]: Path, change: (() => unknown) | undefined): unknown {
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length > 0) copy[key] = withPart(copy[key], rest, change);
  else if (change !== undefined) copy[key] = change();
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}

function double(value: unknown, path: Path): unknown {
  return withPart(value, path.slice(0, -1), () => {
    const list = path
      .slice(0, -1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value) as unknown[];
    return [...list, list[Number(path.at(-1))]];
  });
}
