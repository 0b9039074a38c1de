/** The base of all resource classes: turns typed arguments into what the engine registers. */
import * as pulumi from "@pulumi/pulumi";
import {
  definitionOf,
  mapReferences,
  providerText,
  secretNames,
  type Definition,
  type Fields,
} from "../../provider/index.js";

type Reference = Definition["references"][string];

/** The arguments that a resource was declared with. */
const declaredArgs = new WeakMap<pulumi.Resource, Fields>();

/** Resources of a program, by project: what is declared later may have to wait for them. A process may run several programs. */
const programs = new WeakMap<object, Map<unknown, WorkspaceResource[]>>();

/** An object of the workspace. */
export abstract class WorkspaceResource extends pulumi.CustomResource {
  /** Type, as in the registry. */
  declare readonly resourceType: string;

  protected constructor(type: string, name: string, args: object, opts: pulumi.CustomResourceOptions = {}) {
    const definition = definitionOf(type);
    const inputs = inputsOf(definition, name, args as Fields);
    const outputs = Object.fromEntries(Object.keys(definition.outputs).map((output) => [output, undefined]));
    const showStacks = hideStacks();
    try {
      super(
        `pulumi-nodejs:dynamic/workspace-automation:${type}`,
        name,
        { ...outputs, address: undefined, ...inputs, __provider: providerText(type) },
        {
          ...(definition.protect ? { protect: true } : {}),
          ...opts,
          ...waiting(definition, args as Fields, opts),
        },
      );
    } finally {
      showStacks();
    }
    Object.defineProperty(this, "resourceType", { value: type });
    declaredArgs.set(this, args as Fields);
    const project = projectOf(definition, args as Fields);
    if (project !== undefined) declaredIn(project).push(this);
  }
}

/**
 * What the definition wants to wait for among the resources that are there: one that is declared later may need this one, so
 * nothing ever waits in a circle.
 */
function waiting(
  definition: Definition,
  args: Fields,
  { dependsOn }: pulumi.CustomResourceOptions,
): Pick<pulumi.CustomResourceOptions, "dependsOn"> {
  const project = projectOf(definition, args);
  if (definition.waitsFor === undefined || project === undefined) return {};
  const there = declaredIn(project);
  const argsOf = (resource: WorkspaceResource) => declaredArgs.get(resource) ?? {};
  const ofType = (type: string) => there.filter((resource) => resource.resourceType === type);
  const wanted = new Set(definition.waitsFor(args, (type) => ofType(type).map(argsOf)));
  const others = there.filter((resource) => wanted.has(argsOf(resource)));
  if (others.length === 0) return {};
  // Pulumi takes promises and outputs in the list as well, which its type does not say of outputs of lists.
  const own = [dependsOn ?? []].flat() as pulumi.Input<pulumi.Resource>[];
  return { dependsOn: [...own, ...others] };
}

function declaredIn(project: unknown): WorkspaceResource[] {
  const program = pulumi.runtime.getStackResource() ?? programs;
  const projects = programs.get(program) ?? new Map<unknown, WorkspaceResource[]>();
  programs.set(program, projects);
  const resources = projects.get(project) ?? [];
  projects.set(project, resources);
  return resources;
}

/** The project that an object stands in: by name where the program says it, else its resource; undefined where none is known. */
function projectOf(definition: Definition, { project, ...args }: Fields): unknown {
  if (project instanceof WorkspaceResource) {
    const name = declaredArgs.get(project)?.[definition.references["project"]?.takes ?? ""];
    return typeof name === "string" ? name : project;
  }
  if (project !== undefined) return typeof project === "string" ? project : undefined;
  for (const [arg, { carries }] of Object.entries(definition.references)) {
    const value = args[arg];
    if (carries?.["project"] !== undefined && value instanceof WorkspaceResource)
      return projectOf(definitionOf(value.resourceType), declaredArgs.get(value) ?? {});
  }
  return undefined;
}

/**
 * Pulumi keeps the stack of every constructor call in the state: here half a kilobyte per resource that names this file
 * and paths of the machine, and that differs between machines and releases. V8 asks this hook for the stack's text:
 * Pulumi's own question gets none, and every other error (of a transformation, say) the stack that it would have.
 * @returns what undoes it
 */
function hideStacks(): () => void {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const usual = Error.prepareStackTrace?.bind(Error) ?? textOfStack;
  Error.prepareStackTrace = (error, sites) =>
    isPulumisQuestion(sites) ? "" : (usual(error, sites) as unknown);
  return () => {
    if (before) Object.defineProperty(Error, "prepareStackTrace", before);
    else Reflect.deleteProperty(Error, "prepareStackTrace");
  };
}

/** Asked in `Resource.callsites`, by `Resource.stackTrace`. */
function isPulumisQuestion([first, second]: readonly NodeJS.CallSite[]): boolean {
  return first?.getFunctionName() === "callsites" && second?.getFunctionName() === "stackTrace";
}

/** As V8 prints it without a hook. */
function textOfStack(error: Error, sites: readonly { toString(): string }[]): string {
  return [String(error), ...sites.map((site) => `    at ${site.toString()}`)].join("\n");
}

/** Resources among the arguments become what the service knows them by; secret arguments are marked so. */
function inputsOf(definition: Definition, name: string, args: Fields): pulumi.Inputs {
  const inputs: pulumi.Inputs = { ...args };
  for (const [arg, reference] of Object.entries(definition.references)) {
    const value = args[arg];
    inputs[arg] = mapReferences(reference, value, (inner, item) =>
      referenceValue(definition, name, arg, inner, item),
    );
    if (value instanceof WorkspaceResource) Object.assign(inputs, carried(reference, value, args));
  }
  for (const arg of secretNames(definition, args)) {
    if (inputs[arg] !== undefined) inputs[arg] = pulumi.secret(inputs[arg]);
  }
  return inputs;
}

function referenceValue(
  definition: Definition,
  name: string,
  arg: string,
  reference: Reference,
  value: unknown,
): unknown {
  if (!pulumi.CustomResource.isInstance(value)) return value;
  if (!(value instanceof WorkspaceResource) || value.resourceType !== reference.to) {
    const given = value instanceof WorkspaceResource ? value.resourceType : "resource of another package";
    throw new pulumi.RunError(`${definition.type} "${name}": ${arg} takes a ${reference.to}, not a ${given}`);
  }
  if (reference.takes !== undefined && declaredArgs.get(value)?.[reference.takes] !== undefined)
    return propertyOf(value, reference.takes);
  return value.id.apply((id) => {
    const last = decodeURIComponent(id.split("/").at(-1) ?? "");
    return reference.takes === undefined ? Number(last) : last;
  });
}

function carried(reference: Reference, value: WorkspaceResource, args: Fields): pulumi.Inputs {
  const entries = Object.entries(reference.carries ?? {});
  return Object.fromEntries(
    entries
      .filter(([arg]) => args[arg] === undefined)
      .map(([arg, output]) => [arg, propertyOf(value, output)]),
  );
}

function propertyOf(resource: WorkspaceResource, name: string): unknown {
  return (resource as unknown as Record<string, unknown>)[name];
}
