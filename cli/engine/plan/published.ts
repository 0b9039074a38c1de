/** Converts steps and drift to what reports and saved plans contain: whole values, with the arguments of each object. */
import { isMasked } from "../../../provider/index.js";
import { argumentsToJson, toJson, type JsonValue } from "../../json-value.js";
import { declaredProperties, type PropertyChange } from "./changes.js";
import { shownKey, type Drift, type PlanStep, type RecordedPlan, type ShownArgs } from "./steps.js";

/** A property that changes. A missing value is null. */
export interface PublishedChange {
  readonly path: string;
  readonly pathParts: (string | number)[];
  readonly before: JsonValue;
  readonly after: JsonValue;
}

type Arguments = Readonly<Record<string, JsonValue>>;

export interface PublishedStep extends Omit<PlanStep, "changes" | "replacedFor" | "reasons"> {
  /** Arguments before; null for an object that is not in the state. */
  readonly before: Arguments | null;
  /** Arguments after; null for an object that is deleted. */
  readonly after: Arguments | null;
  readonly changes: PublishedChange[];
  readonly replacedFor: string[];
  readonly reasons: PlanStep["reasons"][number][];
}

export function publishedSteps({ steps, shown }: Pick<RecordedPlan, "steps" | "shown">): PublishedStep[] {
  return steps.map(({ changes, replacedFor, reasons, ...step }) => {
    const args = shown.get(shownKey(step));
    return {
      ...step,
      before: argumentsOf(args?.exact.before),
      after: argumentsOf(args?.exact.after),
      changes: changesOf(changes, step.operation === "adopt" ? undefined : args),
      replacedFor: [...replacedFor],
      reasons: [...reasons],
    };
  });
}

export interface PublishedDrift extends Omit<Drift, "changes"> {
  readonly changes: PublishedChange[];
}

export function publishedDrift({ drift, shown }: Pick<RecordedPlan, "drift" | "shown">): PublishedDrift[] {
  return drift.map((one) => ({ ...one, changes: changesOf(one.changes, shown.get(shownKey(one, true))) }));
}

function argumentsOf(args: ShownArgs["before"]): Arguments | null {
  return args === undefined ? null : argumentsToJson(declaredProperties(args));
}

function changesOf(changes: readonly PropertyChange[], args: ShownArgs | undefined): PublishedChange[] {
  return changes.map(({ parts, path, before, after }) => {
    // A change has names beside ids. What is secret is so in both values.
    const isSecret = isMasked(before) || isMasked(after);
    const exact = (side: "before" | "after", value: unknown) =>
      toJson(isSecret || args === undefined ? value : partOf(args.exact[side], parts));
    return { path, pathParts: [...parts], before: exact("before", before), after: exact("after", after) };
  });
}

function partOf(value: unknown, parts: PropertyChange["parts"]): unknown {
  return parts.reduce<unknown>(
    (part, key) => (typeof part === "object" && part !== null ? own(part, key) : undefined),
    value,
  );
}

const own = (value: object, key: string | number) =>
  Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
