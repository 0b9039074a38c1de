/** A change of an object in the past. */
import { pickDefined } from "../../../diff/values.js";
import type { PropertyChange } from "../../engine/plan/property-changes.js";
import type { RunOrigin } from "../../run-origin.js";

export interface HistoryEntry {
  /** End of the run, in milliseconds. */
  readonly at: number;
  /** Start of a run that Pulumi has recorded, in milliseconds. */
  readonly startedAt?: number;
  /** `found` for a change that was made outside, which a refresh found. */
  readonly operation: "create" | "adopt" | "update" | "replace" | "delete" | "release" | "rename" | "found";
  /** The name before it was renamed. */
  readonly formerName?: string;
  readonly by: Partial<Pick<RunOrigin, "actor" | "commit" | "run">>;
  /** Fingerprint of the approved plan. */
  readonly approved?: string | undefined;
  readonly changes: readonly PropertyChange[];
  readonly source: "receipt" | "pulumi";
}

/** Omits what is not known. */
export function pickOrigin({ actor, commit, run }: Partial<RunOrigin>): HistoryEntry["by"] {
  return pickDefined({ actor, commit, run });
}
