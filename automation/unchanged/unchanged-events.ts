/** The events with which the engine reports a preview without differences. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Fields } from "../../provider/index.js";
import { createEvent } from "../host/engine-event.js";
import type { PlainEntry, PlainState } from "./plain-state.js";

/** An object that was read and is as in the state. A read-only run adds notes to what it reads. */
export interface ReadEntry {
  readonly before: PlainEntry;
  readonly read: PlainEntry;
  /** The arguments as they are declared. */
  readonly declared: Fields;
}

/** A refresh of each object, and then a step that changes nothing. */
export function createEvents({ root, provider }: PlainState, all: readonly ReadEntry[]): EngineEvent[] {
  const own = [root, provider].map((one) => ({ before: one, read: one, declared: one.inputs }));
  const objects = [...own, ...all];
  return [
    ...objects.map(({ before, read }) => createStep("refresh", before, read)),
    ...objects.map(({ read, declared }) => createStep("same", read, { ...read, inputs: declared })),
  ];
}

function createStep(op: "refresh" | "same", old: PlainEntry, now: PlainEntry): EngineEvent {
  const { urn, type, provider } = old;
  return createEvent({ op, urn, type, provider, old: pickReported(old), new: pickReported(now) });
}

/** What events contain of an object. */
function pickReported(entry: PlainEntry): object {
  const { type, urn, custom, id, parent, provider, protect, retainOnDelete, inputs, outputs } = entry;
  return { type, urn, custom, id, parent, provider, protect, retainOnDelete, inputs, outputs };
}
