/** What rules have to know of actions: which run in every execution, and which can fail. */
import type { Entry } from "../load/entries.js";
import type { Linted } from "./lint-document.js";

/** The actions of a pipeline in their order, without those that are switched off. */
export function runningActions(linted: Linted, pipeline: Entry): Entry[] {
  return linted.under(pipeline, "Action").filter(({ written }) => written["disabled"] !== true);
}

export function isUnconditional({ written }: Entry): boolean {
  return written["triggerTime"] === "ON_EVERY_EXECUTION";
}

export function canFail({ written }: Entry): boolean {
  return written["ignoreErrors"] !== true;
}

/** `pipeline "deploy" of project "web"` */
export function calledActions({ definition, key, parent }: Entry): string {
  return parent ? `${definition.noun} "${key}" of ${calledActions(parent)}` : `${definition.noun} "${key}"`;
}
