/** The base class of all resources: turns typed arguments into the inputs that the engine registers. */
import * as pulumi from "@pulumi/pulumi";
import { VERSION } from "../../client/version.js";
import {
  buildInputs,
  DeclaredInProjects,
  type Definition,
  type Fields,
  findPackageType,
  getArgsSchema,
  getDefinition,
  getLastPart,
  getPulumiType,
  type InputValues,
  isProtected,
  listApiKeys,
  parsePulumiType,
  type ProviderEngine,
  type Referred,
} from "../../provider/index.js";
import { isKnown, readConfiguredEngine, refuseOtherAccount, toOutput } from "./accounts.js";

/** An object of the workspace. */
export abstract class WorkspaceResource extends pulumi.CustomResource {
  /** Type, as in the registry. */
  declare readonly resourceType: string;

  protected constructor(type: string, name: string, args: object, opts: pulumi.CustomResourceOptions = {}) {
    const definition = getDefinition(type);
    const engine = readConfiguredEngine();
    refuseImport(opts, engine, `${type} "${name}"`);
    const self: { resource?: WorkspaceResource } = {};
    const inputs = promiseInputs(definition, name, args as Fields, engine, () => self.resource);
    // Pulumi makes outputs of these names only. An object that is read may have arguments of every variant.
    const isRead = opts.id !== undefined;
    const shapes = isRead ? listShapes(definition) : [getArgsSchema(definition, args as Fields).shape];
    const declarable = [...new Set(shapes.flatMap(Object.keys))];
    const properties = [...declarable, ...Object.keys(definition.outputs), "address"];
    const showStacks = hideStacks();
    try {
      super(
        getPulumiType(type, engine),
        name,
        { ...Object.fromEntries(properties.map((property) => [property, undefined])), ...inputs },
        {
          ...(!isRead && isProtected(definition, args as Fields) ? { protect: true } : {}),
          ...(engine === "plugin" ? { version: VERSION } : {}),
          ...opts,
          ...waitForReferences(definition, args as Fields, opts),
        },
      );
    } finally {
      showStacks();
    }
    self.resource = this;
    Object.defineProperty(this, "resourceType", { value: type });
    Object.defineProperty(this, VARIANT, { value: definition.variants?.select(args as Fields) });
    const declared = new Declared(this, type, name, args as Fields);
    declaredResources.set(this, declared);
    getDeclaredInProgram().add(definition, declared);
    if (!pulumi.runtime.isDryRun()) return;
    this.predict(
      listPredictedOutputs(definition, args as Fields, this.id),
      (known, output) => known ?? output,
    );
    // What the service does not show of an object that is read is empty, once the id is known.
    const empty = isRead
      ? Object.fromEntries(properties.map((property) => [property, this.id.apply(() => undefined)]))
      : listAbsent(definition, declarable, inputs);
    this.predict(empty, (known) => known);
  }

  /**
   * Pulumi's own host of dynamic providers previews no outputs, and Pulumi's SDK takes what an object does not have for unknown. What follows
   * from the id and the arguments is known nevertheless.
   */
  private predict(
    predicted: Fields,
    choose: (known: unknown, output: pulumi.Output<unknown>) => unknown,
  ): void {
    const own = this as unknown as Record<string, pulumi.Output<unknown>>;
    for (const [name, value] of Object.entries(predicted)) {
      const output = own[name];
      if (output === undefined) continue;
      // The value depends on this resource, as it does once the resource exists.
      const known = pulumi.all([value, this.urn]).apply(([one]) => choose(one, output));
      own[name] = toOutput(isKnown(output).then((has) => (has ? output : known)));
    }
  }
}

/** @throws {pulumi.RunError} for the option `import` without the plugin, because Pulumi's host of dynamic providers crashes on it */
function refuseImport(
  { import: id }: pulumi.CustomResourceOptions,
  engine: ProviderEngine,
  what: string,
): void {
  if (id === undefined || engine === "plugin") return;
  throw new pulumi.RunError(
    `${what}: the option import needs the plugin (pulumi config set workspace-automation:engine plugin). ` +
      'Without it, use the argument adopt: true, or run "workspacectl import --program ."',
  );
}

