/** All objects of a plan, before and after, for guards and estimates, and the sections that their parents own completely. */
import type { OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { isExclusive, listKindsUnder } from "../../../provider/definition/placement.js";
import { definitions } from "../../../provider/index.js";
import { parseIdentity, parseLogicalName, parseResourceType } from "../urn.js";

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

/** What the engine's operations mean for an object. */
export const OPERATIONS: Partial<Record<OpType, PlannedObject["operation"]>> = {
  same: "same",
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
};

const STAYING: readonly PlannedObject["operation"][] = ["same", "update"];

/** Objects in the order of the engine's events. */
export class PlannedObjects {
  private readonly planned = new Map<string, PlannedObject>();

  note(metadata: StepEventMetadata): void {
    const operation = OPERATIONS[metadata.op];
    if (operation === undefined) return;
    const { old, new: fresh } = metadata;
    this.planned.set(metadata.urn, {
      operation,
      ...parseIdentity(metadata),
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

export class OwnedSections {
  /** As prefixes of logical names. */
  private readonly prefixes = new Set<string>();

  note({ type, urn, old, new: fresh }: StepEventMetadata): void {
    for (const kind of listKindsUnder(definitions, parseResourceType(type)))
      if (isExclusive(kind, fresh?.inputs ?? {}))
        // What a renamed object contained is deleted under its former name.
        for (const one of [urn, old?.urn ?? urn])
          this.prefixes.add(`${parseLogicalName(one)}/${kind.document.section}/`);
  }

  contain(name: string): boolean {
    return [...this.prefixes].some((prefix) => name.startsWith(prefix));
  }
}
