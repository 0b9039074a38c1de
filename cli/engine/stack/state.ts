/** The form of a stack's state, and the objects in it. */
import { isObject, parseLogicalName, parseResourceType, STACK_TYPE } from "../urn.js";
import type { Fields } from "../../../provider/index.js";

export interface StateObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly protect: boolean;
  /** The object is not deleted when it is removed from the state. */
  readonly retain: boolean;
  /** Arguments and outputs; secrets as Pulumi has encrypted them. */
  readonly properties: Fields;
}

/** A resource in a state, as `pulumi stack export` prints it. Secrets are encrypted. */
export interface StateEntry {
  readonly urn: string;
  readonly type: string;
  readonly custom?: boolean;
  readonly id?: string;
  readonly inputs?: Fields;
  readonly outputs?: Fields;
  readonly parent?: string;
  readonly provider?: string;
  /** URNs. */
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>>;
  readonly deletedWith?: string;
  readonly replaceWith?: readonly string[];
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  /** Paths of properties. */
  readonly ignoreChanges?: readonly string[] | undefined;
  /** It was replaced and is still to be deleted. */
  readonly delete?: boolean;
  readonly pendingReplacement?: boolean;
  /** A program reads it with `get`, and the stack does not manage it. */
  readonly external?: boolean;
  readonly [field: string]: unknown;
}

export interface Pending {
  readonly type: string;
  readonly resource: StateEntry;
}

export interface Deployment {
  readonly resources?: readonly StateEntry[];
  readonly pending_operations?: readonly Pending[];
  readonly secrets_providers?: unknown;
}

/** Whether the stack manages it, which it does not for what a program only reads. */
export function isManaged(entry: StateEntry): boolean {
  return isObject(entry) && entry.external !== true;
}

/** Returns the outputs of the stack itself. */
export function findOutputsOfStack({ resources = [] }: Deployment): Fields {
  return resources.find(({ type }) => type === STACK_TYPE)?.outputs ?? {};
}

/** Returns the URNs of the objects that are released instead of deleted. */
export function listRetainedIn(deployment: Deployment): ReadonlySet<string> {
  return new Set(
    listObjectsInState(deployment)
      .filter(({ retain }) => retain)
      .map(({ urn }) => urn),
  );
}

/** Returns the objects in the state in the order in which they are deleted: the newest first. */
export function listObjectsInState({ resources = [] }: Deployment): StateObject[] {
  return resources
    .filter(isManaged)
    .map(({ urn, type, protect, retainOnDelete, inputs, outputs }) => ({
      urn,
      type: parseResourceType(type),
      name: parseLogicalName(urn),
      protect: protect === true,
      retain: retainOnDelete === true,
      properties: { ...inputs, ...outputs },
    }))
    .reverse();
}
