/** The object of an operation. */
import { readRemoteOutputs } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import {
  type Definition,
  type Fields,
  listManagedArgs,
  type RemoteObject,
} from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { resolveReferences } from "../../resources/definition/references.js";

/** The object of an operation: its type, and its arguments and outputs as far as they are known. */
export interface Target {
  readonly definition: Definition;
  readonly context: Context;
  readonly state: Fields;
}

/** The target of an operation with these arguments and the ids of the objects to which they refer. */
export async function resolveTarget(definition: Definition, context: Context, args: Fields): Promise<Target> {
  const subject = getDisplayName(definition, args);
  const ids = await resolveReferences(definition.references, context, args, subject);
  return { definition, context, state: { ...args, ...ids } };
}

/** The arguments that describe the object itself. */
export function listOwnArgs({ definition, state }: Target): string[] {
  return listManagedArgs(definition, state).filter((name) => name !== "workspace");
}

/** The arguments that are declared. */
export function listDeclaredArgs(target: Target): string[] {
  return listOwnArgs(target).filter((name) => target.state[name] !== undefined);
}

/** The state with the outputs of a response. */
export function withRemote(definition: Definition, state: Fields, remote: RemoteObject): Fields {
  return { ...state, ...readRemoteOutputs(definition, remote) };
}

/** The target with the outputs of a response. */
export function identifyTarget(target: Target, remote: RemoteObject): Target {
  return { ...target, state: withRemote(target.definition, target.state, remote) };
}
