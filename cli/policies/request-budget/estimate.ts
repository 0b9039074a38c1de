/** Estimates the requests that a plan takes. */
import {
  addressOf,
  definitionOf,
  estimateRequests,
  type Count,
  type CountedRequests,
  type SharedReads,
} from "../../../provider/index.js";
import type { PlannedObject } from "../../engine/plan/objects.js";
import type { WorkspaceConnection } from "../../connection/connection.js";

/** Id of the caller, who is none of the members that are removed. */
const NOBODY = -1;

export interface EstimateInput {
  readonly objects: readonly PlannedObject[];
  /** What the preview has read: `up` does not read it again. */
  readonly reads: SharedReads;
  /** Whether `up` refreshes the state first, and so looks for deleted objects again. */
  readonly refreshes: boolean;
  /** How many items the lists had, by their keys. */
  readonly sizes: CountedRequests["sizes"];
}

/** Returns the requests between the end of the preview and the end of `up`. */
export async function estimate(
  { objects, reads, refreshes, sizes }: EstimateInput,
  { workspace, baseUrl }: Pick<WorkspaceConnection, "workspace" | "baseUrl">,
): Promise<Count> {
  const address = addressOf(baseUrl, workspace);
  const counts = await estimateRequests({
    workspace,
    baseUrl,
    isRead: (key) => reads.isRead(address, key),
    sizes,
    callerId: NOBODY,
    steps: objects.map((object) => ({
      ...object,
      definition: definitionOf(object.type),
      // Its parent makes the requests.
      ...(object.within === undefined ? {} : { operation: "release" }),
    })),
  });
  const sum = (of: keyof Count) => counts.reduce((all, count) => all + count[of], 0);
  return { reads: sum("reads") + (refreshes ? reads.failures(address) : 0), writes: sum("writes") };
}
