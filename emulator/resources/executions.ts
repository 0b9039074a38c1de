/** Endpoints and tables of executions. */
import { z } from "zod";
import { formatDate } from "../clock.js";
import type { Context, ProjectLocation } from "../context.js";
import { actionExecutionStatuses, executionStatuses } from "../enums.js";
import { createBadRequestError } from "../errors.js";
import { type BodyOf, type Fields, flag, integer, nonBlank, text } from "../fields.js";
import type { ActionExecution, ExecutionRow } from "../model.js";
import { pageQuery } from "../paging.js";
import {
  date,
  dateOrNull,
  defineSchema,
  type Json,
  links,
  respondList,
  respondOk,
  serializeFields,
  textOrNull,
  toNullableObjectSchema,
  toObjectSchema,
} from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { memberSummary, serializeMember } from "../serializers/people.js";
import {
  actionSchema,
  pipelineSummary,
  serializeAction,
  serializePipeline,
} from "../serializers/pipelines.js";
import {
  branchSummary,
  commitSummary,
  serializeBranchSummary,
  serializeCommit,
} from "../serializers/repository.js";
import type { Service } from "../service.js";

const area = "Executions";
const path = "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/executions";
const read = defineEndpoints(path, { area, scopes: ["WORKSPACE", "EXECUTION_INFO"], pipelines: "READ_ONLY" });
const run = defineEndpoints(path, { area, scopes: ["WORKSPACE", "EXECUTION_RUN"], pipelines: "RUN_ONLY" });
const named = z.object({ name: nonBlank }).nullish();

const runBody = {
  to_revision: z.object({ revision: nonBlank.describe("A hash or HEAD.") }),
  branch: named,
  tag: named,
  comment: nonBlank.nullish(),
  refresh: flag.nullish().describe("Deploy from scratch."),
} as const satisfies Fields;

const getExecution = (context: Context): ExecutionRow =>
  context.row(context.store.executions, "execution_id", "Execution", context.pipeline);

const executionFields = {
  ...links,
  id: integer,
  start_date: date,
  finish_date: dateOrNull,
  mode: text,
  refresh: flag,
  status: z.enum(executionStatuses),
  comment: textOrNull,
  branch: toNullableObjectSchema(branchSummary),
  from_revision: toNullableObjectSchema(commitSummary),
  to_revision: toNullableObjectSchema(commitSummary),
  creator: toObjectSchema(memberSummary),
} as const;

const executionSummary = defineSchema("ExecutionSummary", executionFields);

const executionFull = defineSchema("Execution", {
  ...executionFields,
  pipeline: toObjectSchema(pipelineSummary),
  action_executions: z.array(
    z.object({
      status: z.enum(actionExecutionStatuses),
      progress: z.number(),
      action: toObjectSchema(actionSchema),
    }),
  ),
});

async function serializeRevision(location: ProjectLocation, revision: string | null): Promise<Json | null> {
  const commit = await location.service.repositories.of(location.project).commit(revision ?? undefined);
  return commit === undefined ? null : serializeCommit(location, commit);
}

async function serializeExecution(location: ProjectLocation, row: ExecutionRow): Promise<Json> {
  // Reads the current values first, because the run continues while the revisions are read.
  const copy = { ...row };
  const current = {
    ...location.service.links.inProject(location, "pipelines", row.pipelineId, "executions", row.id),
    start_date: formatDate(row.startedAt),
    finish_date: row.finishedAt === null ? null : formatDate(row.finishedAt),
    branch: row.branch === null ? null : serializeBranchSummary(location, row.branch),
    creator: serializeMember(location, row.creatorId),
  };
  const [from_revision, to_revision] = await Promise.all(
    [row.from_revision, row.to_revision].map((revision) => serializeRevision(location, revision)),
  );
  return serializeFields(copy, executionSummary, { ...current, from_revision, to_revision });
}

