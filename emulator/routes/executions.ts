import type { Context } from "../context.js";
import { badRequest, notFound } from "../errors.js";
import type { Fields } from "../fields.js";
import type { ExecutionRow } from "../model.js";
import { pageQuery } from "../paging.js";
import { route } from "../route.js";
import { listOf, ok } from "../view.js";
import { executionFull, executionSummary, showExecution, showExecutionFull } from "../views/executions.js";

const area = "Executions";
const PE = "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/executions";
const named = { type: "object", fields: { name: { type: "string", required: true } } } as const;

type At = Context<Fields, Fields>;

function executionOf(context: At): ExecutionRow {
  const id = context.id("execution_id");
  const row = context.store.executions.get(id);
  if (row?.pipelineId !== context.pipeline.id) throw notFound(`Execution ${id}`);
  return row;
}

/** What a run is of: the branch, and the commit that the asked revision means there. */
async function target(
  context: At,
  body: {
    to_revision: { revision: string };
    branch?: { name: string } | null;
    tag?: { name: string } | null;
  },
): Promise<{ branch: string | null; revision: string | null }> {
  const { service, project, pipeline } = context;
  const repository = service.repositories.of(project);
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
  // A project without commits can run its pipelines; there is only nothing to show for the revision.
  if (revision === "HEAD") return { branch: body.tag == null ? branch : null, revision: tip ?? null };
  const oid = await repository.resolve(revision);
  if (oid === undefined) throw badRequest(`Revision '${revision}' does not exist.`);
  return { branch: body.tag == null ? branch : null, revision: oid };
}

export const executionRoutes = [
  route({
    method: "GET",
    path: PE,
    area,
    summary: "Executions of a pipeline, newest first",
    scopes: ["WORKSPACE", "EXECUTION_INFO"],
    pipelines: "READ_ONLY",
    query: pageQuery,
    answer: listOf("executions", executionSummary),
    handle: async (context) => {
      const { service, store, workspace, project, pipeline } = context;
      const at = service.links.inWorkspace(
        workspace.domain,
        "projects",
        project.name,
        "pipelines",
        pipeline.id,
        "executions",
      );
      const rows = context.page(store.executions.of(pipeline.id).toReversed());
      return {
        ...at,
        executions: await Promise.all(rows.map((row) => showExecution(service, context, row))),
      };
    },
  }),
  route({
    method: "POST",
    path: PE,
    area,
    summary: "Run the pipeline",
    scopes: ["WORKSPACE", "EXECUTION_RUN"],
    pipelines: "RUN_ONLY",
    body: {
      to_revision: {
        type: "object",
        required: true,
        fields: { revision: { type: "string", required: true, description: "A hash or HEAD." } },
      },
      branch: named,
      tag: named,
      comment: { type: "string" },
      refresh: { type: "boolean", description: "Deploy from scratch." },
    },
    answer: ok(executionFull),
    handle: async (context) => {
      const { service, pipeline, user, body } = context;
      const run = {
        mode: "MANUAL",
        creatorId: user.id,
        comment: body.comment ?? null,
        refresh: body.refresh ?? false,
      };
      const execution = service.runner.start(pipeline, { ...run, ...(await target(context, body)) });
      return showExecutionFull(service, context, execution, execution.startedAt);
    },
  }),
  route({
    method: "GET",
    path: `${PE}/:execution_id`,
    area,
    summary: "One execution with the progress of its actions",
    scopes: ["WORKSPACE", "EXECUTION_INFO"],
    pipelines: "READ_ONLY",
    answer: ok(executionFull),
    handle: (context) => showExecutionFull(context.service, context, executionOf(context)),
  }),
  route({
    method: "PATCH",
    path: `${PE}/:execution_id`,
    area,
    summary: "Retry or cancel an execution",
    scopes: ["WORKSPACE", "EXECUTION_RUN"],
    pipelines: "RUN_ONLY",
    body: { operation: { type: "string", required: true, values: ["RETRY", "CANCEL"] } },
    answer: ok(executionFull),
    handle: (context) => {
      const { service, pipeline, body } = context;
      const execution = executionOf(context);
      const isBegun = body.operation === "RETRY" && service.runner.retry(pipeline, execution);
      if (body.operation === "CANCEL") service.runner.cancel(pipeline, execution);
      return showExecutionFull(service, context, execution, isBegun ? execution.startedAt : undefined);
    },
  }),
];
