/**
 * Records the guards that are in force at an `up`, as an output of the stack, so that a later preview can say what was loosened. The
 * state is the one place that every backend and both engines have, and that a change of a checkout cannot reach.
 */
import { z } from "zod";
import { isSameJson } from "../../../diff/values.js";
import type { Fields } from "../../../provider/index.js";
import { guardSettings } from "../../../workspace-file/document/guard-settings.js";
import type { GuardSettings } from "../../../workspace-file/index.js";
import type { PlannedObject } from "../../engine/plan/planned-objects.js";
import type { Policy } from "../policy-file/policy.js";
import { listLooserSettings, type Loosened } from "./strictness.js";

/** Name of the output. */
export const GUARDS_OUTPUT = "workspacectl:guards";

/** The settings from the checkout. A policy from outside cannot be loosened by changing it. */
export interface GuardsInForce {
  readonly file: GuardSettings;
  /** Guards of the policy that a fleet file names. */
  readonly fleet?: GuardSettings | undefined;
}

export function collectGuardsInForce(file: GuardSettings, policies: readonly Policy[]): GuardsInForce {
  const fleet = policies.find(({ ofFleet }) => ofFleet)?.guards;
  return { file, ...(fleet === undefined ? {} : { fleet }) };
}

export function serializeGuards(guards: GuardsInForce): Fields {
  return { [GUARDS_OUTPUT]: guards };
}

/** A later release may have recorded settings that this one does not know. */
const known = z.object(guardSettings.shape);
const recordSchema = z.object({ file: known, fleet: known.optional() });

/** Returns the guards of the last `up`; undefined if it was one of an earlier release, or there was none. */
export function parseRecordedGuards(outputs: Fields): GuardsInForce | undefined {
  return recordSchema.safeParse(outputs[GUARDS_OUTPUT]).data;
}

export function isRecorded(guards: GuardsInForce, outputs: Fields): boolean {
  return isSameJson(outputs[GUARDS_OUTPUT], guards);
}

/** Finds what a plan loosens. Without a record, only the protection of objects is known. */
export function listLoosened(
  now: GuardsInForce,
  before: GuardsInForce | undefined,
  objects: readonly PlannedObject[],
): Loosened[] {
  const unprotected = objects.filter(({ losesProtection }) => losesProtection).map(({ name }) => name);
  return [
    ...(before === undefined ? [] : listLooserSettings(before.file, now.file)),
    ...(before?.fleet === undefined ? [] : listLooserSettings(before.fleet, now.fleet ?? {}, "none")),
    ...(unprotected.length === 0
      ? []
      : [{ setting: "protect", before: true, now: false, objects: unprotected }]),
  ];
}

/** Describes a loosened guard in one line. */
export function formatLoosened({ setting, before, now, objects = [] }: Loosened): string {
  if (objects.length > 0)
    return `${setting}: ${objects.join(", ")} ${objects.length === 1 ? "is" : "are"} no longer protected`;
  return `${setting}: ${formatSetting(before)} → ${formatSetting(now)}`;
}

function formatSetting(value: unknown): string {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : value === null ? [] : [value];
  const texts = items.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  return texts.join(", ") || "(none)";
}
