/** Registers the resources of a workspace file, each as soon as the resources it refers to are known. */
import pLimit from "p-limit";
import type { Interpolated, OutputReference } from "../workspace-file/index.js";
import { asSecret, hasSecret, hasUnknown, UNKNOWN, withoutMarks } from "../diff/values.js";
import {
  listCopiedArgs,
  DeclaredInProjects,
  buildInputs,
  isProtected,
  getLastPart,
  getPulumiType,
  buildReferringInputs,
  type Fields,
  type ProviderEngine,
  type Referred,
} from "../provider/index.js";
import { mapRefs, Ref } from "../workspace-file/load/names.js";
import { createOutputNotShownError, listOutputs } from "../workspace-file/load/outputs.js";
import type { ResourceDeclaration } from "../workspace-file/load/index.js";
import { parseLogicalName } from "./urn.js";
import type { Monitor, Registered, Registration } from "./monitor.js";

/** A declared resource, and the engine's response to its registration. */
class Resource implements Referred {
  readonly type: string;
  /** Resources by logical name, for references. */
  readonly args: Fields;
  /** Set once it is registered. */
  registered: Registered | undefined;
  inputs: Fields = {};
  done: Promise<void> = Promise.resolve();

  constructor(
    readonly declaration: ResourceDeclaration,
    resourceOf: (name: string) => Resource,
  ) {
    this.type = declaration.definition.type;
    this.args = mapRefs(declaration.args, (value) =>
      value instanceof Ref ? resourceOf(value.name) : value,
    ) as Fields;
  }

  property(name: string): unknown {
    const { id, outputs = {}, isPartial = true } = this.registered ?? {};
    if (name === "id") return id ?? UNKNOWN;
    if (name in outputs) return markWholeSecret(outputs[name]);
    return isPartial ? UNKNOWN : this.inputs[name];
  }

  lastOfId(text: boolean): unknown {
    const id = this.registered?.id;
    return id === undefined ? UNKNOWN : getLastPart(id, text);
  }
}

/** An object that the operation leaves as it is in the state. */
interface LeftOut {
  readonly name: string;
  readonly urn: string;
  /** Pulumi type token. */
  readonly token: string;
  readonly isProtected: boolean;
  /** Names of the objects that it depends on. */
  readonly needs: readonly string[];
}

export interface RegisterOptions {
  /** Engine of the resources. */
  readonly engine: ProviderEngine;
  /** Number of objects the engine processes at once; 0 when unknown. */
  readonly parallel: number;
  /** The objects to which the operation is limited. */
  readonly selection?:
    { readonly names: ReadonlySet<string>; readonly outside: readonly LeftOut[] } | undefined;
  /** What a component passes on to its resources. */
  readonly inherited?: {
    readonly dependencies: readonly string[];
    readonly protect: boolean | undefined;
    readonly retain: boolean;
  };
  /** Receives the engine's response to each registration. */
  readonly onRegistered?: (declaration: ResourceDeclaration, registered: Registered) => void;
}

/**
 * @param root URN of the stack
 * @returns whether all were registered; the engine itself reports failures
 * @throws {Error} when a declaration is invalid
 */
export async function registerAll(
  declarations: readonly ResourceDeclaration[],
  monitor: Monitor,
  root: string,
  { engine, parallel, selection, inherited, onRegistered }: RegisterOptions,
): Promise<boolean> {
  const resources = new Map<string, Resource>();
  const inProjects = new DeclaredInProjects(asResource);
  const limit = pLimit(Math.max(64, Math.min(2 * parallel, 1024)));
  const outside = new Map(selection?.outside.map((object) => [object.name, object]));
  const kept = new Map<string, Promise<Registered>>();
  // The engine uses each object as it is in the state, after those that it depends on there.
  const keep = (object: LeftOut): Promise<Registered> => {
    const known = kept.get(object.name);
    if (known !== undefined) return known;
    const needs = object.needs.map((name) => {
      const other = outside.get(name);
      return other === undefined ? (resources.get(name)?.done ?? Promise.resolve()) : keep(other);
    });
    const registered = Promise.all(needs).then(() => limit(() => monitor.register(asInState(object, root))));
    kept.set(object.name, registered);
    return registered;
  };
  for (const declaration of declarations) {
    const resourceOf = (name: string): Resource => {
      const found = resources.get(name);
      if (found) return found;
      throw new Error(`${declaration.name} refers to ${name}, which is declared after it`);
    };
    const resource = new Resource(declaration, resourceOf);
    const { definition, after, name } = declaration;
    const inputDependencies = listInputDependencies(declaration, resourceOf);
    const awaited = [
      ...(after === undefined ? [] : [resourceOf(after)]),
      ...inProjects.waitedFor(definition, resource.args),
    ];
    const dependencies = new Set<Resource>([
      // What stays as it is exists, and in the state it may still wait for this one.
      ...awaited.filter(({ declaration }) => !outside.has(declaration.name)),
      ...[...inputDependencies.values()].flat(),
    ]);
    resources.set(name, resource);
    inProjects.add(definition, resource);
    if (selection !== undefined && !selection.names.has(name)) {
      const object = outside.get(name);
      // The objects that this one needs in the state may be declared later in the file.
      if (object !== undefined)
        resource.done = Promise.resolve().then(async () => {
          resource.registered = await keep(object);
        });
      continue;
    }
    resource.done = Promise.all([...dependencies].map(({ done }) => done)).then(() =>
      limit(async () => {
        resource.inputs = createInputs(declaration, resourceOf, engine);
        resource.registered = await monitor.register({
          type: getPulumiType(definition.type, engine),
          name,
          parent: root,
          inputs: resource.inputs,
          dependencies: [...(inherited?.dependencies ?? []), ...listUrns(dependencies)],
          inputDependencies: new Map(
            Object.keys(resource.inputs).map((input) => [
              input,
              listUrns(inputDependencies.get(input) ?? []),
            ]),
          ),
          formerNames: declaration.formerNames,
          protect:
            declaration.protect ??
            inherited?.protect ??
            (isProtected(definition, declaration.args) ? true : undefined),
          retain: declaration.retain || inherited?.retain === true,
          ignoreChanges: declaration.ignoreChanges,
        });
        onRegistered?.(declaration, resource.registered);
      }),
    );
  }
  const all = [...[...resources.values()].map(({ done }) => done), ...[...outside.values()].map(keep)];
  const settled = await Promise.allSettled<unknown>(all);
  const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  const own = errors.find((error) => !isOfEngine(error));
  if (own !== undefined) throw own;
  return errors.length === 0;
}

