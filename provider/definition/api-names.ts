/** Between the user's camelCase and the service's snake_case. Only top-level names are translated: nested views are the service's. */
import type { Definition, Fields, Live, WireField } from "./definition.js";
import { reduceShown, type Reduced, type Written } from "./nested.js";
import { sameValue } from "../../diff/values.js";

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

/** Keys by which a live object tells that it carries an argument; none for one that only stands in the path. */
export function wireKeys(definition: Definition, name: string, declared: unknown): readonly string[] {
  const field = wireField(definition, name);
  if (field.keys) return field.keys(declared);
  return field.from ? [] : [snakeCase(name)];
}

/** The live value of an argument; undefined when the object does not carry it. */
export function liveValue(definition: Definition, live: Live, name: string, declared?: unknown): unknown {
  const field = wireField(definition, name);
  return field.from ? field.from(live, declared) : live[snakeCase(name)];
}

/** The same, where null says that nothing is set; undefined only when the object does not carry the argument. */
export function shownValue(definition: Definition, live: Live, name: string, declared: unknown): unknown {
  const value = liveValue(definition, live, name, declared);
  if (value !== undefined) return value;
  const keys = wireKeys(definition, name, declared);
  return keys.length > 0 && keys.every((key) => live[key] === null) ? null : undefined;
}

/** The outputs that a live object carries. */
export function liveOutputs(definition: Definition, live: Live): Fields {
  const outputs: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definition.outputs)) {
    if (field.wire !== undefined && live[field.wire] !== undefined) outputs[name] = live[field.wire];
  }
  return outputs;
}

/** A live value reduced to what somebody changed in it; the declared value itself where both mean the same. */
export function project(
  definition: Definition,
  name: string,
  declared: unknown,
  live: unknown,
  written: Written = { known: false, form: null },
  whole: boolean = true,
): Reduced {
  const { value, left } = reduceShown(definition.nested[name] ?? "whole", declared, live, written, whole);
  const isSame = sameValue(declared, value, definition.sets.includes(name));
  return { value: isSame ? declared : value, left };
}