/** The arguments of all variants of a type. */
function listShapes({ args, variants }: Definition): object[] {
  return [args.shape, ...Object.values(variants?.of ?? {}).map((variant) => variant.args)];
}

/** What a program may state of an object that it reads. */
export type StateOf<R> = {
  readonly [K in keyof R as K extends keyof WorkspaceResource ? never : K]?: R[K] extends pulumi.Output<
    infer T
  >
    ? pulumi.Input<T>
    : never;
};

/** Property of an instance with the variant that its arguments choose. */
const VARIANT = "resourceVariant";

/** The outputs that are known without the service: the object's own number or name, and the ids of resources that it refers to. */
function listPredictedOutputs(definition: Definition, args: Fields, id: pulumi.Output<string>): Fields {
  const { identity, outputs, references } = definition;
  const predicted: Record<string, unknown> = {};
  const named = Object.keys(definition.args.shape).find((arg) => isNameOfObject(definition, arg, args));
  const isText = outputs[identity.state]?.schema.safeParse("text").success === true;
  if (identity.state in outputs)
    predicted[identity.state] =
      named === undefined ? id.apply((value) => getLastPart(value, isText)) : args[named];
  for (const [arg, { idOutput, list }] of Object.entries(references)) {
    if (idOutput === undefined || list) continue;
    const value = findDeclared(args[arg])?.lastOfId(false) ?? args[arg];
    // An argument that is a name says nothing of the number.
    predicted[idOutput] = toOutput(value).apply((one) => (typeof one === "number" ? one : undefined));
  }
  return predicted;
}

/** The arguments that are not declared, or may turn out to be empty, and the outputs that show the numbers of references that are not declared. */
function listAbsent(
  { references }: Definition,
  declarable: readonly string[],
  inputs: pulumi.Inputs,
): Fields {
  const open = declarable.filter((arg) => inputs[arg] === undefined || isLater(inputs[arg]));
  const numbers = Object.entries(references).flatMap(([arg, { idOutput }]) =>
    idOutput !== undefined && inputs[arg] === undefined ? [[idOutput, undefined] as const] : [],
  );
  return { ...Object.fromEntries(open.map((arg) => [arg, inputs[arg]])), ...Object.fromEntries(numbers) };
}

/** Whether an argument is shown as the output that identifies the object. */
function isNameOfObject(definition: Definition, arg: string, args: Fields): boolean {
  const { apiName } = definition.outputs[definition.identity.state] ?? {};
  return (
    apiName !== undefined &&
    args[arg] !== undefined &&
    listApiKeys(definition, arg, args[arg]).includes(apiName)
  );
}

/**
 * Whether a value is a resource of a type or of a variant: an instance, or an object with a type token, as policies have it. Tokens of
 * this library name no variant, and those of the package's SDKs may.
 */
export function isOfType(value: unknown, name: string): boolean {
  const { __pulumiType: token, [VARIANT]: variant } = (value ?? {}) as Fields;
  if (typeof token !== "string") return false;
  const type = findPackageType(name);
  if (type?.kind === undefined) return parsePulumiType(token)?.type === name;
  const isOwn = parsePulumiType(token)?.type === type.definition.type;
  return token === getPulumiType(name, "plugin") || (isOwn && variant === type.kind);
}

/** A resource of the program, as other arguments refer to it. Values that are not known yet are outputs. */
class Declared implements Referred {
  constructor(
    readonly resource: WorkspaceResource,
    readonly type: string,
    readonly name: string,
    readonly args: Fields,
  ) {}

  property(name: string): unknown {
    return (this.resource as unknown as Record<string, unknown>)[name];
  }

  lastOfId(text: boolean): unknown {
    return this.resource.id.apply((id) => getLastPart(id, text));
  }
}

const declaredResources = new WeakMap<pulumi.Resource, Declared>();

/** The resources of each program. A process may run several programs. */
const programs = new WeakMap<object, DeclaredInProjects<Declared>>();

function findDeclared(value: unknown): Declared | undefined {
  return value instanceof WorkspaceResource ? declaredResources.get(value) : undefined;
}

