/** Between the user's camelCase and the service's snake_case. Only top-level names are translated: nested views are the service's. */
import type { Definition, Fields, Live, WireField } from "./definition.js";
import { sameValue } from "./values.js";

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A request body with the named arguments. A cleared value is sent as null: the service refuses an empty one. */
export function toWire(
  definition: Definition,
  args: Fields,
  names: readonly string[],
  creating: boolean,
): Fields {
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const value = args[name];
    if (creating && (value === undefined || value === null || value === "")) continue;
    Object.assign(
      body,
      wireField(definition, name).to(value === "" || value === undefined ? null : value, creating),
    );
  }
  return body;
}

/** Arguments as they are sent: references by their resolved ids. */
export function sendable(definition: Definition, at: Fields): Fields {
  const sent: Record<string, unknown> = { ...at };
  for (const [name, { into }] of Object.entries(definition.references)) {
    if (into !== undefined && at[name] !== undefined && at[name] !== null) sent[name] = at[into];
  }
  return sent;
}

function wireField(definition: Definition, name: string): WireField {
  return definition.wire[name] ?? { to: (value) => ({ [snakeCase(name)]: value }) };
}

/** Key by which a live object tells that it carries an argument. */
export function wireKey(definition: Definition, name: string): string {
  return wireField(definition, name).key ?? snakeCase(name);
}

/** Does the service show the argument in the object, or does it only stand in the path? */
export function isShown(definition: Definition, name: string): boolean {
  const field = definition.wire[name];
  return field?.from === undefined || field.key !== undefined;
}

/** The live value of an argument; undefined when the object does not carry it. */
export function liveValue(definition: Definition, live: Live, name: string): unknown {
  const field = wireField(definition, name);
  return field.from ? field.from(live) : live[wireKey(definition, name)];
}

/** The outputs that a live object carries. */
export function liveOutputs(definition: Definition, live: Live): Fields {
  const outputs: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definition.outputs)) {
    if (field.wire !== undefined && live[field.wire] !== undefined) outputs[name] = live[field.wire];
  }
  return outputs;
}

/**
 * A live value reduced to what the declared one speaks of, so that what the service adds inside a nested view is no
 * change. Returns the declared value itself where both mean the same.
 */
export function project(declared: unknown, live: unknown, orderFree: boolean): unknown {
  const seen = reduce(declared, live);
  return sameValue(declared, seen, orderFree) ? declared : seen;
}

function reduce(declared: unknown, live: unknown): unknown {
  if (Array.isArray(declared) && Array.isArray(live)) {
    return live.map((item, i) => (i < declared.length ? reduce(declared[i], item) : (item as unknown)));
  }
  if (!isRecord(declared) || !isRecord(live)) return live;
  const keys = Object.keys(declared);
  if (keys.length === 0) return live;
  return Object.fromEntries(
    keys.filter((key) => key in live).map((key) => [key, reduce(declared[key], live[key])]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
