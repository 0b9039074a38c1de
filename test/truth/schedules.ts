/** What the service neither shows nor lets anybody set again: the schedules of pipelines. */
import type { Random } from "../chaos/random.js";
import { entryOf, findNewName } from "./expected.js";
import type { Shown, Snapshot } from "./snapshot.js";
import type { Workspace } from "./workspace.js";

/** Names the pipelines that get a cron by an update, although their declarations do not say how. */
export function withoutSchedule(
  before: Snapshot,
  edited: Snapshot,
  applied: Workspace,
  workspace: Workspace,
): string[] {
  return pipelinesOf(before, edited)
    .filter(({ now, name }) => {
      const { cron, cronUpdates } = entryOf(workspace, findNewName(workspace, name)) ?? {};
      if (cron === undefined || cronUpdates !== undefined) return false;
      return now.says["trigger_mode"] !== "SCHEDULED" || entryOf(applied, name)?.["cron"] !== cron;
    })
    .map(({ name }) => findNewName(workspace, name));
}

/** Does what the refusal says. */
export function allowCron(random: Random, workspace: Workspace, names: readonly string[]): Workspace {
  for (const name of names)
    Object.assign(entryOf(workspace, name) ?? {}, { cronUpdates: random.pick(["replace", "patch"]) });
  return workspace;
}

/** Names the pipelines that somebody gave a schedule. */
export function scheduledByHand(before: Snapshot, edited: Snapshot, workspace: Workspace): string[] {
  return pipelinesOf(before, edited)
    .filter(({ now, name }) => {
      const declared = entryOf(workspace, name)?.["triggerMode"] ?? "SCHEDULED";
      return now.says["trigger_mode"] === "SCHEDULED" && declared !== "SCHEDULED";
    })
    .map(({ name }) => name);
}

/** Returns the pipelines that exist both times, by the names of their declarations. */
function pipelinesOf(before: Snapshot, edited: Snapshot): { name: string; now: Shown }[] {
  return before.all.flatMap((pipeline) => {
    const now = pipeline.type === "Pipeline" ? edited.same(pipeline) : undefined;
    return now === undefined ? [] : [{ name: pipeline.name, now }];
  });
}
