/** All objects of a plan, before and after, and what file, state and workspace contain of each, according to the engine. */
import type { OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { parseLogicalName } from "../../components/urn.js";
import { hasSecret } from "../../diff/values.js";
import {
  type Definition,
  definitions,
  type Fields,
  FINGERPRINTS,
  type ManagedObject,
  maskVersions,
  type SeenFingerprints,
  unpackFingerprints,
  UNREADABLE,
} from "../../provider/index.js";
import { isExclusive, listKindsUnder } from "../../resources/definition/placement.js";
import { findDefinitionAt, parseIdentity, parseResourceType } from "../urn.js";

/** An operation on an object. */
export type Operation = "create" | "adopt" | "update" | "replace" | "delete" | "release";

/** An object that the stack manages or will manage. */
export interface PlannedObject {
  readonly operation: Operation | "same";
  /** Resource type, such as `Group`. */
  readonly type: string;
  /** Logical name, such as `groups/QA`. */
  readonly name: string;
  /** Logical name of the object whose list contains it; absent for a resource of its own. */
  readonly within?: string;
  /** Of a replacement: the engine creates the new object before it deletes the old one. */
  readonly createdFirst?: boolean;
  /** Arguments and outputs in the state after the refresh; absent when the object is new. */
  readonly before?: Fields;
  /** Declared arguments; absent when the object is deleted. Unknown values are Pulumi's fixed text. */
  readonly after?: Fields;
  /** Arguments alone in the state after the refresh; absent for a new object and for a member of a list. */
  readonly inputs?: Fields;
  /** Pulumi protects it from deletion. */
  readonly protected?: boolean;
  /** It stays, and Pulumi no longer protects it. */
  readonly losesProtection?: boolean;
  /** It stays, and from now on Pulumi releases it instead of deleting it, or no longer does. */
  readonly retention?: "begins" | "ends";
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
  /** URNs of the objects that the engine has deleted in order to replace them. */
  private readonly deleted = new Set<string>();

  note(metadata: StepEventMetadata): void {
    if (metadata.op === "delete-replaced") this.deleted.add(metadata.urn);
    const operation = OPERATIONS[metadata.op];
    if (operation === undefined) return;
    const { old, new: fresh } = metadata;
    this.planned.set(metadata.urn, {
      operation,
      ...parseIdentity(metadata),
      ...(old && operation !== "create"
        ? { before: { ...old.inputs, ...old.outputs }, inputs: old.inputs }
        : {}),
      ...(operation === "replace" && !this.deleted.has(metadata.urn) ? { createdFirst: true } : {}),
      ...(old?.protect ? { protected: true } : {}),
      ...(old?.protect && fresh && !fresh.protect && STAYING.includes(operation)
        ? { losesProtection: true }
        : {}),
      ...describeRetention(metadata),
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

function describeRetention({ op, old, new: fresh }: StepEventMetadata): Pick<PlannedObject, "retention"> {
  const [before, now] = [old?.retainOnDelete === true, fresh?.retainOnDelete === true];
  if (!old || !fresh || !STAYING.includes(OPERATIONS[op] ?? "delete") || before === now) return {};
  return { retention: now ? "begins" : "ends" };
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

/** Arguments of an object in file, state or workspace; secrets are masked and have fingerprints. */
export interface ObservedSide {
  readonly args: Fields;
  readonly fingerprints: Readonly<Record<string, string>>;
}

export interface Observed {
  readonly definition: Definition;
  /** Logical name. */
  readonly name: string;
  /** Its logical name in the state, if it differs. */
  readonly formerName?: string;
  /** The object in the state; absent when it is not there. */
  readonly applied?: ObservedSide;
  /** The live object; absent when it does not exist. */
  readonly live?: ObservedSide;
  /** The declared object; absent when the file does not declare it. */
  readonly declared?: ObservedSide;
  /** Why the object could not be read; `live` is then a copy of the state. */
  readonly unreadable?: string;
  readonly replaced: boolean;
  /** The arguments of which a side shows what is next to its secrets. */
  readonly open: ReadonlySet<string>;
  /** Secrets that differ from those in the state, if the engine names them. Its events mask their values. */
  readonly changedSecrets: readonly string[];
  /** Arguments and outputs in the state before the refresh; absent without one. */
  readonly stateBefore?: Fields;
  /** The same after it; absent when the object no longer exists. */
  readonly stateNow?: Fields;
  /** Outputs of the object, as last read. */
  readonly outputs: Fields;
  readonly id: string;
  readonly urn: string;
  /** Its URN in the state, which differs after a change of its name. */
  readonly urnInState: string | undefined;
}

const isInternal = (name: string) => name.startsWith("__") || name === FINGERPRINTS;
const EXISTS = ["same", "update", "replace"];

/** What the engine reports about each object. */
export class Observations {
  private readonly read = new Map<string, StepEventMetadata>();
  private readonly planned = new Map<string, StepEventMetadata>();

  onRead(metadata: StepEventMetadata): void {
    if (findDefinitionAt(metadata) !== undefined) this.read.set(metadata.urn, metadata);
  }

  onPlanned(metadata: StepEventMetadata): void {
    const { op, urn } = metadata;
    if (findDefinitionAt(metadata) === undefined) return;
    if (EXISTS.includes(op) || op === "create") this.planned.set(urn, metadata);
  }

  /** All objects in the state or the file. */
  get objects(): Observed[] {
    const objects = [...this.planned.values()].map((planned) => this.observed(planned));
    const continued = new Set([...this.planned.values()].flatMap(({ urn, old }) => [urn, old?.urn]));
    const left = [...this.read.values()].filter(({ urn }) => !continued.has(urn));
    return [...objects, ...left.map((read) => this.observed(undefined, read))];
  }

  private observed(planned: StepEventMetadata | undefined, before?: StepEventMetadata): Observed {
    const read = before ?? this.read.get(planned?.old?.urn ?? "") ?? this.read.get(planned?.urn ?? "");
    const { urn } = (planned ?? read) as StepEventMetadata;
    const definition = findDefinitionAt((planned ?? read) as StepEventMetadata) as Definition;
    const outputs = (read?.new?.outputs ?? {}) as Fields;
    const seen = unpackFingerprints<SeenFingerprints>(outputs[FINGERPRINTS]);
    const unreadable = outputs[UNREADABLE];
    const { versions, open } = maskVersions(
      definition,
      [planned?.new?.inputs, read?.old?.inputs, read?.new?.inputs].map(pickArguments),
    );
    const [ofFile = {}, ofState = {}, ofService = {}] = versions;
    const prints: unknown = planned?.new?.inputs?.[FINGERPRINTS];
    const declared = planned && {
      args: ofFile,
      fingerprints: unpackFingerprints<ObservedSide["fingerprints"]>(prints) ?? {},
    };
    const live = read?.new?.id ? { args: ofService, fingerprints: seen?.live ?? {} } : undefined;
    return {
      definition,
      name: parseLogicalName(urn),
      ...(read && read.urn !== urn ? { formerName: parseLogicalName(read.urn) } : {}),
      ...(read ? { applied: { args: ofState, fingerprints: seen?.applied ?? {} } } : {}),
      ...(live ? { live } : {}),
      ...(read ? { stateBefore: { ...read.old?.inputs, ...read.old?.outputs } } : {}),
      ...(live ? { stateNow: { ...read?.new?.inputs, ...outputs } } : {}),
      // Values that the provider considers equal are equal, whatever their form.
      ...(declared ? { declared: planned.op === "same" && live ? live : declared } : {}),
      ...(typeof unreadable === "string" ? { unreadable } : {}),
      replaced: planned?.op === "replace",
      open,
      changedSecrets: (read?.diffs ?? []).filter((name) => hasSecret(live?.args[name])),
      urn,
      urnInState: read?.urn,
      outputs,
      id: read?.new?.id ?? "",
    };
  }
}

/** The existing objects, in the form that `findUnmanaged` expects. */
export function listExistingObjects(objects: readonly Observed[]): ManagedObject[] {
  return objects
    .filter(({ live }) => live !== undefined)
    .map(({ definition: { type }, name, id, outputs }) => ({ type, name, id, outputs }));
}

/** The arguments of an object, without those that no type has. */
function pickArguments(inputs: Fields | undefined): Fields | undefined {
  return inputs && Object.fromEntries(Object.entries(inputs).filter(([name]) => !isInternal(name)));
}
