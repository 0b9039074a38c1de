/** Converts a remote object to the arguments that a declaration of it would have. */
import { z } from "zod";
import { ServiceError } from "../../client/index.js";
import { listApiKeys, readRemoteValue } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import {
  type Definition,
  type Fields,
  getArgsShape,
  getVariant,
  isOptional,
  type Reference,
  type RemoteObject,
} from "../../resources/definition/definition.js";
import { mapReferences } from "../../resources/definition/reference-paths.js";
import { listReadableArgs } from "../../resources/definition/which-arguments.js";
import { ProviderError } from "../../resources/errors.js";
import type { KnownNames } from "./known-names.js";

/** Every argument that the object shows, by name. References are ids. */
export function readShownArgs(definition: Definition, remote: RemoteObject): Fields {
  const own = listReadableArgs(definition, readVariantValues(definition, remote));
  const args = own.map((name) => [name, readValue(definition, remote, name, own)] as const);
  return Object.fromEntries(args.filter(([, value]) => value !== undefined && value !== null));
}

/** Whether the object shows every argument that the service can show of it. */
export function isComplete(definition: Definition, remote: RemoteObject): boolean {
  const shown = readVariantValues(definition, remote);
  if (definition.variants !== undefined && getVariant(definition, shown) === undefined) return false;
  const shape = getArgsShape(definition, shown);
  const names = listReadableArgs(definition, shown);
  // An object with variants only shows what it was given: its required arguments distinguish it from a summary.
  const needed = names.filter((name) => definition.variants === undefined || !isOptional(shape[name]));
  return needed.every((name) => {
    if (definition.apiFields[name]?.rest !== undefined)
      return Object.keys(readValue(definition, remote, name, names) as Fields).length > 0;
    return listApiKeys(definition, name, undefined).every((key) => key in remote);
  });
}

/** The values that choose the variant of a remote object. Where no known variant fits, they choose the one that takes any fields. */
function readVariantValues(definition: Definition, remote: RemoteObject): Fields {
  const values = readAllValues(definition, remote);
  const variant = getVariant(definition, values);
  const fits = Object.entries(variant?.args ?? {}).every(
    ([name, schema]) => !(schema instanceof z.ZodLiteral) || schema.safeParse(values[name]).success,
  );
  if (variant !== undefined && fits) return values;
  const rest = Object.keys(definition.apiFields).filter(
    (name) => definition.apiFields[name]?.rest !== undefined,
  );
  return { ...values, ...Object.fromEntries(rest.map((name) => [name, {}])) };
}

/** The values of the arguments of all variants. */
function readAllValues(definition: Definition, remote: RemoteObject): Fields {
  const names = new Set(Object.keys(definition.args.shape));
  for (const name of definition.clientOnly) names.delete(name);
  for (const variant of Object.values(definition.variants?.of ?? {}))
    for (const name of Object.keys(variant.args)) names.add(name);
  const values = [...names]
    .filter((name) => definition.apiFields[name]?.rest === undefined)
    .map((name) => [name, readRemoteValue(definition, remote, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}

function readValue(
  definition: Definition,
  remote: RemoteObject,
  name: string,
  own: readonly string[],
): unknown {
  const readOnly = definition.apiFields[name]?.rest;
  if (readOnly === undefined) return readRemoteValue(definition, remote, name);
  // A field that its own argument cannot represent, such as an integration without an id, stays among the rest.
  const others = own.filter(
    (other) => other !== name && (readRemoteValue(definition, remote, other) ?? undefined) !== undefined,
  );
  const known = new Set([
    ...readOnly,
    ...others.flatMap((other) => listApiKeys(definition, other, undefined)),
    ...Object.values(definition.outputs).flatMap(({ apiName }) => apiName ?? []),
  ]);
  const rest = Object.entries(remote).filter(([key, value]) => !known.has(key) && value !== null);
  return Object.fromEntries(rest.map(([key, value]) => [key, withoutAddresses(value)]));
}

/** Removes the two addresses that the service adds to its objects: they cannot be set, and are wrong in another workspace. */
function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (typeof value !== "object" || value === null) return value;
  const { url, html_url: page, ...rest } = value as Fields;
  const shown = typeof url === "string" && typeof page === "string" ? rest : value;
  return Object.fromEntries(Object.entries(shown).map(([key, inner]) => [key, withoutAddresses(inner)]));
}

/** Replaces ids by names, where a name is unique. */
export async function withNames(
  definition: Definition,
  context: Context,
  state: Fields,
  args: Fields,
  known: KnownNames = new Map(),
): Promise<Fields> {
  const named: Record<string, unknown> = { ...args };
  for (const [arg, reference] of Object.entries(definition.references)) {
    if (args[arg] === undefined) continue;
    const names = await readNames(reference, context, state);
    named[arg] = mapReferences(reference, args[arg], (inner, value) => {
      const id = Number(value);
      return names.get(id) ?? known.get(inner.to)?.get(id) ?? value;
    });
  }
  return named;
}

async function readNames(
  { lookup }: Reference,
  context: Context,
  state: Fields,
): Promise<ReadonlyMap<number, string>> {
  try {
    const all = (await lookup?.(context, state)) ?? [];
    const times = new Map<unknown, number>();
    for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
    const unique = all.filter(({ name }) => typeof name === "string" && times.get(name) === 1);
    return new Map(unique.map(({ id, name }) => [id, name as string]));
  } catch (error) {
    // Where the names cannot be read, the ids stay.
    if (error instanceof ProviderError || error instanceof ServiceError) return new Map();
    throw error;
  }
}
