/** Facts about actions: which ones run in every execution, and which ones can fail. */
import type { Entry } from "../load/entries.js";
import type { Linted } from "./lint-document.js";

/** Returns the actions of a pipeline in order, without disabled ones. */
export function listRunningActions(linted: Linted, pipeline: Entry): Entry[] {
  return linted.under(pipeline, "Action").filter(({ written }) => written["disabled"] !== true);
}

export function isUnconditional({ written }: Entry): boolean {
  return written["triggerTime"] === "ON_EVERY_EXECUTION";
}

export function canFail({ written }: Entry): boolean {
  return written["ignoreErrors"] !== true;
}

/** Returns a name such as `pipeline "deploy" of project "web"`. */
export function getCalledActions({ definition, key, parent }: Entry): string {
  return parent
    ? `${definition.noun} "${key}" of ${getCalledActions(parent)}`
    : `${definition.noun} "${key}"`;
}
