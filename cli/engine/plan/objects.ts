/** All objects of a plan, with what they were and what they are to be: what guards judge and estimates count. */
import { logicalNameOf, resourceTypeOf } from "../urn.js";
import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import type { Operation, Step } from "./steps.js";

export type Properties = Readonly<Record<string, unknown>>;

/** One object that the stack manages, or will. */
export interface PlannedObject {
  readonly operation: Operation | "same";
  /** Resource type, such as `Group`. */
  readonly type: string;
  /** Logical name, such as `groups/QA`. */
  readonly name: string;
  /** Logical name of the object that holds it in a list: it is no resource of its own. */
  readonly within?: string;
  /** Arguments and outputs as the state has them, after the refresh; absent when it is new. */
  readonly before?: Properties;
  /** Declared arguments; absent when it goes. Values that are not known yet are Pulumi's fixed text. */
  readonly after?: Properties;
  /** Pulumi keeps it from being deleted. */
  readonly protected?: boolean;
}

/** What a refresh saw of an object. */
export interface SeenObject {
  readonly type: string;
  readonly name: string;
  /** Arguments and outputs in the state. */
  readonly state: Properties;
  /** The same as they are now; absent when the object is gone. */
  readonly live?: Properties;
}

const OPERATIONS: Partial<Record<OpType, PlannedObject["operation"]>> = {
  same: "same",
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  discard: "release",
};

/** Collects the objects while a preview runs, in the order in which the engine works on them. */
export class ObjectRecorder {
  private readonly planned = new Map<string, PlannedObject>();
  readonly seen: SeenObject[] = [];

  readonly onEvent = ({ resOutputsEvent }: EngineEvent): void => {
    const metadata = resOutputsEvent?.metadata;
    if (!metadata || metadata.type.startsWith("pulumi:")) return;
    if (metadata.op === "refresh") this.seen.push(seenOf(metadata));
    const operation = OPERATIONS[metadata.op];
    if (operation === undefined) return;
    const { old, new: fresh } = metadata;
    this.planned.set(metadata.urn, {
      operation,
      ...identity(metadata),
      ...(old && operation !== "create" ? { before: { ...old.inputs, ...old.outputs } } : {}),
      ...(old?.protect ? { protected: true } : {}),
      ...(fresh && operation !== "delete" && operation !== "release" ? { after: fresh.inputs } : {}),
    });
  };

  /** @param steps what the plan calls the operations: a member that changes hands is released, not deleted */
  objects(steps: readonly Step[]): PlannedObject[] {
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
    ...identity(metadata),
    state: { ...old?.inputs, ...old?.outputs },
    ...(fresh?.id ? { live: { ...fresh.inputs, ...fresh.outputs } } : {}),
  };
}

function identity({ urn, type }: StepEventMetadata): { type: string; name: string } {
  return { type: resourceTypeOf(type), name: logicalNameOf(urn) };
}
