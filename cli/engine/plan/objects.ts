/** All objects of a plan, before and after, for guards and estimates. */
import { identityIn } from "../urn.js";
import type { OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";

/** An operation on an object. */
export type Operation = "create" | "adopt" | "update" | "replace" | "delete" | "release";

export type Properties = Readonly<Record<string, unknown>>;

/** An object that the stack manages or will manage. */
export interface PlannedObject {
  readonly operation: Operation | "same";
  /** Resource type, such as `Group`. */
  readonly type: string;
  /** Logical name, such as `groups/QA`. */
  readonly name: string;
  /** Logical name of the object whose list contains it; absent for a resource of its own. */
  readonly within?: string;
  /** Arguments and outputs in the state after the refresh; absent when the object is new. */
  readonly before?: Properties;
  /** Declared arguments; absent when the object is deleted. Unknown values are Pulumi's fixed text. */
  readonly after?: Properties;
  /** Arguments alone in the state after the refresh; absent for a new object and for a member of a list. */
  readonly inputs?: Properties;
  /** Pulumi protects it from deletion. */
  readonly protected?: boolean;
  /** It stays, and Pulumi no longer protects it. */
  readonly losesProtection?: boolean;
}

/** An object before and after a refresh. */
export interface SeenObject {
  readonly type: string;
  readonly name: string;
  /** Arguments and outputs in the state. */
  readonly state: Properties;
  /** The same after the refresh; absent when the object no longer exists. */
  readonly live?: Properties;
  /** Arguments alone after the refresh. */
  readonly inputs?: Properties;
}

const OPERATIONS: Partial<Record<OpType, PlannedObject["operation"]>> = {
  same: "same",
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  discard: "release",
};

const STAYING: readonly PlannedObject["operation"][] = ["same", "update"];

/** Objects in the order of the engine's events. */
export class PlannedObjects {
  private readonly planned = new Map<string, PlannedObject>();
  readonly seen: SeenObject[] = [];

  note(metadata: StepEventMetadata): void {
    if (metadata.op === "refresh") this.seen.push(seenOf(metadata));
    const operation = OPERATIONS[metadata.op];
    if (operation === undefined) return;
    const { old, new: fresh } = metadata;
    this.planned.set(metadata.urn, {
      operation,
      ...identityIn(metadata),
      ...(old && operation !== "create"
        ? { before: { ...old.inputs, ...old.outputs }, inputs: old.inputs }
        : {}),
      ...(old?.protect ? { protected: true } : {}),
      ...(old?.protect && fresh && !fresh.protect && STAYING.includes(operation)
        ? { losesProtection: true }
        : {}),
      ...(fresh && operation !== "delete" && operation !== "release" ? { after: fresh.inputs } : {}),
    });
  }

  /** @param steps operations as the plan names them: a member that changes owner is released, not deleted */
  named(steps: readonly Pick<PlannedObject, "operation" | "type" | "name">[]): PlannedObject[] {
    const named = new Map(steps.map((step) => [`${step.type} ${step.name}`, step.operation]));
    return [...this.planned.values()].map((object) => ({
      ...object,
      operation: named.get(`${object.type} ${object.name}`) ?? object.operation,
    }));
  }
}

function seenOf(metadata: StepEventMetadata): SeenObject {
  const { old, new: fresh } = metadata;
  return {
    ...identityIn(metadata),
    state: { ...old?.inputs, ...old?.outputs },
    ...(fresh?.id ? { inputs: fresh.inputs, live: { ...fresh.inputs, ...fresh.outputs } } : {}),
  };
}
