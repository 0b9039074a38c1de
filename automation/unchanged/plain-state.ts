/** Reads a state in which nothing is special: objects of a workspace file, one provider, and nothing unfinished. */
import { STACK_TYPE } from "../../components/urn.js";
import { type Fields, parsePulumiType } from "../../provider/index.js";
import type { Deployment, StateEntry } from "../stack/state.js";
import { findDefinitionAt } from "../urn.js";
import { Doubt, requireNoDoubt } from "./doubt.js";

/** An object in the state. */
export interface PlainEntry extends StateEntry {
  readonly id: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
}

export interface PlainState {
  readonly root: PlainEntry;
  readonly provider: PlainEntry;
  /** Their secrets are encrypted. */
  readonly objects: readonly PlainEntry[];
  /** What encrypts them. */
  readonly secretsProvider: unknown;
}

const PROVIDER_TYPE = "pulumi:providers:pulumi-nodejs";

/** What the engine keeps of an ordinary object. With anything else it does more than compare. */
const FIELDS = new Set([
  "urn",
  "custom",
  "id",
  "type",
  "inputs",
  "outputs",
  "parent",
  "provider",
  "dependencies",
  "propertyDependencies",
  "protect",
  "retainOnDelete",
  "created",
  "modified",
]);

/** @throws {Doubt} when anything is special */
export function readPlainState(deployment: Deployment | undefined): PlainState {
  const {
    resources = [],
    pending_operations: pending = [],
    secrets_providers: secretsProvider,
    metadata,
  } = (deployment ?? {}) as Deployment & { readonly metadata?: object };
  requireNoDoubt(pending.length === 0, "an operation is pending");
  requireNoDoubt(Object.keys(metadata ?? {}).length === 0, "Pulumi has noted something about the state");
  const [root, provider, ...objects] = resources.map((one): PlainEntry => ({
    ...one,
    id: one.id ?? "",
    inputs: one.inputs ?? {},
    outputs: one.outputs ?? {},
  }));
  if (root?.type !== STACK_TYPE || provider?.type !== PROVIDER_TYPE)
    throw new Doubt("there are other objects");
  requireNoDoubt(isBare(provider), "the provider is configured");
  const reference = `${provider.urn}::${provider.id}`;
  for (const one of objects) {
    requireNoDoubt(
      one.provider === reference && one.custom === true && one.id !== "" && isOfFile(one.type),
      `${one.urn} is of another provider`,
    );
    requireNoDoubt(
      !hasNull(one.inputs),
      `${one.urn} contains null, which the engine omits where it is declared`,
    );
  }
  for (const one of [root, provider, ...objects])
    requireNoDoubt(
      Object.keys(one).every((field) => FIELDS.has(field)),
      `${one.urn} is special`,
    );
  return { root, provider, objects, secretsProvider };
}

function isOfFile(type: string): boolean {
  return parsePulumiType(type)?.engine === "dynamic" && findDefinitionAt({ type }) !== undefined;
}

function isBare({ inputs, outputs }: PlainEntry): boolean {
  return Object.keys({ ...inputs, ...outputs }).length === 0;
}

function hasNull(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.values(value).some(hasNull));
}
