/** Arguments and outputs as the operations pass them on. */
import type { Context } from "../definition/context.js";
import { managedArgs, type Definition, type Fields, type RemoteObject } from "../definition/definition.js";
import { remoteOutputs } from "../definition/api-names.js";
import { resolveReferences } from "../definition/references.js";
import { enterWritten } from "./remote-object.js";

/** The arguments with the numbers of the objects that they refer to. */
export async function resolved(definition: Definition, context: Context, args: Fields): Promise<Fields> {
  const ids = await resolveReferences(definition.references, context, args);
  return { ...args, ...ids };
}

/** The arguments that describe the object itself. */
export function ownArgs(definition: Definition, args: Fields): string[] {
  return managedArgs(definition, args).filter((name) => name !== "workspace");
}

/** The state with the outputs of a response. */
export function withRemote(definition: Definition, state: Fields, remote: RemoteObject): Fields {
  return { ...state, ...remoteOutputs(definition, remote) };
}

/** Enters a response into the lists that the run has read. */
export function enterResponse(
  definition: Definition,
  context: Context,
  state: Fields,
  remote: RemoteObject,
): void {
  enterWritten(definition, context, withRemote(definition, state, remote), remote);
}
