/** Endpoints and tables of pipelines. */
import { maySeePipeline } from "../access.js";
import type * as model from "../model.js";
import { createPipeline, pipelineBody, pipelinePatch, updatePipeline } from "../operations/pipelines.js";
import { defineSortQuery, sortItems } from "../paging.js";
import { respondCreated, respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import {
  pipelineFull,
  pipelineSummary,
  serializePipeline,
  serializePipelineFull,
} from "../serializers/pipelines.js";

const area = "Pipelines";
const path = "/workspaces/:domain/projects/:project_name/pipelines";
const read = defineEndpoints(path, { area, scopes: ["WORKSPACE", "EXECUTION_INFO"], pipelines: "READ_ONLY" });
const write = defineEndpoints(path, {
  area,
  scopes: ["WORKSPACE", "EXECUTION_MANAGE"],
  pipelines: "READ_WRITE",
});

const sortKeys = {
  name: (row: model.PipelineRow) => row.name,
  id: (row: model.PipelineRow) => row.id,
} as const;

export const pipelineResource: Resource = {
  tables: { pipelines: { belongsTo: { projects: "projectId" } } },
  routes: [
    read("GET", "Pipelines of a project, without those hidden from the caller", {
      query: defineSortQuery("name", "id"),
      response: respondList("pipelines", pipelineSummary),
      handle: (context) => {
        const { store, project, query } = context;
        const { service, user, isAdmin } = context;
        const rows = store.pipelines
          .of(project.id)
          .filter((row) => isAdmin || maySeePipeline(service.settings, row, user.id));
        return context.page(sortItems(rows, sortKeys, query)).map((row) => serializePipeline(context, row));
      },
    }),
    write("POST", "Create a pipeline", {
      body: pipelineBody,
      response: respondCreated(pipelineFull),
      handle: (context) =>
        serializePipelineFull(context, createPipeline(context, context.user, context.body)),
    }),
    read("GET /:pipeline_id", "One pipeline with its actions", {
      response: respondOk(pipelineFull),
      handle: (context) => serializePipelineFull(context, context.pipeline),
    }),
    write("PATCH /:pipeline_id", "Change a pipeline", {
      body: pipelinePatch,
      response: respondOk(pipelineFull),
      handle: (context) => {
        const { service, pipeline, body } = context;
        return serializePipelineFull(context, updatePipeline(service, pipeline, body));
      },
    }),
    write("DELETE /:pipeline_id", "Delete a pipeline with its actions, executions and variables", {
      handle: ({ service, store, pipeline }) => {
        store.pipelines.remove(pipeline);
        service.schedules.plan(pipeline);
      },
    }),
  ],
};
