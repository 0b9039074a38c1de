/**
 * Rewrites a state for the other engine: types, URNs, providers, and the text by which dynamic providers find their code. The objects
 * and their values do not change, including encrypted ones.
 */
import {
  buildCommonInputs,
  type Fields,
  getPulumiType,
  parsePulumiType,
  PROVIDER_KEY,
  type ProviderEngine,
  providerPackage,
} from "../../provider/index.js";
import { type Deployment, mapReferredUrns, type StateEntry } from "./state.js";

interface Migration<D> {
  readonly deployment: D;
  /** Number of objects that were migrated. */
  readonly objects: number;
}

/** @param deployment of `pulumi stack export`, without pending operations */
export function migrateState<D extends Deployment>(deployment: D, to: ProviderEngine): Migration<D> {
  const { resources = [] } = deployment;
  const moved = resources.filter(({ type }) => isOther(type, to));
  const left = resources.filter((resource) => !moved.includes(resource));
  const providers = new Map<string, string>();
  const used = new Set(moved.map(({ provider }) => provider));
  const kept = new Set(left.map(({ provider }) => provider));
  const urns = new Map(moved.map(({ urn }) => [urn, convertUrn(urn, to)]));
  const taken = new Set(resources.map(({ urn }) => urn));

  const migrated = resources.flatMap((resource): StateEntry[] => {
    const reference = `${resource.urn}::${resource.id}`;
    if (!used.has(reference)) return [convertResource(resource, to, urns, providers)];
    const provider = convertProvider(resource, to);
    const existing = resources.find(({ urn }) => urn === provider.urn);
    providers.set(reference, `${provider.urn}::${existing?.id ?? provider.id}`);
    return [...(kept.has(reference) ? [resource] : []), ...(taken.has(provider.urn) ? [] : [provider])];
  });
  return { deployment: { ...deployment, resources: migrated }, objects: moved.length };
}

function isOther(type: string, to: ProviderEngine): boolean {
  const own = parsePulumiType(type);
  return own !== undefined && own.engine !== to;
}

/** A URN names the types of all parents as well. */
function convertUrn(urn: string, to: ProviderEngine): string {
  const [stack = "", project = "", types = "", ...name] = urn.split("::");
  return [
    stack,
    project,
    types
      .split("$")
      .map((type) => convertType(type, to))
      .join("$"),
    ...name,
  ].join("::");
}

function convertType(type: string, to: ProviderEngine): string {
  const own = parsePulumiType(type);
  return own === undefined ? type : getPulumiType(own.type, to);
}

function convertResource(
  resource: StateEntry,
  to: ProviderEngine,
  urns: Map<string, string>,
  providers: ReadonlyMap<string, string>,
): StateEntry {
  const own = isOther(resource.type, to) ? parsePulumiType(resource.type) : undefined;
  const mapped = (urn: string) => urns.get(urn) ?? convertUrn(urn, to);
  const changed = { ...mapReferredUrns(resource, mapped), urn: mapped(resource.urn) };
  if (own === undefined) return changed;
  const { inputs, outputs, provider = "" } = resource;
  const values = (given: Fields) => {
    const { [PROVIDER_KEY]: _text, ...rest } = given;
    return { ...rest, ...buildCommonInputs(own.type, to) };
  };
  return {
    ...changed,
    type: getPulumiType(own.type, to),
    ...(inputs && { inputs: values(inputs) }),
    ...(outputs && { outputs: values(outputs) }),
    ...(resource.provider === undefined ? {} : { provider: providers.get(provider) ?? provider }),
  };
}

const DEFAULT = "default";

function isDefault(urn: string): boolean {
  return new RegExp(`::${DEFAULT}(_[^:]*)?$`).test(urn);
}

/** Converts a provider to one of the other engine with the same settings. A default provider of Pulumi gets its settings from the stack. */
function convertProvider(resource: StateEntry, to: ProviderEngine): StateEntry {
  const type = `pulumi:providers:${providerPackage[to]}`;
  const [stack = "", project = "", types = "", ...rest] = resource.urn.split("::");
  const name = isDefault(resource.urn) ? DEFAULT : rest.join("::");
  const urn = [stack, project, [...types.split("$").slice(0, -1), type].join("$"), name].join("::");
  const { inputs = {}, outputs = {} } = resource;
  const settings = (values: Fields) => (isDefault(resource.urn) ? {} : convertSettings(values, to));
  return { ...resource, type, urn, inputs: settings(inputs), outputs: settings(outputs) };
}

const NAMESPACE = `${providerPackage.plugin}:`;

/** Renames settings: the plugin has them under their own names, and dynamic providers under the keys of a stack's configuration. */
function convertSettings(values: Fields, to: ProviderEngine): Fields {
  const entries = Object.entries(values).filter(([name]) => name !== "version");
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (to === "dynamic") return [name.includes(":") ? name : `${NAMESPACE}${name}`, value];
      return [name.startsWith(NAMESPACE) ? name.slice(NAMESPACE.length) : name, value];
    }),
  );
}
