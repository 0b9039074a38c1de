/** How many requests it takes to carry out a plan. */
import { definitionOf, estimateRequests, type Count, type CountedRequests } from "../../../provider/index.js";
import type { PlannedObject } from "../../engine/plan/objects.js";
import type { WorkspaceConnection } from "../../connection/connection.js";

/** Who calls is known then, and it is none of those who are taken out: they stay out of the lists. */
const NOBODY = -1;

export interface EstimateInput {
  readonly objects: readonly PlannedObject[];
  /** `up` reads everything into the state before: what was changed outside has to be there. */
  readonly refreshes: boolean;
  /** What the preview's own refresh took: the other one reads the same. */
  readonly preview: Pick<CountedRequests, "reads" | "sizes">;
}

/** Requests from the end of the preview to the end of `up`. */
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
      // The object that holds it does the work.
      ...(object.within === undefined ? {} : { operation: "release" }),
    })),
  });
  const sum = (of: keyof Count) => counts.reduce((all, count) => all + count[of], 0);
  return { reads: sum("reads") + (refreshes ? preview.reads : 0), writes: sum("writes") };
}