/** Registers an object that the operation skips: the engine then takes only its name from the program. */
function asInState({ urn, token, isProtected }: LeftOut, root: string): Registration {
  return {
    type: token,
    name: parseLogicalName(urn),
    parent: root,
    inputs: {},
    dependencies: [],
    inputDependencies: new Map(),
    formerNames: [],
    protect: isProtected,
    retain: false,
    ignoreChanges: [],
    isLeftOut: true,
  };
}

/** A gRPC error has a numeric code: the engine has refused a resource or has exited. */
function isOfEngine(error: Error): boolean {
  return "code" in error && typeof error.code === "number";
}

function asResource(value: unknown): Resource | undefined {
  return value instanceof Resource ? value : undefined;
}

function listUrns(resources: Iterable<Resource>): string[] {
  return [...new Set([...resources].map(({ registered }) => registered?.urn ?? ""))];
}

/** Finds the resources that each argument refers to. */
function listInputDependencies(
  { definition, args }: ResourceDeclaration,
  resourceOf: (name: string) => Resource,
): Map<string, Resource[]> {
  const dependencies = new Map<string, Resource[]>();
  const add = (arg: string, resource: Resource) =>
    dependencies.set(arg, [...(dependencies.get(arg) ?? []), resource]);
  for (const [arg, value] of Object.entries(args))
    mapRefs(value, (found) => {
      for (const { name } of found instanceof Ref ? [found] : found.outputs) add(arg, resourceOf(name));
      return found;
    });
  for (const [arg, reference] of Object.entries(definition.references)) {
    const value = args[arg];
    if (value instanceof Ref)
      for (const [copied] of listCopiedArgs(reference, args)) add(copied, resourceOf(value.name));
  }
  return dependencies;
}

function createInputs(
  { definition, name, args, secrets, references }: ResourceDeclaration,
  resourceOf: (name: string) => Resource,
  engine: ProviderEngine,
): Fields {
  const known = mapRefs(args, (value) =>
    value instanceof Ref ? resourceOf(value.name) : joinText(value, resourceOf),
  ) as Fields;
  const inputs: Record<string, unknown> = buildInputs(
    definition,
    name,
    known,
    { referred: asResource, secret: markSecret },
    engine,
  );
  for (const arg of secrets) inputs[arg] = markSecret(inputs[arg]);
  return omitUndefined({ ...inputs, ...buildReferringInputs(references) }) as Fields;
}

/** Resolves a text that contains outputs of other resources; a single output keeps its type. */
function joinText({ parts }: Interpolated, resourceOf: (name: string) => Resource): unknown {
  const values = parts.map((part) => (typeof part === "string" ? part : resolveOutput(part, resourceOf)));
  if (values.length === 1) return values[0];
  if (hasUnknown(values)) return UNKNOWN;
  const text = (withoutMarks(values) as unknown[]).join("");
  return hasSecret(values) ? asSecret(text) : text;
}

/** @throws {Error} when the service shows no such output of the object: the text around it would be sent without it */
function resolveOutput(reference: OutputReference, resourceOf: (name: string) => Resource): unknown {
  const resource = resourceOf(reference.name);
  const isShown = (name: string) => (resource.property(name) ?? null) !== null;
  if (isShown(reference.output)) return resource.property(reference.output);
  const { declaration } = resource;
  throw createOutputNotShownError(reference, declaration, listOutputs(declaration).filter(isShown));
}

/** A secret is either known as a whole or unknown. */
function markSecret(value: unknown): unknown {
  return hasUnknown(value) ? UNKNOWN : asSecret(withoutMarks(value));
}

/** Treats a value that contains a secret as secret as a whole, like Pulumi's SDK. */
function markWholeSecret(value: unknown): unknown {
  return hasSecret(value) ? markSecret(value) : value;
}

/** Removes undefined values, which the engine does not accept. */
function omitUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => omitUndefined(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, omitUndefined(inner)]));
}
