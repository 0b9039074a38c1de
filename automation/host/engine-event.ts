/** Events as the engine sends them, of plans that are known without it. */
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { isSecret, MASKED, sortKeys } from "../../diff/values.js";

/** Writes a value as the engine's events do: as JSON with the keys in order, by which plans are compared, and with masks in the place of secrets. */
export function writeMasked(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) => sortKeys(isSecret(inner) ? MASKED : inner));
}

export function createEvent(metadata: object): EngineEvent {
  const text = writeMasked({ old: null, new: null, ...metadata });
  const event = { metadata: JSON.parse(text) as StepEventMetadata, planning: true };
  return { sequence: 0, timestamp: Math.floor(Date.now() / 1000), resOutputsEvent: event };
}
