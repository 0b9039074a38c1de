/** Turns engine events into steps, drift and problems. */
import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { parseLogicalName, STACK_TYPE } from "../../components/urn.js";
import { type NotWatched, withIgnored } from "../../diff/ignored-changes.js";
import { isSameJson } from "../../diff/values.js";
import { type Definition, SECRET_REFERENCES } from "../../provider/index.js";
import { slownessIn, waitIn } from "../progress/tally.js";
import { compareByName, findDefinitionAt, isCustom, isObject, parseIdentity } from "../urn.js";
import { listDriftDifferences } from "./outside-changes.js";
import {
  Observations,
  type Observed,
  type Operation,
  OPERATIONS,
  OwnedSections,
  type PlannedObject,
  PlannedObjects,
} from "./planned-objects.js";
import {
  listSecrets,
  listUnverifiablePaths,
  ObjectLabels,
  type PropertyChange,
  type Unverifiable,
} from "./property-changes.js";
import { listReasons, type Reason, type Replaced, withOwnName } from "./replacement-reasons.js";
import {
  buildShownKey,
  listChanges,
  listOutsideChanges,
  pickShownArgs,
  type ShownArgs,
} from "./shown-arguments.js";

/** An operation on one object. */
export interface PlanStep {
  readonly operation: Operation;
  /** Resource type, such as `Group`. */
  readonly type: string;
  /** Logical name, such as `groups/QA`. */
  readonly name: string;
  /** Its previous name, if the name changes. */
  readonly formerName?: string;
  /** Logical name of the object whose list contains it; absent for a resource of its own. */
  readonly within?: string;
  readonly changes: readonly PropertyChange[];
  /** Properties that force a replacement. */
  readonly replacedFor: readonly string[];
  /** Reasons for the replacement; at least one for each. */
  readonly reasons: readonly Reason[];
  /** Duration, once it is completed. */
  readonly milliseconds?: number;
}

/** An object that was changed or deleted outside. */
export interface Drift {
  readonly type: string;
  readonly name: string;
  readonly gone: boolean;
  readonly changes: readonly PropertyChange[];
}

export interface PlanProblem {
  /** Logical name of the object; absent when the problem concerns the whole operation. */
  readonly name?: string;
  readonly message: string;
}

/** Everything that an operation of the engine reported. */
export interface RecordedPlan {
  readonly steps: readonly PlanStep[];
  readonly drift: readonly Drift[];
  readonly problems: readonly PlanProblem[];
  readonly notes: readonly string[];
  /** Number of unchanged objects. */
  readonly unchanged: number;
  /** Whether anything was or may have been changed outside, watched or not, so that the state is not up to date. */
  readonly changedOutside: boolean;
  /** Declared values of existing objects that cannot be verified. */
  readonly unverifiable: readonly Unverifiable[];
  /** Number of unchanged objects whose state contains secrets that the file refers to, or other references. */
  readonly outdated: number;
  /** Number of unchanged objects of which the state does not contain `retain` and `protect` as declared. */
  readonly unrecorded: number;
  /** Properties whose changes are ignored. */
  readonly notWatched: readonly NotWatched[];
  /** Whole arguments by {@link buildShownKey}. */
  readonly shown: ReadonlyMap<string, ShownArgs>;
  /** All objects of the plan. */
  readonly objects: readonly PlannedObject[];
  /** Names of the objects. */
  readonly labels: ObjectLabels;
  /** What file, state and workspace contain of each object. */
  readonly observed: readonly Observed[];
}

/** Of a step, the version after it is the declared one. */
const AFTER = 1;

/** The program reads an object, or no longer reads it. */
const READS: readonly OpType[] = ["read", "read-replacement", "discard", "discard-replaced"];

