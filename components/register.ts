/** Registers the resources of a workspace file, each as soon as the resources it refers to are known. */
import pLimit from "p-limit";
import { asSecret, hasSecret, hasUnknown, UNKNOWN, withoutMarks } from "../diff/values.js";
import {
  buildInputs,
  buildReferringInputs,
  DeclaredInProjects,
  type Fields,
  getLastPart,
  getPulumiType,
  IN_PLAINTEXT,
  isProtected,
  listCopiedArgs,
  listPartlySecretNames,
  type ProviderEngine,
  type Referred,
  SpelledNames,
} from "../provider/index.js";
import type { Interpolated, OutputReference } from "../workspace-file/index.js";
import type { ResourceDeclaration } from "../workspace-file/load/load.js";
import { createOutputNotShownError, listOutputs } from "../workspace-file/load/outputs.js";
import { mapRefs, Ref } from "../workspace-file/load/resolve-names.js";
import type { Monitor, Registered, Registration } from "./monitor.js";
import { parseLogicalName } from "./urn.js";

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
    /** The declared resource of a name, which must be declared before it. */
    readonly resourceOf: (name: string) => Resource,
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
  /** URNs of objects in the state. One of them continues a declaration whose key has another spelling now. */
  readonly urnsInState?: ReadonlySet<string> | undefined;
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
  monitor: Pick<Monitor, "register">,
  root: string,
  options: RegisterOptions,
): Promise<boolean> {
  const registrar = new Registrar(monitor, root, options, findFormerSpellings(declarations, options));
  for (const declaration of declarations) registrar.begin(declaration);
  const settled = await Promise.allSettled(registrar.all());
  const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  const own = errors.find((error) => !isOfEngine(error));
  if (own !== undefined) throw own;
  return errors.length === 0;
}

/** Finds the objects in the state that a declaration continues under a name in which only the spelling of keys differs. */
function findFormerSpellings(
  declarations: readonly ResourceDeclaration[],
  { urnsInState = new Set() }: RegisterOptions,
): ReadonlyMap<string, readonly string[]> {
  const inState = new Set([...urnsInState].map(parseLogicalName));
  const taken = new Set(declarations.flatMap(({ name, formerNames }) => [name, ...formerNames]));
  const free = new SpelledNames([...inState].filter((name) => !taken.has(name)));
  return new Map(
    declarations
      .filter(({ name }) => !inState.has(name))
      .map(({ name, formerNames }) => [name, [name, ...formerNames].flatMap((one) => free.others(one))]),
  );
}

/** What one run registers, and what it leaves as it is. */
class Registrar {
  private readonly resources = new Map<string, Resource>();
  private readonly inProjects = new DeclaredInProjects(asResource);
  /** By name, the objects that stay as they are, and the registrations of those that were reached. */
  private readonly outside: ReadonlyMap<string, LeftOut>;
  private readonly kept = new Map<string, Promise<Registered>>();
  private readonly limit: ReturnType<typeof pLimit>;

  constructor(
    private readonly monitor: Pick<Monitor, "register">,
    private readonly root: string,
    private readonly options: RegisterOptions,
    /** By the name of a declaration, names in the state. */
    private readonly formerSpellings: ReadonlyMap<string, readonly string[]>,
  ) {
    const { selection, parallel } = options;
    this.outside = new Map(selection?.outside.map((object) => [object.name, object]));
    this.limit = pLimit(Math.max(64, Math.min(2 * parallel, 1024)));
  }

  /** Begins the registration of a declaration, after those that it refers to or waits for. */
  begin(declaration: ResourceDeclaration): void {
    const { definition, name } = declaration;
    const resource = new Resource(declaration, (other) => this.find(other, name));
    const ofInputs = listInputDependencies(resource);
    const dependencies = new Set([...this.listAwaited(resource), ...[...ofInputs.values()].flat()]);
    this.resources.set(name, resource);
    this.inProjects.add(definition, resource);
    const { selection } = this.options;
    if (selection === undefined || selection.names.has(name))
      resource.done = Promise.all([...dependencies].map(({ done }) => done)).then(() =>
        this.limit(() => this.register(resource, dependencies, ofInputs)),
      );
    else resource.done = this.leaveOut(resource);
  }

