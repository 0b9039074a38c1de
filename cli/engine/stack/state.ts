/** Reads the objects in the state of a stack. */
import { logicalNameOf, resourceTypeOf } from "../urn.js";
import type { EngineStack } from "./engine-stack.js";

export interface StateObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly protect: boolean;
  /** The object is not deleted when it is removed from the state. */
  readonly retain: boolean;
  /** Arguments and outputs; secrets as Pulumi has encrypted them. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** Returns the objects in the state in the order in which they are deleted: the newest first. */
export async function objectsInState(stack: EngineStack): Promise<StateObject[]> {
  const exported = await stack.exportStack();
  const { resources = [] } = exported.deployment as { resources?: readonly StateResource[] };
  return resources
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .map(({ urn, type, protect, retainOnDelete, inputs, outputs }) => ({
      urn,
      type: resourceTypeOf(type),
      name: logicalNameOf(urn),
      protect: protect === true,
      retain: retainOnDelete === true,
      properties: { ...inputs, ...outputs },
    }))
    .reverse();
}
