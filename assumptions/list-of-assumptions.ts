/** All assumptions, in the order of the page. */
import { actionAssumptions } from "./actions.js";
import type { Assumption, AssumptionGroup } from "./assumption.js";
import { peopleAssumptions } from "./people.js";
import { pipelineAssumptions } from "./pipelines.js";
import { requestAssumptions } from "./requests.js";
import { valueAssumptions } from "./values.js";

const groups = [
  actionAssumptions,
  pipelineAssumptions,
  peopleAssumptions,
  valueAssumptions,
  requestAssumptions,
] as const;

export type AssumptionId = (typeof groups)[number]["assumptions"][number]["id"];

export const assumptionGroups: readonly AssumptionGroup<AssumptionId>[] = groups;

export const assumptions: readonly Assumption<AssumptionId>[] = assumptionGroups.flatMap(
  (group) => group.assumptions,
);
