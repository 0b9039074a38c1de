/** Reads an object for a refresh. A read-only run also notes which values differ, and what it cannot compare. */
import { isSameJson, withoutMarks } from "../../diff/values.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { ProviderError } from "../../resources/errors.js";
import {
  FINGERPRINTS,
  NOT_COMPARED,
  packFingerprints,
  type ReadOnlyMode,
  UNREADABLE,
} from "../connection/read-only-mode.js";
import { pickArgs } from "../crud/diff.js";
import { read } from "../crud/read.js";
import { buildId, omitAdoption } from "../crud/state.js";
import type { Props } from "./secret-marks.js";

/** What the engine gets of an object that was read. */
export interface ReadObject {
  readonly id: string;
  readonly props: Props;
  readonly inputs: Props;
}

export const NOT_FOUND: ReadObject = { id: "", props: {}, inputs: {} };

export interface ObservedProps {
  readonly outs: Fields;
  /** Notes of a read-only run. They never reach a state. */
  readonly notes: Fields;
}

function isPerhapsHidden(error: unknown): boolean {
  return error instanceof ProviderError && error.code === "perhaps-hidden";
}

/** Returns undefined if the object is deleted. */
export async function observeObject(
  definition: Definition,
  context: Context,
  state: Fields,
  readOnly: ReadOnlyMode | undefined,
): Promise<ObservedProps | undefined> {
  const fingerprints = (outs: Fields) => readOnly?.fingerprints(pickArgs(definition, outs)) ?? {};
  const notesOn = (outs: Fields, more: Fields): Fields => ({
    [FINGERPRINTS]: packFingerprints({ applied: fingerprints(state), live: fingerprints(outs) }),
    ...more,
  });
  try {
    const found = await read(definition, context, state);
    if (found === undefined) return undefined;
    const outs = omitAdoption(definition, found.outs);
    const { notCompared } = found;
    if (readOnly === undefined) return { outs, notes: {} };
    return { outs, notes: notesOn(outs, notCompared.length > 0 ? { [NOT_COMPARED]: notCompared } : {}) };
  } catch (error) {
    if (isPerhapsHidden(error)) {
      context.hidden(definition.type, buildId({ definition, context, state }));
      // The object stays as it is in the state: nothing proves that it is deleted.
      if (readOnly === undefined) return { outs: state, notes: {} };
    }
    const reason = readOnly?.unreadable(error);
    if (reason === undefined) throw error;
    return { outs: state, notes: notesOn(state, { [UNREADABLE]: reason }) };
  }
}

/**
 * The arguments that were read, without those that the program does not declare and that are as before. The engine would take them for
 * changes made outside.
 * @param declared empty when the object is imported, or the engine does not pass it
 */
export function omitUnmanaged(found: Fields, declared: Fields, before: Fields): Fields {
  if (Object.keys(declared).length === 0) return found;
  const isAsBefore = (name: string) => isSameJson(withoutMarks(found[name]), withoutMarks(before[name]));
  return Object.fromEntries(
    Object.entries(found).filter(([name]) => Object.hasOwn(declared, name) || !isAsBefore(name)),
  );
}
