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

/** Which arguments a resource was declared with. */
const declaredArgs = new WeakMap<pulumi.Resource, ReadonlySet<string>>();

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
        { ...(definition.protect ? { protect: true } : {}), ...opts },
      );
    } finally {
      showStacks();
    }
    Object.defineProperty(this, "resourceType", { value: type });
    declaredArgs.set(this, new Set(Object.keys(args).filter((key) => (args as Fields)[key] !== undefined)));
  }
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
  if (reference.takes !== undefined && declaredArgs.get(value)?.has(reference.takes))
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
