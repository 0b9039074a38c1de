/** Estimates the requests that a plan takes. */
import { definitionOf, estimateRequests, type Count, type CountedRequests } from "../../../provider/index.js";
import type { PlannedObject } from "../../engine/plan/objects.js";
import type { WorkspaceConnection } from "../../connection/connection.js";

/** Id of the caller, who is none of the members that are removed. */
const NOBODY = -1;

export interface EstimateInput {
  readonly objects: readonly PlannedObject[];
  /** Whether `up` refreshes the state first. */
  readonly refreshes: boolean;
  /** Requests of the refresh of the preview, which equal those of the next one. */
  readonly preview: Pick<CountedRequests, "reads" | "sizes">;
}

/** Returns the requests between the end of the preview and the end of `up`. */
export async function estimate(
  { objects, refreshes, preview }: EstimateInput,
  { workspace, baseUrl }: Pick<WorkspaceConnection, "workspace" | "baseUrl">,
): Promise<Count> {
  const counts = await estimateRequests({
    workspace,
    baseUrl,
    refreshed: refreshes,
    sizes: preview.sizes,
    callerId: NOBODY,
    steps: objects.map((object) => ({
      ...object,
      definition: definitionOf(object.type),
      // Its parent makes the requests.
      ...(object.within === undefined ? {} : { operation: "release" }),
    })),
  });
  const sum = (of: keyof Count) => counts.reduce((all, count) => all + count[of], 0);
  return { reads: sum("reads") + (refreshes ? preview.reads : 0), writes: sum("writes") };
}
