/** Says what a plan means besides its operations: who gains or loses access, and what starts or stops running. */
import { plain } from "../../../client/printable.js";
import { definitionOf } from "../../../provider/index.js";
import { LogicalName } from "../../../provider/definition/logical-name.js";
import type { CheckedPlan } from "../../engine/plan/checked-plan.js";
import { newRuns, stoppedRuns } from "../../policies/new-runs.js";
import { isInOrder } from "./words.js";

export interface Risk {
  readonly label: "Access" | "Starts" | "Stops";
  readonly lines: readonly string[];
}

export function risksOf({ access, objects }: Pick<CheckedPlan, "access" | "objects">): Risk[] {
  const started = newRuns(objects)
    .filter(startsItself)
    .map(({ name, runs, before }) => {
      const was = before === undefined ? "" : ` (before: ${before})`;
      return `${keysOf(name)} ${runs}${was}`;
    });
  const stopped = stoppedRuns(objects)
    .filter(startsItself)
    .map(({ name, before }) => `${keysOf(name)}, which runs ${before}`);
  const all: Risk[] = [
    { label: "Access", lines: access.lines.map(plain) },
    { label: "Starts", lines: started.map(plain) },
    { label: "Stops", lines: stopped.map(plain) },
  ];
  return all.filter(({ lines }) => lines.length > 0);
}

/** Whether it starts by itself, and not as a part of something in which the plan shows it. */
function startsItself({ type }: { readonly type: string }): boolean {
  return !isInOrder(definitionOf(type));
}

/** `web/Deploy` of `projects/web/pipelines/Deploy` */
function keysOf(name: string): string {
  const isPath = name.split("/").length % 2 === 0;
  return isPath ? new LogicalName(name).steps.map(({ key }) => key).join("/") : name;
}
