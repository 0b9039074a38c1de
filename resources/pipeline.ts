/** Resource type `Pipeline`. */
import { Pipeline } from "../client/api/pipelines.js";
import { UNKNOWN } from "../diff/values.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { revisionHash } from "./definition/formats.js";
import { createSingleSource, keys, lists, single } from "./definition/lists.js";
import { flag, id, optional, refType, text, triggerMode } from "./definition/primitives.js";
import { notSent, projectArgs, projectReference } from "./definition/references.js";
import {
  checkSchedule,
  cronSyntax,
  cronUpdates,
  listLostSchedule,
  refuseOtherCron,
  repeatsSchedule,
  schedule,
  scheduleArgs,
} from "./pipeline-schedule.js";
import { pipelineRunTimes } from "./run-times.js";

/** Spec, Endpoints: Pipelines. */
export const pipeline = defineResource({
  type: "Pipeline",
  noun: "pipeline",
  description: "An ordered list of actions that runs by hand, on a schedule or on every push.",
  remote: Pipeline,
  args: {
    ...projectArgs,
    name: text.describe("Name of the pipeline. A change renames it in place."),
    triggerMode: triggerMode.describe("What starts a run."),
    refType: optional(refType, "Kind of ref in `refName`."),
    refName: text.describe("Branch, tag, wildcard or pull request to run, depending on `refType`."),
    alwaysFromScratch: flag("Deploy everything in each run instead of only the changes."),
    autoClearCache: flag("Clear the cache before each run."),
    noSkipToMostRecent: flag("Run every queued revision instead of only the newest."),
    doNotCreateCommitStatus: flag("Do not send the status of runs to the Git provider."),
    ...scheduleArgs,
    lastExecutionRevision: optional(
      revisionHash,
      "Hash of the commit that counts as deployed. It is sent when its declaration is added or changed. Every run moves it, " +
        "which is not drift. Removing the declaration does not change it.",
      "5f1d7a84db00d2fce00b31a7fc73224cbb3aae76",
    ),
    cronSyntax,
    cronUpdates,
  },
  outputs: { pipelineId: output("id", id.describe("Number of the pipeline.")), htmlUrl },
  id: ["project", "pipelineId"],
  identity: { state: "pipelineId", apiName: "id" },
  restricted: true,
  naturalKey: ["project", "name"],
  spelling: { name: "name" },
  replaceOn: ["project"],
  runTimes: pipelineRunTimes,
  clientOnly: ["cronSyntax", "cronUpdates"],
  permits: ["cronUpdates"],
  // It decides which code runs.
  alwaysShown: ["refName"],
  // The service accepts the schedule but does not show it (spec, Resources: Pipeline).
  // Every run moves the deployed revision, which is not drift.
  writeOnly: [...schedule, "lastExecutionRevision"],
  askInstead: { startDate: "cron", delay: "cron" },
  serverDefaults: () => ({ refType: UNKNOWN }),
  forceSend: (args) => (repeatsSchedule(args) ? ["startDate", "delay"] : []),
  references: { project: projectReference },
  apiFields: {
    project: notSent,
    projectId: notSent,
    lastExecutionRevision: {
      to: (hash, creating): { last_execution_revision?: string } =>
        creating || hash === null ? {} : { last_execution_revision: hash },
      from: () => undefined,
      keys: () => [],
    },
    // A removed cron is not sent, since a PATCH documents none: another schedule or trigger mode replaces it.
    cron: { to: (cron): { cron?: string } => (cron === null ? {} : { cron }) },
    doNotCreateCommitStatus: {
      to: (
        value: boolean,
        creating,
      ): { do_not_create_commit_status?: boolean; omit_status_sending?: boolean } =>
        creating ? { do_not_create_commit_status: value } : { omit_status_sending: value },
      from: (remote) => remote.do_not_create_commit_status,
      keys: () => ["do_not_create_commit_status"],
    },
  },
  afterCreate: {
    args: ["lastExecutionRevision"],
    // A POST does not accept it.
    async run(context, { id }, state) {
      const { lastExecutionRevision: revision, startDate = null, delay = null } = state;
      if (revision === undefined) return undefined;
      const schedule = repeatsSchedule(state) ? { start_date: startDate, delay } : {};
      const body = { last_execution_revision: revision, ...schedule };
      return context.api.pipelines.update(context.workspace, context.projectOf(state), id, body);
    },
  },
  document: { section: "pipelines", under: { Project: "project" }, keyedBy: "name", form: "map" },
  examples: {
    create: {
      project: "@Project",
      name: "deploy",
      triggerMode: "MANUAL",
      refType: "BRANCH",
      refName: "main",
    },
    update: { name: "release", triggerMode: "ON_EVERY_PUSH", alwaysFromScratch: true },
    outside: { refName: "develop" },
  },

  matches: (remote, { name }) => remote.name === name,
  rules: checkSchedule,
  lost: listLostSchedule,
  validateChange: refuseOtherCron,
  replaceWhen: ({ changed, news }) =>
    changed.includes("cron") && news.cronUpdates === "replace" ? ["cron"] : [],
  list: (context, state) => lists.pipelines(context, context.projectOf(state)),
  // Read by itself, because one request returns all fields and all actions, and a list neither.
  sources(context, state) {
    const project = context.projectOf(state);
    const load = () => single.pipeline(context, project, state.pipelineId);
    return [createSingleSource(keys.pipeline(project, state.pipelineId), load)];
  },
  create: (context, body, state) =>
    context.api.pipelines.create(context.workspace, context.projectOf(state), body),
  update: (context, body, state) =>
    context.api.pipelines.update(context.workspace, context.projectOf(state), state.pipelineId, body),
  delete: (context, state) =>
    context.api.pipelines.delete(context.workspace, context.projectOf(state), state.pipelineId),
});