/** @param isNew whether this responds to the start: all actions are in progress and none has made any, however long the response takes */
async function serializeExecutionFull(
  location: ProjectLocation,
  row: ExecutionRow,
  isNew = false,
): Promise<Json> {
  const { service } = location;
  const moment = isNew ? row.startedAt : service.clock.now();
  const { actions, pipelines } = service.store;
  const parts = {
    pipeline: serializePipeline(location, pipelines.require(row.pipelineId)),
    action_executions: row.actions.map((each) => ({
      status: isNew ? each.status : getStatus(each),
      progress: computeProgress(service, each, moment),
      // The current action, or its copy in the run after a deletion.
      action: serializeAction(location, actions.get(each.actionId) ?? each.action, "full"),
    })),
  };
  return { ...(await serializeExecution(location, row)), ...parts };
}

/** Returns the status of an action, which waits while the actions before it run. */
function getStatus({ status, startedAt }: ActionExecution): ActionExecution["status"] {
  return status === "INPROGRESS" && startedAt === null ? "ENQUEUED" : status;
}

/** Returns the progress from 0.0 to 100.0, with one decimal. */
function computeProgress(
  service: Service,
  { startedAt, finishedAt }: ActionExecution,
  moment: number,
): number {
  if (startedAt === null) return 0;
  if (finishedAt !== null) return 100;
  const passed = moment - startedAt;
  const share = passed <= 0 ? 0 : passed / (service.settings.actionSeconds * 1000);
  return Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
}

/** Returns what an execution runs on: the branch, and the commit that the requested revision means there. */
async function resolveTarget(
  context: Context,
  body: BodyOf<typeof runBody>,
): Promise<{ branch: string | null; revision: string | null }> {
  const { repository, project, pipeline } = context;
  const { revision } = body.to_revision;
  if (body.tag != null) {
    const tagged = await repository.tag(body.tag.name);
    if (tagged === undefined) throw createBadRequestError(`Tag '${body.tag.name}' does not exist.`);
    if (revision === "HEAD") return { branch: null, revision: tagged };
  }
  const own = pipeline.ref_type === "BRANCH" ? pipeline.ref_name : project.default_branch;
  const branch = body.branch?.name ?? own;
  const tip = await repository.branch(branch);
  if (body.branch != null && tip === undefined && branch !== project.default_branch) {
    throw createBadRequestError(`Branch '${branch}' does not exist.`);
  }
  const oid = revision === "HEAD" ? tip : await repository.resolve(revision);
  if (oid === undefined && revision !== "HEAD")
    throw createBadRequestError(`Revision '${revision}' does not exist.`);
  // A project without commits can run its pipelines, but has no revision.
  return { branch: body.tag == null ? branch : null, revision: oid ?? null };
}

export const executionResource: Resource = {
  tables: { executions: { belongsTo: { pipelines: "pipelineId" } } },
  routes: [
    read("GET", "Executions of a pipeline, newest first", {
      query: pageQuery,
      response: respondList("executions", executionSummary),
      handle: (context) => {
        const rows = context.page(context.store.executions.of(context.pipeline.id).toReversed(), "fixed");
        return Promise.all(rows.map((row) => serializeExecution(context, row)));
      },
    }),
    run("POST", "Run the pipeline", {
      body: runBody,
      response: respondOk(executionFull),
      handle: async (context) => {
        const { service, pipeline, user, body } = context;
        const { comment, refresh } = body;
        const run = { mode: "MANUAL", creatorId: user.id, comment, refresh };
        const execution = service.runner.start(pipeline, { ...run, ...(await resolveTarget(context, body)) });
        return serializeExecutionFull(context, execution, true);
      },
    }),
    read("GET /:execution_id", "One execution with the progress of its actions", {
      response: respondOk(executionFull),
      handle: (context) => serializeExecutionFull(context, getExecution(context)),
    }),
    run("PATCH /:execution_id", "Retry or cancel an execution", {
      body: { operation: z.enum(["RETRY", "CANCEL"]) },
      response: respondOk(executionFull),
      handle: (context) => {
        const { service, pipeline, body } = context;
        const execution = getExecution(context);
        const isBegun = body.operation === "RETRY" && service.runner.retry(pipeline, execution);
        if (body.operation === "CANCEL") service.runner.cancel(pipeline, execution);
        return serializeExecutionFull(context, execution, isBegun);
      },
    }),
  ],
};
