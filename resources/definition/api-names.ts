/** Translates between the user's camelCase and the service's snake_case. Only top-level names: nested views are the service's. */
import { z } from "zod";
import type { Behavior } from "../../assumptions/behavior.js";
import { isSameValue } from "../../diff/values.js";
import { getSpelling } from "./argument-spelling.js";
import {
  type ApiField,
  type Definition,
  type Fields,
  getArgsSchema,
  type RemoteObject,
} from "./definition.js";
import { type Reduced, reduceShown, type WrittenForm } from "./nested.js";
import { isSameSpelling } from "./spelling.js";

/** The names of arguments in the service's spelling. Each is asked for with every object. */
const snakeCase = new Map<string, string>();

export function toSnakeCase(name: string): string {
  const known = snakeCase.get(name);
  if (known !== undefined) return known;
  const converted = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeCase.set(name, converted);
  return converted;
}

/**
 * A request body with the named arguments. A cleared value is sent as null, because the service refuses an empty one.
 * @param clearedBy a text may be cleared by an empty one instead
 */
export function requestBody(
  definition: Definition,
  args: Fields,
  names: readonly string[],
  creating: boolean,
  clearedBy: Behavior["clearedBy"] = "null",
): Fields {
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const value = args[name];
    if (creating && (value === undefined || value === null || value === "")) continue;
    const isCleared = value === "" || value === undefined || value === null;
    const cleared = clearedBy === "empty" && isText(getArgsSchema(definition, args).shape[name]) ? "" : null;
    Object.assign(body, findApiField(definition, name).to(isCleared ? cleared : value, creating));
  }
  return body;
}

function isText(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return isText(schema.unwrap());
  return schema instanceof z.ZodString;
}

/** Arguments as they are sent, with the ids of references. */
export function convertToSent(definition: Definition, state: Fields): Fields {
  const sent: Record<string, unknown> = { ...state };
  for (const [name, { idOutput }] of Object.entries(definition.references)) {
    if (idOutput !== undefined && state[name] !== undefined && state[name] !== null)
      sent[name] = state[idOutput];
  }
  return sent;
}

function findApiField(definition: Definition, name: string): ApiField {
  return definition.apiFields[name] ?? { to: (value) => ({ [toSnakeCase(name)]: value }) };
}

/** Keys of a remote object that has an argument; none for an argument that is only part of the path. */
export function listApiKeys(definition: Definition, name: string, declared: unknown): readonly string[] {
  const field = findApiField(definition, name);
  if (field.keys) return field.keys(declared);
  return field.from ? [] : [toSnakeCase(name)];
}

/** The remote value of an argument; undefined when the object does not have it. */
export function readRemoteValue(
  definition: Definition,
  remote: RemoteObject,
  name: string,
  declared?: unknown,
): unknown {
  return createReader(definition, name)(remote, declared);
}

/** The same, for many objects. */
export function createReader(
  { apiFields }: Definition,
  name: string,
): (remote: RemoteObject, declared?: unknown) => unknown {
  const from = apiFields[name]?.from;
  if (from) return from;
  const key = toSnakeCase(name);
  return (remote) => remote[key];
}

/** The same; null when nothing is set, undefined only when the object does not have the argument. */
export function readShownValue(
  definition: Definition,
  remote: RemoteObject,
  name: string,
  declared: unknown,
): unknown {
  const value = readRemoteValue(definition, remote, name, declared);
  if (value !== undefined) return value;
  const keys = listApiKeys(definition, name, declared);
  return keys.length > 0 && keys.every((key) => remote[key] === null) ? null : undefined;
}

/** The outputs in a remote object. */
export function readRemoteOutputs(definition: Definition, remote: RemoteObject): Fields {
  const outputs: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definition.outputs)) {
    if (field.apiName !== undefined && remote[field.apiName] !== undefined)
      outputs[name] = remote[field.apiName];
  }
  return outputs;
}

/** A remote value, reduced to what was changed in it; the declared value where both are equivalent. */
export function reduceRemote(
  definition: Definition,
  name: string,
  declared: unknown,
  remote: unknown,
  written: WrittenForm = { known: false, form: null },
  whole: boolean = true,
): Reduced {
  const { value, notCompared } = reduceShown(
    definition.nested[name] ?? "whole",
    declared,
    remote,
    written,
    whole,
  );
  const isSame =
    isSameValue(declared, value, definition.sets.includes(name)) ||
    isSameSpelling(getSpelling(definition, name), declared, value);
  return { value: isSame ? declared : value, notCompared };
}
