/** Answers what an event would run in a workspace, from its file alone. */
import type { ObjectInFile } from "../load/objects-in-file.js";
import { withDescendants } from "../load/objects-in-file.js";
import { type RunActions, splitActions } from "./actions.js";
import { listScheduleDoubts } from "./schedule-doubts.js";
import { type Certainty, decideStart, type StartEvent } from "./starts.js";
import { listAmbiguousKeys, listVariablesSeenBy, type VisibleVariable } from "./variables.js";

export { type ActionInRun, type RunActions } from "./actions.js";
export { decideStart, type StartEvent } from "./starts.js";
export type { VisibleVariable } from "./variables.js";

export interface PipelineRun {
  readonly project: string;
  readonly pipeline: string;
  readonly starts: Exclude<Certainty, "no">;
  /** Condition, or the reason why it is not known. */
  readonly note?: string;
  /** Trigger as the file declares it. */
  readonly trigger: Readonly<Partial<Record<(typeof TRIGGER)[number], string>>>;
  /** What is not known about the times of its schedule. */
  readonly scheduleDoubts?: readonly string[];
  readonly actions: RunActions;
  /** Variables that all actions see, from the workspace in. */
  readonly variables: readonly VisibleVariable[];
  /** Variables of single actions, by the action's name. */
  readonly actionVariables: Readonly<Record<string, readonly VisibleVariable[]>>;
  /** Keys of variables that are declared in several scopes, by the action's name. */
  readonly ambiguous: Readonly<Record<string, readonly string[]>>;
}

const TRIGGER = [
  "triggerMode",
  "refType",
  "refName",
  "cron",
  "startDate",
  "delay",
  "runAlways",
  "paused",
] as const;

/**
 * Returns the pipelines that an event starts, or may start, in the order of the file.
 * @param fits selects the pipelines that the event concerns
 */
export function listRuns(
  workspace: ObjectInFile,
  event: StartEvent,
  fits: (project: string, pipeline: string) => boolean,
): PipelineRun[] {
  return [...withDescendants(workspace)].flatMap((object) => {
    if (object.type !== "Pipeline") return [];
    const project = String(object.parent?.args["name"]);
    const pipeline = String(object.args["name"]);
    if (!fits(project, pipeline)) return [];
    const { starts, note } = object.external
      ? { starts: "not known" as const, note: "it is managed elsewhere" }
      : decideStart(object.args, event);
    return starts === "no"
      ? []
      : { project, pipeline, starts, ...(note === undefined ? {} : { note }), ...describeRun(object) };
  });
}

function describeRun(
  pipeline: ObjectInFile,
): Pick<
  PipelineRun,
  "trigger" | "scheduleDoubts" | "actions" | "variables" | "actionVariables" | "ambiguous"
> {
  const actions = pipeline.children("Action");
  const seen = actions.map((action) => [String(action.args["name"]), listVariablesSeenBy(action)] as const);
  const of = <T>(choose: (variables: readonly VisibleVariable[]) => readonly T[]) =>
    Object.fromEntries(
      seen.map(([name, all]) => [name, choose(all)] as const).filter(([, list]) => list.length > 0),
    );
  const trigger = TRIGGER.map((name) => [name, pipeline.args[name] ?? null] as const)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, String(value as unknown)] as const);
  const scheduleDoubts = listScheduleDoubts(pipeline.args);
  return {
    trigger: Object.fromEntries(trigger),
    ...(scheduleDoubts.length > 0 && { scheduleDoubts }),
    actions: splitActions(actions.map(({ args }) => args)),
    variables: listVariablesSeenBy(pipeline),
    actionVariables: of((all) => all.filter(({ scope }) => scope === "action")),
    ambiguous: of(listAmbiguousKeys),
  };
}
