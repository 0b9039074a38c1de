/** Engine events → what happens to which object, what was changed outside, what went wrong. */
import { logicalNameOf, resourceTypeOf } from "../urn.js";
import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { definitions, type Definition, type Fields } from "../../../provider/index.js";
import { waitIn } from "../progress/tally.js";
import { changesBetween, secretsOf, type Change } from "./changes.js";
import { Labels } from "./labels.js";
import { reasonsOf, type Reason, type Replaced } from "./reasons.js";
import { unverifiablePaths, type Unverifiable } from "./write-only.js";

/** What happens to an object. */
export type Operation = "create" | "adopt" | "update" | "replace" | "delete" | "release";

/** One object that is worked on. */
export interface Step {
  readonly operation: Operation;
  /** Resource type, such as `Group`. */
  readonly type: string;
  /** Logical name, such as `groups/QA`. */
  readonly name: string;
  /** The name it had before, if that changes. */
  readonly formerName?: string;
  /** Logical name of the object that holds it in a list: it is no resource of its own. */
  readonly within?: string;
  readonly changes: readonly Change[];
  /** Properties that force a replacement. */
  readonly replacedFor: readonly string[];
  /** Why the object is made anew; at least one for each replacement. */
  readonly reasons: readonly Reason[];
  /** How long it took, once it is done. */
  readonly milliseconds?: number;
}

/** An object that somebody changed or deleted outside. */
export interface Drift {
  readonly type: string;
  readonly name: string;
  readonly gone: boolean;
  readonly changes: readonly Change[];
}

export interface Problem {
  /** Logical name of the object; absent when the whole operation is concerned. */
  readonly name?: string;
  readonly message: string;
}

/** All that one operation of the engine told. */
export interface Told {
  readonly steps: readonly Step[];
  readonly drift: readonly Drift[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  /** Objects that stay as they are. */
  readonly unchanged: number;
  /** Declared values of existing objects that cannot be checked against the service. */
  readonly unverifiable: readonly Unverifiable[];
}

const OPERATIONS: Partial<Record<OpType, Operation>> = {
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  discard: "release",
};

/** Collects what the engine tells while an operation runs. */
export class Recorder {
  private readonly steps: { readonly step: Step; readonly metadata: StepEventMetadata }[] = [];
  private readonly drift: StepEventMetadata[] = [];
  private readonly labels = new Labels();
  private readonly problems: Problem[] = [];
  private readonly notes = new Set<string>();
  private readonly unchanged = new Set<string>();
  private readonly replaced: Replaced[] = [];
  private readonly unverifiable = new Map<string, Unverifiable[]>();
  /** Sections that objects hold themselves, as beginnings of logical names. */
  private readonly held = new Set<string>();
  /** When work on an object began, by URN. */
  private readonly began = new Map<string, number>();

  /**
   * @param refreshing the operation is a refresh: every change that is told was made outside
   * @param onStep told of each object as soon as it is done
   * @param isAdopted whether an object that the engine takes for created was there before
   */
  constructor(
    private readonly refreshing: boolean = false,
    private readonly onStep: (step: Step) => void = () => {},
    private readonly isAdopted: (type: string, id: string) => boolean = () => false,
  ) {}

  /** Takes secrets out of what the engine and the provider say. */
  hide: (message: string) => string = (message) => message;

  readonly onEvent = (event: EngineEvent): void => {
    // Messages of severity "debug" hold secrets in clear: they are never looked at.
    const { diagnosticEvent, resourcePreEvent, resOutputsEvent } = event;
    if (resourcePreEvent) this.began.set(resourcePreEvent.metadata.urn, Date.now());
    if (diagnosticEvent) this.diagnosed(diagnosticEvent);
    if (resOutputsEvent && isObject(resOutputsEvent.metadata)) this.worked(resOutputsEvent.metadata);
  };

  get told(): Told {
    const { steps, drift, problems, notes, unchanged } = this;
    return {
      steps: steps.map(({ step, metadata }) => this.whole(step, metadata)).toSorted(byName),
      drift: drift.flatMap((metadata) => driftOf(metadata, this.labels) ?? []).toSorted(byName),
      problems: [...problems],
      notes: [...notes],
      unchanged: unchanged.size,
      unverifiable: [...this.unverifiable.values()].flat().toSorted(byName),
    };
  }

  /** Why it is replaced, who holds what, and what everything is called is known when all were seen. */
  private whole(step: Step, metadata: StepEventMetadata): Step {
    const changes = changesOf(metadata, this.labels);
    if (step.operation === "replace") {
      const reasons = reasonsOf(definitionAt(metadata), metadata, changes, this.replaced);
      return { ...step, changes, reasons };
    }
    const isHeld = step.operation === "delete" && [...this.held].some((held) => step.name.startsWith(held));
    return { ...step, changes, ...(isHeld ? { operation: "release" } : {}) };
  }

