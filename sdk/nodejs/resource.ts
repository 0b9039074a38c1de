/** The base class of all resources: turns typed arguments into the inputs that the engine registers. */
import * as pulumi from "@pulumi/pulumi";
import {
  DeclaredInProjects,
  getDefinition,
  ENGINE_VARIABLE,
  engines,
  buildInputs,
  getLastPart,
  getPulumiType,
  type Definition,
  type Fields,
  type ProviderEngine,
  type Referred,
} from "../../provider/index.js";

/** An object of the workspace. */
export abstract class WorkspaceResource extends pulumi.CustomResource {
  /** Type, as in the registry. */
  declare readonly resourceType: string;

  protected constructor(type: string, name: string, args: object, opts: pulumi.CustomResourceOptions = {}) {
    const definition = getDefinition(type);
    const engine = readConfiguredEngine();
    const inputs = promiseInputs(definition, name, args as Fields, engine);
    const outputs = Object.fromEntries(Object.keys(definition.outputs).map((output) => [output, undefined]));
    const showStacks = hideStacks();
    try {
      super(
        getPulumiType(type, engine),
        name,
        { ...outputs, address: undefined, ...inputs },
        {
          ...(definition.protect ? { protect: true } : {}),
          ...opts,
          ...waitForReferences(definition, args as Fields, opts),
        },
      );
    } finally {
      showStacks();
    }
    Object.defineProperty(this, "resourceType", { value: type });
    const declared = new Declared(this, type, args as Fields);
    declaredResources.set(this, declared);
    getDeclaredInProgram().add(definition, declared);
  }
}

/** Whether a value carries the type token of a type. */
export function isOfType(value: unknown, type: string): boolean {
  const token = (value as { readonly __pulumiType?: unknown } | null | undefined)?.__pulumiType;
  return engines.some((engine) => token === getPulumiType(type, engine));
}

/**
 * What runs the resources of the program: the stack's configuration says it.
 * @throws {pulumi.RunError} when it says something else
 */
export function readConfiguredEngine(): ProviderEngine {
  const said = process.env[ENGINE_VARIABLE] || new pulumi.Config("workspace-automation").get("engine");
  const engine = engines.find((one) => one === (said ?? "dynamic"));
  if (engine !== undefined) return engine;
  throw new pulumi.RunError(`workspace-automation:engine is "${said}": it must be ${engines.join(" or ")}`);
}

/** A resource of the program, as other arguments refer to it. Values that are not known yet are outputs. */
class Declared implements Referred {
  constructor(
    readonly resource: WorkspaceResource,
    readonly type: string,
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
): pulumi.Inputs {
  const values = { referred: findReferred, secret: (value: unknown) => pulumi.secret(value) };
  try {
    return buildInputs(definition, name, args, values, engine);
  } catch (error) {
    throw error instanceof TypeError ? new pulumi.RunError(error.message) : error;
  }
}

function findReferred(value: unknown): Referred | undefined {
  if (!pulumi.CustomResource.isInstance(value)) return undefined;
  const unusable = () => undefined;
  return (
    findDeclared(value) ?? {
      type: "resource of another package",
      args: {},
      property: unusable,
      lastOfId: unusable,
    }
  );
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
