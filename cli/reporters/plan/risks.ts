/** Says what a plan means besides its operations: who gains or loses access, what starts or stops running, and what may be a rename. */
import { stripControls } from "../../../client/printable.js";
import { findDefinition } from "../../../provider/index.js";
import { LogicalName } from "../../../provider/definition/logical-name.js";
import type { CheckedPlan } from "../../policies/checked-plan.js";
import { renameHint } from "../../engine/plan/rename-hints.js";
import { listNewRuns, listStoppedRuns } from "../../policies/new-runs.js";
import { isInOrder } from "./object-words.js";

export interface Risk {
  readonly label: "Access" | "Starts" | "Stops" | "Hint";
  readonly lines: readonly string[];
}

interface RiskOptions {
  /** Include parts of something, which the tree of a plan shows in their place. */
  readonly parts?: boolean;
}

export function listRisks(
  { access, objects, possibleRenames }: Pick<CheckedPlan, "access" | "objects" | "possibleRenames">,
  { parts = false }: RiskOptions = {},
): Risk[] {
  const isShown = ({ type }: { readonly type: string }) => parts || !isInOrder(findDefinition(type));
  const started = listNewRuns(objects)
    .filter(isShown)
    .map(({ name, runs, before }) => {
      const was = before === undefined ? "" : ` (before: ${before})`;
      return `${countKeys(name)} ${runs}${was}`;
    });
  const stopped = listStoppedRuns(objects)
    .filter(isShown)
    .map(({ name, before }) => `${countKeys(name)}, which runs ${before}`);
  const all: Risk[] = [
    { label: "Access", lines: access.lines.map(stripControls) },
    { label: "Starts", lines: started.map(stripControls) },
    { label: "Stops", lines: stopped.map(stripControls) },
    { label: "Hint", lines: possibleRenames.map((one) => stripControls(renameHint(one))) },
  ];
  return all.filter(({ lines }) => lines.length > 0);
}

/** `web/Deploy` of `projects/web/pipelines/Deploy` */
function countKeys(name: string): string {
  const isPath = name.split("/").length % 2 === 0;
  return isPath ? new LogicalName(name).steps.map(({ key }) => key).join("/") : name;
}
