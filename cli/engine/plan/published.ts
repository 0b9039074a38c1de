/** Converts steps and drift to what reports and saved plans contain: whole values, with the arguments of each object. */
import { isMasked } from "../../../provider/index.js";
import { argumentsToJson, toJson } from "../../json-value.js";
import type { PublishedChange, PublishedDrift, PublishedStep } from "../saved-plan/schema.js";
import { declaredProperties, type PropertyChange } from "./changes.js";
import { shownKey, type RecordedPlan, type ShownArgs } from "./steps.js";

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

export function publishedDrift({ drift, shown }: Pick<RecordedPlan, "drift" | "shown">): PublishedDrift[] {
  return drift.map((one) => ({ ...one, changes: changesOf(one.changes, shown.get(shownKey(one, true))) }));
}

function argumentsOf(args: ShownArgs["before"]): PublishedStep["before"] {
  return args === undefined ? null : argumentsToJson(declaredProperties(args));
}

function changesOf(changes: readonly PropertyChange[], args: ShownArgs | undefined): PublishedChange[] {
  return changes.map(({ parts, path, before, after }) => {
    // A change has names next to ids. What is secret is so in both values.
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
