/**
 * The steps of a run in which Pulumi writes the state only at its end. The provider reports each step before the engine learns of it,
 * so that the state can be completed when the run is killed.
 */
import type { Fields } from "../definition/definition.js";

/** A step on an object. Secrets in its values are marked. */
export type Step =
  | { readonly op: "creating"; readonly urn: string; readonly inputs: Fields }
  | {
      readonly op: "created";
      readonly urn: string;
      readonly id: string;
      readonly outputs: Fields;
      /** Why the object differs from the request. */
      readonly errors?: readonly string[];
    }
  /** The creation failed. The create journal shows whether the object may exist nevertheless. */
  | { readonly op: "failed"; readonly urn: string }
  | {
      readonly op: "updated";
      readonly urn: string;
      readonly id: string;
      readonly inputs: Fields;
      readonly outputs: Fields;
      readonly errors?: readonly string[];
    }
  /** The object was deleted, or no longer existed. */
  | { readonly op: "deleted"; readonly urn: string; readonly id: string }
  /** The registration of an unchanged object differs from the state: its URN, its protection or another option. */
  | { readonly op: "registered"; readonly urn: string };

export interface StepLog {
  /** Records a step. Never fails, because the change has been made and must be reported to the engine. */
  record(step: Step): Promise<void>;
  /** @throws {Error} when a step could not be recorded, so that the run ends without further changes */
  ensureWritable(): void;
}

/** For runs in which Pulumi writes the state after each step. */
export const noStepLog: StepLog = { record: () => Promise.resolve(), ensureWritable: () => {} };
