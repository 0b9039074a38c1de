/** The arguments that a remote object has: what a declaration would have to say of it. */
import { z } from "zod";
import { ownableArgs } from "../definition/comparable.js";
import { argsFromParent } from "../definition/placement.js";
import type { Context } from "../definition/context.js";
import {
  argsSchema,
  managedArgs,
  variantOf,
  type Definition,
  type Fields,
  type RemoteObject,
  type Reference,
} from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { ServiceError } from "../../client/index.js";
import { mapReferences } from "../definition/reference-paths.js";
import { definitions } from "../resources/registry.js";
import { remoteValue, apiKeys } from "../definition/api-names.js";
import type { KnownNames } from "./known-names.js";

/** Every argument that the object shows, by name; references are still numbers. */
export function shownArgs(definition: Definition, remote: RemoteObject): Fields {
  const own = readable(definition, seenOfAll(definition, remote));
  const args = own.map((name) => [name, valueOf(definition, remote, name, own)] as const);
  return Object.fromEntries(args.filter(([, value]) => value !== undefined && value !== null));
}

/** Does what was read show all that the object could show? */
export function isComplete(definition: Definition, remote: RemoteObject): boolean {
  const seen = seenOfAll(definition, remote);
  if (definition.variants !== undefined && variantOf(definition, seen) === undefined) return false;
  const shape = argsSchema(definition, seen).shape as Readonly<Record<string, z.ZodType>>;
  const names = readable(definition, seen);
  // Of many kinds of objects in one list, each shows what it was given: what it must have tells a summary from the whole.
  const wanted = names.filter(
    (name) => definition.variants === undefined || !shape[name]?.safeParse(undefined).success,
  );
  return wanted.every((name) => {
    if (definition.apiFields[name]?.rest !== undefined)
      return Object.keys(valueOf(definition, remote, name, names) as Fields).length > 0;
    return apiKeys(definition, name, undefined).every((key) => key in remote);
  });
}

/** Values that tell which variant it is: where none that is described fits, the one that takes anything. */
function seenOfAll(definition: Definition, remote: RemoteObject): Fields {
  const seen = valuesOfAll(definition, remote);
  const variant = variantOf(definition, seen);
  const fits = Object.entries(variant?.args ?? {}).every(
    ([name, schema]) => !(schema instanceof z.ZodLiteral) || schema.safeParse(seen[name]).success,
  );
  if (variant !== undefined && fits) return seen;
  const rest = Object.keys(definition.apiFields).filter(
    (name) => definition.apiFields[name]?.rest !== undefined,
  );
  return { ...seen, ...Object.fromEntries(rest.map((name) => [name, {}])) };
}

/** Values of the arguments of all variants. */
function valuesOfAll(definition: Definition, remote: RemoteObject): Fields {
  const names = new Set(Object.keys(definition.args.shape));
  for (const variant of Object.values(definition.variants?.of ?? {}))
    for (const name of Object.keys(variant.args)) names.add(name);
  const values = [...names]
    .filter((name) => definition.apiFields[name]?.rest === undefined)
    .map((name) => [name, remoteValue(definition, remote, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}

/** The arguments that a remote object can tell: not what only its place says, what the service hides, or what has a list of its own. */
function readable(definition: Definition, shown: Fields): string[] {
  const skipped = new Set([
    ...argsFromParent(definition),
    ...definition.writeOnly(shown),
    ...ownableArgs(definition),
  ]);
  return managedArgs(definition, shown).filter((name) => !skipped.has(name));
}

function valueOf(
  definition: Definition,
  remote: RemoteObject,
  name: string,
  own: readonly string[],
): unknown {
  const facts = definition.apiFields[name]?.rest;
  if (facts === undefined) return remoteValue(definition, remote, name);
  // What another argument cannot say (an integration without a number, say) stays among the rest.
  const others = own.filter(
    (other) => other !== name && (remoteValue(definition, remote, other) ?? undefined) !== undefined,
  );
  const told = new Set([
    ...facts,
    ...others.flatMap((other) => apiKeys(definition, other, undefined)),
    ...Object.values(definition.outputs).flatMap(({ apiName }) => apiName ?? []),
  ]);
  const rest = Object.entries(remote).filter(([key, value]) => !told.has(key) && value !== null);
  return Object.fromEntries(rest.map(([key, value]) => [key, withoutAddresses(value)]));
}

/** Objects of the service's own, which it shows with their two addresses: nobody can set these, and elsewhere they are wrong. */
function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (typeof value !== "object" || value === null) return value;
  const { url, html_url: page, ...rest } = value as Fields;
  const shown = typeof url === "string" && typeof page === "string" ? rest : value;
  return Object.fromEntries(Object.entries(shown).map(([key, inner]) => [key, withoutAddresses(inner)]));
}

/** The arguments with names in place of numbers, where one name is one object. */
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
    const names = await namesOf(reference, context, state);
    named[arg] = mapReferences(reference, args[arg], (inner, value) => {
      const id = Number(value);
      return names.get(id) ?? known.get(inner.to)?.get(id) ?? value;
    });
  }
  return named;
}

async function namesOf(
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
    // A number says the same, where nobody may know the name.
    if (error instanceof ProviderError || error instanceof ServiceError) return new Map();
    throw error;
  }
}
