/** Fills in ids that a preview does not know, from the objects that the simulated service has created. */
import type { Definition, Fields } from "../../definition/definition.js";
import { UNKNOWN } from "../../../diff/values.js";

/** An object that the simulated service has created. */
export interface SimulatedObject {
  readonly type: string;
  readonly number: unknown;
}

/**
 * Fills in every unknown value of the arguments. A reference gets the object's parent if that is new, otherwise the nearest new
 * objects of the type, one after the other.
 */
export function filled(
  definition: Definition,
  name: string,
  args: Fields,
  made: ReadonlyMap<string, SimulatedObject>,
  newNumber: () => number,
): Fields {
  const entries = Object.entries(args).map(([arg, value]) => {
    const reference = definition.references[arg];
    const near = reference ? candidates(reference.to, name, made) : [];
    return [arg, fill(value, () => near.shift() ?? newNumber())] as const;
  });
  return Object.fromEntries(entries);
}

function candidates(type: string, name: string, made: ReadonlyMap<string, SimulatedObject>): unknown[] {
  const found = [...made].filter(([, one]) => one.type === type);
  const parent = found.filter(([other]) => name.startsWith(`${other}/`));
  const beside = found.filter(([other]) => common(other, name) >= name.split("/").length - 1);
  return (parent.length > 0 ? parent : beside).map(([, { number }]) => number);
}

function common(one: string, other: string): number {
  const parts = other.split("/");
  const differs = one.split("/").findIndex((part, index) => part !== parts[index]);
  return differs < 0 ? parts.length : differs;
}

function fill(value: unknown, next: () => unknown): unknown {
  if (value === UNKNOWN) return next();
  if (Array.isArray(value)) return value.map((item) => fill(item, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, next)]));
}
