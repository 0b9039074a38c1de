/** Adds objects that a killed run created to a state, as the engine would have written them. */
import { randomUUID } from "node:crypto";
import { buildStackUrn } from "../../components/urn.js";
import { asSecret } from "../../diff/values.js";
import { buildCommonInputs, getPulumiType, parsePulumiType, providerPackage } from "../../provider/index.js";
import type { Interrupted } from "../../recovery/journal.js";
import { parseTypeOfUrn } from "../urn.js";
import { type Deployment, listReferredBy, mapReferredUrns, type StateEntry } from "./state.js";

export interface State {
  readonly deployment: Deployment;
}

/** The entry of an object that a killed run was about to create. */
export function createEntry({ urn, type, inputs, secrets, options }: Interrupted): StateEntry {
  const { engine = "dynamic" } = parsePulumiType(parseTypeOfUrn(urn)) ?? {};
  const [prefix, project] = urn.split("::") as [string, string];
  const parent = buildStackUrn(project, prefix.slice("urn:pulumi:".length));
  const providerType = `pulumi:providers:${providerPackage[engine]}`;
  return {
    urn,
    custom: true,
    type: getPulumiType(type, engine),
    inputs: { ...withSecrets(inputs, secrets), ...buildCommonInputs(type, engine) },
    parent,
    ...options,
    provider: `${prefix}::${project}::${providerType}::default`,
  };
}

/** Marks inputs as secret whose values were not stored, so that the values read for them are encrypted too. */
function withSecrets(inputs: Readonly<Record<string, unknown>>, secrets: readonly string[]): object {
  const unknown = { ...(asSecret("") as object), value: undefined, plaintext: "null" };
  return { ...inputs, ...Object.fromEntries(secrets.map((name) => [name, unknown])) };
}

/** Adds entries, with the stack and the default provider that the engine creates before any object. */
export function withEntries(resources: readonly StateEntry[], added: readonly StateEntry[]): StateEntry[] {
  const urns = new Set(added.map(({ urn }) => urn));
  const all = resources.flatMap((one) => withoutReplaced(one, urns));
  for (const entry of added) {
    const { parent, provider = "" } = entry;
    if (parent !== undefined && !all.some(({ urn }) => urn === parent))
      all.unshift({ urn: parent, custom: false, type: parseTypeOfUrn(parent) });
    const now = new Date().toISOString();
    all.push({ created: now, modified: now, ...entry, provider: requireReference(provider, all) });
  }
  return sortByDependency(all);
}

/** Handles the object that a created one replaces: already deleted, or still to be deleted. */
function withoutReplaced(resource: StateEntry, made: ReadonlySet<string>): StateEntry[] {
  if (!made.has(resource.urn) || resource.delete === true) return [resource];
  return resource.pendingReplacement === true ? [] : [{ ...resource, delete: true }];
}

/** Refers to a provider of the state, which is added if there is none. The name of a default one may contain a version. */
function requireReference(provider: string, all: StateEntry[]): string {
  if (all.some(({ urn, id }) => `${urn}::${id}` === provider)) return provider;
  const isIt = ({ urn, delete: gone }: StateEntry) =>
    !gone && (urn === provider || urn.startsWith(`${provider}_`));
  let entry = all.find(isIt);
  if (entry === undefined) {
    entry = {
      urn: provider,
      custom: true,
      id: randomUUID(),
      type: parseTypeOfUrn(provider),
      inputs: {},
      outputs: {},
    };
    all.push(entry);
  }
  return `${entry.urn}::${entry.id ?? ""}`;
}

/** Sorts objects after those that they refer to and drops references to missing ones, because the engine accepts no other state. */
export function sortByDependency(resources: readonly StateEntry[]): StateEntry[] {
  const byUrn = new Map<string, StateEntry[]>();
  for (const one of resources) byUrn.set(one.urn, [...(byUrn.get(one.urn) ?? []), one]);
  const ordered: StateEntry[] = [];
  const visited = new Set<StateEntry>();
  const visit = (one: StateEntry): void => {
    if (visited.has(one)) return;
    visited.add(one);
    for (const urn of listReferredBy(one)) for (const other of byUrn.get(urn) ?? []) visit(other);
    ordered.push(mapReferredUrns(one, (urn) => (byUrn.has(urn) ? urn : undefined)));
  };
  for (const one of resources) visit(one);
  return ordered;
}