/** What Pulumi's language host for Node.js prints before it ends, where the engine only notices that it has ended. */
const NO_SDK = /^It looks like the Pulumi SDK has not been installed/;
/** Newer versions of Pulumi warn about it. */
const FROM_PATH = /^using pulumi-(resource-pulumi|language)-nodejs from \$PATH/;

/** Collects the engine's events while an operation runs. */
export class PlanRecorder {
  private steps: { readonly step: PlanStep; readonly metadata: StepEventMetadata }[] = [];
  private readonly drift: StepEventMetadata[] = [];
  /** URNs of what the program only reads, or has read until now. */
  private readonly onlyRead = new Set<string>();
  private readonly observations = new Observations();
  private readonly planned = new PlannedObjects();
  private readonly labels = new ObjectLabels();
  private readonly problems: PlanProblem[] = [];
  private readonly notes = new Set<string>();
  private readonly unchanged = new Set<string>();
  private readonly outdated = new Set<string>();
  private readonly unrecorded = new Set<string>();
  private replaced: Replaced[] = [];
  private readonly unverifiable = new Map<string, Unverifiable[]>();
  private readonly owned = new OwnedSections();
  /** Start time of the operation on each object, by URN. */
  private readonly began = new Map<string, number>();

  /**
   * @param refreshing the operation is a refresh, so every reported change was made outside
   * @param onStep receives each object as soon as it is completed
   * @param isAdopted whether an object existed before the engine reports it as created
   */
  constructor(
    private readonly refreshing: boolean = false,
    private readonly onStep: (step: PlanStep) => void = () => {},
    private readonly isAdopted: (type: string, id: string) => boolean = () => false,
  ) {}

  /** Ids by logical name. */
  ids = new Map<string, string>();

  /** URNs of objects that the operation skips. */
  leftOut: ReadonlySet<string> = new Set();

  /** Objects whose changes the engine ignores in part. */
  notWatched: readonly NotWatched[] = [];

  /** Masks secrets in messages of the engine and the provider. */
  hide: (message: string) => string = (message) => message;

  readonly onEvent = (event: EngineEvent): void => {
    // Messages of severity "debug" contain decrypted secrets, so they are ignored.
    const { diagnosticEvent, resourcePreEvent, resOutputsEvent } = event;
    if (resourcePreEvent) this.began.set(resourcePreEvent.metadata.urn, Date.now());
    if (diagnosticEvent) this.diagnosed(diagnosticEvent);
    if (resOutputsEvent && isObject(resOutputsEvent.metadata))
      this.worked(withOwnName(resOutputsEvent.metadata, this.replaced));
  };

  get recorded(): RecordedPlan {
    const { problems, notes, unchanged } = this;
    const steps = this.steps.map(({ step, metadata }) => {
      const args = pickShownArgs(metadata, this.labels, AFTER);
      return { step: this.whole(step, metadata, args), metadata, args };
    });
    // A refresh reports every object, and most of them are unchanged.
    const managed = this.drift.filter(({ urn }) => !this.onlyRead.has(urn));
    const changed = managed.flatMap((metadata) => {
      const args = pickShownArgs(metadata, this.labels);
      return isAsApplied(metadata, args) ? [] : [{ metadata, args }];
    });
    const { objects: observed } = this.observations;
    const inState = new Map(observed.map((one) => [one.urnInState, one]));
    return {
      observed,
      objects: this.planned.named(steps.map(({ step }) => step)),
      labels: this.labels,
      steps: steps.map(({ step }) => step).toSorted(compareByName),
      drift: changed
        .flatMap(({ metadata, args }) => this.changedOutside(metadata, args, inState.get(metadata.urn)))
        .toSorted(compareByName),
      changedOutside:
        changed.length > 0 ||
        // The last run failed after it had made or changed the object: its state may not be what the service has.
        managed.some(({ old }) => (old?.initErrors ?? []).length > 0) ||
        steps.some(({ metadata }) => updatesSecrets(metadata) && this.wasRead(metadata)),
      problems: [...problems],
      notes: [...notes],
      unchanged: unchanged.size,
      outdated: this.outdated.size,
      unrecorded: this.unrecorded.size,
      unverifiable: [...this.unverifiable.values()].flat().toSorted(compareByName),
      shown: new Map([
        ...steps.map(({ step, args }) => [buildShownKey(step), args] as const),
        ...changed.map(({ metadata, args }) => [buildShownKey(parseIdentity(metadata), true), args] as const),
      ]),
      notWatched: [...this.notWatched],
    };
  }

