import { z } from "zod";
import { flag, nonBlank, type BodyOf, type Fields } from "../fields.js";
import type { Context } from "../context.js";
import { badRequest } from "../errors.js";
import type { ExecutionRow } from "../model.js";
import { pageQuery } from "../paging.js";
import { endpoints, type Resource } from "../route.js";
import { listOf, ok } from "../response.js";
import {
  executionFull,
  executionSummary,
  serializeExecution,
  serializeExecutionFull,
} from "../serializers/executions.js";

const area = "Executions";
const path = "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/executions";
const read = endpoints(path, { area, scopes: ["WORKSPACE", "EXECUTION_INFO"], pipelines: "READ_ONLY" });
const run = endpoints(path, { area, scopes: ["WORKSPACE", "EXECUTION_RUN"], pipelines: "RUN_ONLY" });
const named = z.object({ name: nonBlank }).nullish();

const runBody = {
  to_revision: z.object({ revision: nonBlank.describe("A hash or HEAD.") }),
  branch: named,
  tag: named,
  comment: nonBlank.nullish(),
  refresh: flag.nullish().describe("Deploy from scratch."),
} as const satisfies Fields;

const executionOf = (context: Context): ExecutionRow =>
  context.row(context.store.executions, "execution_id", "Execution", context.pipeline);

/** Returns what an execution runs on: the branch, and the commit that the requested revision means there. */
async function target(
  context: Context,
  body: BodyOf<typeof runBody>,
): Promise<{ branch: string | null; revision: string | null }> {
  const { repository, project, pipeline } = context;
  const { revision } = body.to_revision;
  if (body.tag != null) {
    const tagged = await repository.tag(body.tag.name);
    if (tagged === undefined) throw badRequest(`Tag '${body.tag.name}' does not exist.`);
    if (revision === "HEAD") return { branch: null, revision: tagged };
  }
  const own = pipeline.ref_type === "BRANCH" ? pipeline.ref_name : project.default_branch;
  const branch = body.branch?.name ?? own;
  const tip = await repository.branch(branch);
  if (body.branch != null && tip === undefined && branch !== project.default_branch) {
    throw badRequest(`Branch '${branch}' does not exist.`);
  }
  const oid = revision === "HEAD" ? tip : await repository.resolve(revision);
  if (oid === undefined && revision !== "HEAD") throw badRequest(`Revision '${revision}' does not exist.`);
  // A project without commits can run its pipelines, but has no revision.
  return { branch: body.tag == null ? branch : null, revision: oid ?? null };
}

export const executionResource: Resource = {
  tables: { executions: { belongsTo: { pipelines: "pipelineId" } } },
  routes: [
    read("GET", "Executions of a pipeline, newest first", {
      query: pageQuery,
      response: listOf("executions", executionSummary),
      handle: (context) => {
        const rows = context.page(context.store.executions.of(context.pipeline.id).toReversed());
        return Promise.all(rows.map((row) => serializeExecution(context, row)));
      },
    }),
    run("POST", "Run the pipeline", {
      body: runBody,
      response: ok(executionFull),
      handle: async (context) => {
        const { service, pipeline, user, body } = context;
        const { comment, refresh } = body;
        const run = { mode: "MANUAL", creatorId: user.id, comment, refresh };
        const execution = service.runner.start(pipeline, { ...run, ...(await target(context, body)) });
        return serializeExecutionFull(context, execution, execution.startedAt);
      },
    }),
    read("GET /:execution_id", "One execution with the progress of its actions", {
      response: ok(executionFull),
      handle: (context) => serializeExecutionFull(context, executionOf(context)),
    }),
    run("PATCH /:execution_id", "Retry or cancel an execution", {
      body: { operation: z.enum(["RETRY", "CANCEL"]) },
      response: ok(executionFull),
      handle: (context) => {
        const { service, pipeline, body } = context;
        const execution = executionOf(context);
        const isBegun = body.operation === "RETRY" && service.runner.retry(pipeline, execution);
        if (body.operation === "CANCEL") service.runner.cancel(pipeline, execution);
        return serializeExecutionFull(context, execution, isBegun ? execution.startedAt : undefined);
      },
    }),
  ],
};