function getDeclaredInProgram(): DeclaredInProjects<Declared> {
  const program = pulumi.runtime.getStackResource() ?? programs;
  const declared = programs.get(program) ?? new DeclaredInProjects(findDeclared);
  programs.set(program, declared);
  return declared;
}

/** The resources that the definition waits for. */
function waitForReferences(
  definition: Definition,
  args: Fields,
  { dependsOn }: pulumi.CustomResourceOptions,
): Pick<pulumi.CustomResourceOptions, "dependsOn"> {
  const others = getDeclaredInProgram().waitedFor(definition, args);
  if (others.length === 0) return {};
  // Pulumi takes promises and outputs in the list as well, which its type does not say of outputs of lists.
  const own = [dependsOn ?? []].flat() as pulumi.Input<pulumi.Resource>[];
  return { dependsOn: [...own, ...others.map(({ resource }) => resource)] };
}

/** The inputs of a resource. Resources among its arguments become outputs with their names or ids. */
function promiseInputs(
  definition: Definition,
  name: string,
  args: Fields,
  engine: ProviderEngine,
  own: () => WorkspaceResource | undefined,
): pulumi.Inputs {
  const label = `${definition.type} "${name}"`;
  const values: InputValues = {
    referred: (value, arg) => findReferred(value, { resource: own, label, arg }),
    secret: (value) => pulumi.secret(value),
    later: (value, convert) => (isLater(value) ? convertLater(value, convert) : undefined),
  };
  try {
    return buildInputs(definition, name, args, values, engine);
  } catch (error) {
    throw error instanceof TypeError ? new pulumi.RunError(error.message) : error;
  }
}

function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** The conversion of a value once it is known. Until then it converts to the value itself, so that a preview shows no other change. */
function convertLater(value: unknown, convert: (value: unknown) => unknown): unknown {
  const output = toOutput(value);
  return toOutput(isKnown(output).then((known) => (known ? output.apply(convert) : convert(output))));
}

function findReferred(value: unknown, from: Referrer): Referred | undefined {
  if (!pulumi.CustomResource.isInstance(value)) return undefined;
  const declared = findDeclared(value);
  if (declared !== undefined) return restrictToAccount(declared, from);
  const unusable = () => undefined;
  return { type: "resource of another package", args: {}, property: unusable, lastOfId: unusable };
}

interface Referrer {
  readonly resource: () => WorkspaceResource | undefined;
  readonly label: string;
  readonly arg: string;
}

/** A referred resource whose values are only passed on within its account. */
function restrictToAccount(declared: Declared, { resource, ...from }: Referrer): Referred {
  const to = { resource: () => declared.resource, label: `${declared.type} "${declared.name}"` };
  const checked = (value: unknown) =>
    refuseOtherAccount(value, { ...from, resource: () => resource() ?? declared.resource }, to);
  return {
    type: declared.type,
    args: declared.args,
    property: (name) => checked(declared.property(name)),
    lastOfId: (text) => checked(declared.lastOfId(text)),
  };
}

/**
 * Pulumi stores the stack of every constructor call in the state: here half a kilobyte per resource with this file and paths
 * of the machine, different between machines and releases. V8 calls this hook for the text of a stack: Pulumi's own call gets
 * an empty text, and every other error (of a transformation, say) its usual stack.
 * @returns a function that removes the hook
 */
function hideStacks(): () => void {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const usual = Error.prepareStackTrace?.bind(Error) ?? formatStackOf;
  Error.prepareStackTrace = (error, sites) => (isForPulumi(sites) ? "" : (usual(error, sites) as unknown));
  return () => {
    if (before) Object.defineProperty(Error, "prepareStackTrace", before);
    else Reflect.deleteProperty(Error, "prepareStackTrace");
  };
}

/** Whether `Resource.stackTrace` of Pulumi reads the stack, in `Resource.callsites`. */
function isForPulumi([first, second]: readonly NodeJS.CallSite[]): boolean {
  return first?.getFunctionName() === "callsites" && second?.getFunctionName() === "stackTrace";
}

/** As V8 prints it without a hook. */
function formatStackOf(error: Error, sites: readonly { toString(): string }[]): string {
  return [String(error), ...sites.map((site) => `    at ${site.toString()}`)].join("\n");
}