  /** What has to settle: all declarations, and what stays as it is. */
  all(): Promise<unknown>[] {
    return [
      ...[...this.resources.values()].map(({ done }) => done),
      ...[...this.outside.values()].map((object) => this.keep(object)),
    ];
  }

  private find(name: string, by: string): Resource {
    const found = this.resources.get(name);
    if (found) return found;
    throw new Error(`${by} refers to ${name}, which is declared after it: move that declaration before it`);
  }

  /** The resources that a declaration waits for, although none of its arguments refers to them. */
  private listAwaited({ declaration, args, resourceOf }: Resource): Resource[] {
    const { after, definition } = declaration;
    const awaited = [
      ...(after === undefined ? [] : [resourceOf(after)]),
      ...this.inProjects.waitedFor(definition, args),
    ];
    // What stays as it is exists, and in the state it may still wait for this one.
    return awaited.filter((resource) => !this.outside.has(resource.declaration.name));
  }

  private async register(
    resource: Resource,
    dependencies: ReadonlySet<Resource>,
    ofInputs: ReadonlyMap<string, readonly Resource[]>,
  ): Promise<void> {
    const { declaration } = resource;
    const { definition, name } = declaration;
    const { engine, inherited, onRegistered } = this.options;
    resource.inputs = createInputs(resource, engine);
    resource.registered = await this.monitor.register({
      type: getPulumiType(definition.type, engine),
      name,
      parent: this.root,
      inputs: resource.inputs,
      dependencies: [...(inherited?.dependencies ?? []), ...listUrns(dependencies)],
      inputDependencies: new Map(
        Object.keys(resource.inputs).map((input) => [input, listUrns(ofInputs.get(input) ?? [])]),
      ),
      formerNames: [...declaration.formerNames, ...(this.formerSpellings.get(name) ?? [])],
      protect:
        declaration.protect ??
        inherited?.protect ??
        (isProtected(definition, declaration.args) ? true : undefined),
      retain: declaration.retain || inherited?.retain === true,
      ignoreChanges: declaration.ignoreChanges,
    });
    onRegistered?.(declaration, resource.registered);
  }

  private async leaveOut(resource: Resource): Promise<void> {
    const object = this.outside.get(resource.declaration.name);
    if (object === undefined) return;
    // The objects that this one needs in the state may be declared later in the file.
    await Promise.resolve();
    resource.registered = await this.keep(object);
  }

  /** The engine uses each object as it is in the state, after those that it depends on there. */
  private keep(object: LeftOut): Promise<Registered> {
    const known = this.kept.get(object.name);
    if (known !== undefined) return known;
    const needs = object.needs.map((name) => {
      const other = this.outside.get(name);
      return other === undefined ? (this.resources.get(name)?.done ?? Promise.resolve()) : this.keep(other);
    });
    const registered = Promise.all(needs).then(() =>
      this.limit(() => this.monitor.register(asInState(object, this.root))),
    );
    this.kept.set(object.name, registered);
    return registered;
  }
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
function listInputDependencies({ declaration, resourceOf }: Resource): Map<string, Resource[]> {
  const { definition, args } = declaration;
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

function createInputs({ declaration, resourceOf }: Resource, engine: ProviderEngine): Fields {
  const { definition, name, args, secrets, references, asWritten } = declaration;
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
  const isOfFile = (arg: string) => !(arg in asWritten) && !hasSecret(known[arg]);
  const looking = listPartlySecretNames(definition, known).filter((arg) => !secrets.includes(arg));
  const inPlaintext = [...looking, ...Object.keys(references)].filter(isOfFile);
  if (inPlaintext.length > 0) inputs[IN_PLAINTEXT] = inPlaintext;
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