  private wasRead({ urn, old }: StepEventMetadata): boolean {
    return this.drift.some((one) => one.urn === urn || one.urn === old?.urn);
  }

  /** What was changed outside and is not as declared. Without a plan, what was applied is declared. */
  private changedOutside(
    metadata: StepEventMetadata,
    args: ShownArgs,
    object: Observed | undefined,
  ): Drift[] {
    const identity = parseIdentity(object ? { ...metadata, urn: object.urn } : metadata);
    const gone = !metadata.new?.id;
    const after = withIgnored(args.after, args.before, this.ignoredOf(metadata));
    const changes = gone ? [] : listOutsideChanges(metadata, { ...args, after });
    // An object of another provider.
    if (object === undefined) return gone || changes.length > 0 ? [{ ...identity, gone, changes }] : [];
    const { declared = this.refreshing ? object.applied : undefined } = object;
    if (gone) return declared === undefined ? [] : [{ ...identity, gone, changes }];
    const differences = listDriftDifferences({ ...object, ...(declared ? { declared } : {}) });
    const names = new Set(differences.filter(({ outside }) => outside).map(({ path }) => path[0]));
    const shown = changes.filter(({ parts }) => names.has(parts[0]));
    return shown.length > 0 ? [{ ...identity, gone, changes: shown }] : [];
  }

  private ignoredOf(metadata: StepEventMetadata): readonly string[] {
    const { type, name } = parseIdentity(metadata);
    return this.notWatched.find((one) => one.type === type && one.name === name)?.paths ?? [];
  }

  /** Completes the steps at the end, when reasons, owners and names of all objects are known. */
  private whole(step: PlanStep, metadata: StepEventMetadata, args: ShownArgs): PlanStep {
    const changes = listChanges(metadata, args);
    if (step.operation === "replace") {
      const reasons = listReasons(findDefinitionAt(metadata), metadata, changes, this.replaced);
      return { ...step, changes, reasons };
    }
    const isReleased = step.operation === "delete" && this.owned.contain(step.name);
    return { ...step, changes, ...(isReleased ? { operation: "release" } : {}) };
  }

  private diagnosed({ severity, message, urn }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    const text = this.hide(message.replace(/^error: /, "").trim());
    if (severity === "error" || NO_SDK.test(text)) {
      // "update failed" adds nothing to the causes already reported.
      if (!/^(update|preview|refresh|destroy) failed$/.test(text)) this.problem(text, urn);
    } else if (waitIn(text) !== undefined || slownessIn(text) !== undefined || FROM_PATH.test(text)) {
      // Progress has already shown the wait, and the toolchain has put these plugins there.
    } else if ((severity === "warning" || severity === "info" || severity === "info#err") && text !== "") {
      this.notes.add(text);
    }
  }

  private problem(text: string, urn: string | undefined): void {
    const message = text.replace(/^Preview failed: /, "");
    const name = urn && !urn.includes(`::${STACK_TYPE}::`) ? parseLogicalName(urn) : undefined;
    if (this.problems.some((known) => known.message === message && known.name === name)) return;
    this.problems.push({ message, ...(name === undefined ? {} : { name }) });
  }

