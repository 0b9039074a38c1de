import { remoteOutputs } from "../definition/api-names.js";
import type { Context } from "../definition/context.js";
import { managedArgs, type Definition, type Fields, type RemoteObject } from "../definition/definition.js";
import { resolveReferences } from "../definition/references.js";

/** The object of an operation: its type, and its arguments and outputs as far as they are known. */
export interface Target {
  readonly definition: Definition;
  readonly context: Context;
  readonly state: Fields;
}

/** The target of an operation with these arguments and the ids of the objects to which they refer. */
export async function resolved(definition: Definition, context: Context, args: Fields): Promise<Target> {
  const ids = await resolveReferences(definition.references, context, args);
  return { definition, context, state: { ...args, ...ids } };
}

/** The arguments that describe the object itself. */
export function ownArgs({ definition, state }: Target): string[] {
  return managedArgs(definition, state).filter((name) => name !== "workspace");
}

/** The arguments that are declared. */
export function declaredArgs(target: Target): string[] {
  return ownArgs(target).filter((name) => target.state[name] !== undefined);
}

/** The state with the outputs of a response. */
export function withRemote(definition: Definition, state: Fields, remote: RemoteObject): Fields {
  return { ...state, ...remoteOutputs(definition, remote) };
}

/** The target with the outputs of a response. */
export function identified(target: Target, remote: RemoteObject): Target {
  return { ...target, state: withRemote(target.definition, target.state, remote) };
}
