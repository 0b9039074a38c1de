/** Plants faults in workspace files, as they are made when a file is written by hand. */
import type { Random } from "../chaos/random.js";

type Node = Record<string, unknown> | unknown[];
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** A document with one fault, and where it is. */
export interface Planted {
  readonly fault: string;
  readonly document: unknown;
}

interface Place {
  readonly holder: Node;
  readonly key: string;
  readonly path: string;
}

function* listPlaces(holder: Node, path = ""): Generator<Place> {
  for (const [key, value] of Object.entries(holder)) {
    const at = `${path}/${key}`;
    yield { holder, key, path: at };
    if (isNode(value)) yield* listPlaces(value, at);
  }
}

/** Other values than a value of the kind, as people write them by mistake. */
const SLIPS: readonly ((value: unknown) => unknown)[] = [
  (value) => (typeof value === "string" ? `${value.slice(0, 1)}${value}` : String(value)),
  () => 17,
  () => -1,
  () => true,
  () => "",
  () => null,
  () => [],
  () => ({}),
  (value) => [value],
  (value) => ({ value }),
];

/** Misspells a key, adds one, removes one, or writes another value. */
export function plantFault(original: unknown, random: Random): Planted {
  const document = structuredClone(original) as Node;
  const { holder, key, path } = random.pick([...listPlaces(document)]);
  const values = holder as Record<string, unknown>;
  const kind = random.pick(["misspelled", "added", "removed", "slip", "slip", "slip"] as const);
  if (kind === "added" && isNode(values[key]) && !Array.isArray(values[key])) {
    values[key]["colour"] = "red";
    return { fault: `${path}/colour is added`, document };
  }
  if (kind === "removed" || kind === "misspelled") {
    const value = values[key];
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else {
      delete values[key];
      if (kind === "misspelled") values[`${key}s`] = value;
    }
    return { fault: `${path} is ${kind}`, document };
  }
  values[key] = random.pick(SLIPS)(values[key]);
  return { fault: `${path} is ${JSON.stringify(values[key])}`, document };
}