  /** The program only read the object until now, so the engine deletes nothing although it calls this a replacement. */
  private createInstead({ urn }: StepEventMetadata): void {
    const replacement = this.steps.find(({ metadata }) => metadata.urn === urn && metadata.op === "replace");
    if (replacement === undefined) return;
    this.steps = this.steps.filter((one) => one !== replacement);
    this.replaced = this.replaced.filter(({ metadata }) => metadata.urn !== urn);
    const { old: _read, ...planned } = replacement.metadata;
    this.worked({ ...planned, op: "create" });
  }

  private worked(metadata: StepEventMetadata): void {
    const { op, old, new: fresh } = metadata;
    if (READS.includes(op)) this.onlyRead.add(metadata.urn);
    if (op === "discard-replaced") return this.createInstead(metadata);
    const definition = findDefinitionAt(metadata);
    this.planned.note(metadata);
    if (fresh?.id) this.ids.set(parseLogicalName(metadata.urn), fresh.id);
    if (definition) this.labels.note(definition, metadata);
    if (op === "same" && this.leftOut.has(metadata.urn)) return;
    if (definition) this.seen(definition, metadata);
    const outside = op === "refresh" || (this.refreshing && (op === "update" || op === "delete"));
    if (outside) {
      if (definition ?? isCustom(metadata)) this.drift.push(metadata);
      this.observations.onRead(metadata);
      return;
    }
    if (this.refreshing && op === "same") this.observations.onRead(metadata);
    else this.observations.onPlanned(metadata);
    if (op === "same") this.unchanged.add(metadata.urn);
    if (op === "same" && !isSameJson(old?.inputs[SECRET_REFERENCES], fresh?.inputs[SECRET_REFERENCES]))
      this.outdated.add(metadata.urn);
    if (op === "same" && describeOptions(old) !== describeOptions(fresh)) this.unrecorded.add(metadata.urn);
    const operation = OPERATIONS[op];
    if (operation === undefined || operation === "same") return;
    const step: PlanStep = {
      operation: this.operationOf(operation, metadata),
      ...parseIdentity(metadata),
      ...(old && fresh && old.urn !== fresh.urn ? { formerName: parseLogicalName(old.urn) } : {}),
      changes: [],
      replacedFor: operation === "replace" ? (metadata.keys ?? []) : [],
      reasons: [],
      milliseconds: Date.now() - (this.began.get(metadata.urn) ?? Date.now()),
    };
    this.steps.push({ step, metadata });
    if (operation === "replace") this.replaced.push({ ...parseIdentity(metadata), metadata });
    this.onStep(step);
  }

  private operationOf(operation: Operation, metadata: StepEventMetadata): Operation {
    const { old, new: fresh } = metadata;
    if (operation === "delete" && old?.retainOnDelete) return "release";
    const isThere =
      operation === "create" && fresh?.id && this.isAdopted(parseIdentity(metadata).type, fresh.id);
    return isThere ? "adopt" : operation;
  }

  private seen(definition: Definition, metadata: StepEventMetadata): void {
    const { type, name } = parseIdentity(metadata);
    const ignored = this.ignoredOf(metadata);
    const paths = (metadata.op === "delete" ? [] : listUnverifiablePaths(definition, metadata)).filter(
      ({ parts }) => !ignored.includes(String(parts[0])),
    );
    this.unverifiable.set(
      metadata.urn,
      paths.map((path) => ({ type, name, ...path })),
    );
    this.owned.note(metadata);
  }
}

function describeOptions(state: StepEventMetadata["old"]): string {
  return [state?.retainOnDelete ?? false, state?.protect ?? false].join();
}

/** Whether a secret may have been changed outside: the engine's events mask its old and its new value. */
function updatesSecrets({ op, new: fresh }: StepEventMetadata): boolean {
  return op === "update" && listSecrets(fresh?.inputs).length > 0;
}

/** Whether an object is as the state says. */
function isAsApplied(metadata: StepEventMetadata, args: ShownArgs): boolean {
  return Boolean(metadata.new?.id) && listOutsideChanges(metadata, args).length === 0;
}