  private diagnosed({ severity, message, urn }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    const text = this.hide(message.replace(/^error: /, "").trim());
    if (severity === "error") {
      // "update failed" says nothing that its causes have not said.
      if (!/^(update|preview|refresh|destroy) failed$/.test(text)) this.problem(text, urn);
    } else if (waitIn(text) !== undefined) {
      // Progress has told it, while it lasted.
    } else if ((severity === "warning" || severity === "info" || severity === "info#err") && text !== "") {
      this.notes.add(text);
    }
  }

  private problem(text: string, urn: string | undefined): void {
    const message = text.replace(/^Preview failed: /, "");
    const name = urn && !isStack(urn) ? logicalNameOf(urn) : undefined;
    if (this.problems.some((known) => known.message === message && known.name === name)) return;
    this.problems.push({ message, ...(name === undefined ? {} : { name }) });
  }

  private worked(metadata: StepEventMetadata): void {
    const { op, old, new: fresh } = metadata;
    const definition = definitionAt(metadata);
    if (definition) this.seen(definition, metadata);
    if (definition) this.labels.note(definition, metadata);
    const outside = op === "refresh" || (this.refreshing && (op === "update" || op === "delete"));
    if (outside) {
      this.drift.push(metadata);
      return;
    }
    if (op === "same") this.unchanged.add(metadata.urn);
    const operation = OPERATIONS[op];
    if (operation === undefined) return;
    const step: Step = {
      operation: this.operationOf(operation, metadata),
      ...identity(metadata),
      ...(old && fresh && old.urn !== fresh.urn ? { formerName: logicalNameOf(old.urn) } : {}),
      changes: [],
      replacedFor: operation === "replace" ? (metadata.keys ?? []) : [],
      reasons: [],
      milliseconds: Date.now() - (this.began.get(metadata.urn) ?? Date.now()),
    };
    this.steps.push({ step, metadata });
    if (operation === "replace") this.replaced.push({ ...identity(metadata), metadata });
    this.onStep(step);
  }

  private operationOf(operation: Operation, metadata: StepEventMetadata): Operation {
    const { old, new: fresh } = metadata;
    if (operation === "delete" && old?.retainOnDelete) return "release";
    const isThere = operation === "create" && fresh?.id && this.isAdopted(identity(metadata).type, fresh.id);
    return isThere ? "adopt" : operation;
  }

  private seen(definition: Definition, metadata: StepEventMetadata): void {
    const { type, name } = identity(metadata);
    const paths = metadata.op === "delete" ? [] : unverifiablePaths(definition, metadata);
    this.unverifiable.set(
      metadata.urn,
      paths.map((path) => ({ type, name, ...path })),
    );
    for (const { document } of definitions) {
      const when = document && type in document.under ? document.heldWhen : undefined;
      if (when !== undefined && metadata.new?.inputs[when] === true)
        this.held.add(`${name}/${document?.section ?? ""}/`);
    }
  }
}

function changesOf(metadata: StepEventMetadata, labels: Labels): Change[] {
  const { op, old, new: fresh } = metadata;
  const named = (inputs: Fields | undefined) => labels.in(definitionAt(metadata), inputs);
  const changes = changesBetween(
    op === "create" ? undefined : named(old?.inputs),
    op === "delete" ? undefined : named(fresh?.inputs),
  );
  if (changes.length > 0 || op !== "update") return changes;
  // Only a secret can have changed, and the engine does not tell which.
  return secretsOf(fresh?.inputs).map((path) => ({ path, before: "[secret]", after: "[secret]" }));
}

function driftOf(metadata: StepEventMetadata, labels: Labels): Drift | undefined {
  const { old, new: seen } = metadata;
  const gone = !seen?.id;
  const named = (inputs: Fields | undefined) => labels.in(definitionAt(metadata), inputs);
  const changes = gone ? [] : changesBetween(named(old?.inputs), named(seen.inputs));
  return gone || changes.length > 0 ? { ...identity(metadata), gone, changes } : undefined;
}

/** The definition of an object of ours. */
function definitionAt({ type }: StepEventMetadata): Definition | undefined {
  if (!type.includes("workspace-automation:")) return undefined;
  return definitions.find((definition) => type.endsWith(`:${definition.type}`));
}

function identity({ urn, type }: StepEventMetadata): { type: string; name: string } {
  return { type: resourceTypeOf(type), name: logicalNameOf(urn) };
}

/** The engine works in any order; people look for the parts of one thing in one place. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  const [one, other] = [a.name.split("/"), b.name.split("/")];
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (part !== against) return part < against ? -1 : 1;
  }
  return one.length - other.length;
}

/** Objects of the service: neither the stack itself nor the provider. */
function isObject({ type }: StepEventMetadata): boolean {
  return !type.startsWith("pulumi:");
}

function isStack(urn: string): boolean {
  return urn.includes("::pulumi:pulumi:Stack::");
}
