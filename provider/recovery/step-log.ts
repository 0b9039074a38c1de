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
      /** Why it is not as it was asked for. */
      readonly errors?: readonly string[];
    }
  /** The creation failed. The create journal knows whether something may be there all the same. */
  | { readonly op: "failed"; readonly urn: string }
  | {
      readonly op: "updated";
      readonly urn: string;
      readonly id: string;
      readonly inputs: Fields;
      readonly outputs: Fields;
      readonly errors?: readonly string[];
    }
  /** It was deleted, or found deleted. */
  | { readonly op: "deleted"; readonly urn: string; readonly id: string }
  /** The program has said something else of an object than the state did: another URN, whether it is protected, ... */
  | { readonly op: "registered"; readonly urn: string };

export interface StepLog {
  /** Records a step. Never fails: what has been done can only be reported to the engine. */
  record(step: Step): Promise<void>;
  /** @throws {Error} when a step could not be recorded, so that nothing more is begun and the run ends */
  ensureWritable(): void;
}

/** For runs in which Pulumi writes the state after each step. */
export const noStepLog: StepLog = { record: () => Promise.resolve(), ensureWritable: () => {} };
