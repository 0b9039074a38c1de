/** Converts steps and drift to what reports and saved plans contain: whole values, with the arguments of each object. */
import { hasSecret } from "../../diff/values.js";
import { convertArgumentsToJson, toJson } from "../json-value.js";
import type { PublishedChange, PublishedDrift, PublishedStep } from "./schema.js";
import { pickDeclared, type PropertyChange } from "../engine/plan/property-changes.js";
import { buildHashKey, type PlanHashes } from "../policies/plan-fingerprint.js";
import { buildShownKey, type RecordedPlan, type ShownArgs } from "../engine/plan/record-plan.js";

export function publishSteps({
  steps,
  shown,
  hashes,
}: Pick<RecordedPlan, "steps" | "shown"> & { readonly hashes?: PlanHashes }): PublishedStep[] {
  return steps.map(({ changes, replacedFor, reasons, ...step }) => {
    const args = shown.get(buildShownKey(step));
    const hash = hashes?.get(buildHashKey(step));
    return {
      ...step,
      before: publishArguments(args?.exact.before),
      after: publishArguments(args?.exact.after),
      changes: publishChanges(changes, step.operation === "adopt" ? undefined : args),
      replacedFor: [...replacedFor],
      reasons: [...reasons],
      ...(hash === undefined ? {} : { hash }),
    };
  });
}

export function publishDrift({ drift, shown }: Pick<RecordedPlan, "drift" | "shown">): PublishedDrift[] {
  return drift.map((one) => ({
    ...one,
    changes: publishChanges(one.changes, shown.get(buildShownKey(one, true))),
  }));
}

function publishArguments(args: ShownArgs["before"]): PublishedStep["before"] {
  return args === undefined ? null : convertArgumentsToJson(pickDeclared(args));
}

function publishChanges(changes: readonly PropertyChange[], args: ShownArgs | undefined): PublishedChange[] {
  return changes.map(({ parts, path, before, after }) => {
    // A change has names next to ids. What is secret is so in both values.
    const isSecret = hasSecret(before) || hasSecret(after);
    const exact = (side: "before" | "after", value: unknown) =>
      toJson(isSecret || args === undefined ? value : getPart(args.exact[side], parts));
    return { path, pathParts: [...parts], before: exact("before", before), after: exact("after", after) };
  });
}

function getPart(value: unknown, parts: PropertyChange["parts"]): unknown {
  return parts.reduce<unknown>(
    (part, key) => (typeof part === "object" && part !== null ? getOwnValue(part, key) : undefined),
    value,
  );
}

const getOwnValue = (value: object, key: string | number) =>
  Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
