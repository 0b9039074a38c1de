import { z } from "zod";
import type * as model from "../model.js";
import { changePipeline, createPipeline, pipelineBody, pipelinePatch } from "../operations/pipelines.js";
import { pageQuery, sortDirection, sorted } from "../paging.js";
import { route, type Resource } from "../route.js";
import { created, deleted, listOf, ok } from "../response.js";
import {
  pipelineFull,
  pipelineSummary,
  serializePipeline,
  serializePipelineFull,
} from "../serializers/pipelines.js";

const area = "Pipelines";
const read = { area, scopes: ["WORKSPACE", "EXECUTION_INFO"], pipelines: "READ_ONLY" } as const;
const write = { area, scopes: ["WORKSPACE", "EXECUTION_MANAGE"], pipelines: "READ_WRITE" } as const;

const sortKeys = {
  name: (row: model.PipelineRow) => row.name,
  id: (row: model.PipelineRow) => row.id,
} as const;

export const pipelineResource: Resource = {
  tables: { pipelines: { belongsTo: { projects: "projectId" } } },
  routes: [
    route({
      ...read,
      method: "GET",
      path: "/workspaces/:domain/projects/:project_name/pipelines",
      summary: "Pipelines of a project, without those hidden from the caller",
      query: {
        ...pageQuery,
        sort_by: z.enum(["name", "id"]),
        sort_direction: sortDirection,
      },
      response: listOf("pipelines", pipelineSummary),
      handle: (context) => {
        const { service, store, workspace, project, query } = context;
        const rows = store.pipelines.of(project.id).filter((row) => !row.hidden || context.isAdmin);
        const key = query.sort_by === undefined ? undefined : sortKeys[query.sort_by];
        return {
          ...service.links.inProject(context, "pipelines"),
          pipelines: context
            .page(sorted(rows, key, query.sort_direction))
            .map((row) => serializePipeline(service, { workspace, project }, row)),
        };
      },
    }),
    route({
      ...write,
      method: "POST",
      path: "/workspaces/:domain/projects/:project_name/pipelines",
      summary: "Make a pipeline",
      body: pipelineBody,
      response: created(pipelineFull),
      handle: (context) => {
        const { service, project, user, body } = context;
        return serializePipelineFull(service, context, createPipeline(service, project, user, body));
      },
    }),
    route({
      ...read,
      method: "GET",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id",
      summary: "One pipeline with its actions",
      response: ok(pipelineFull),
      handle: (context) => serializePipelineFull(context.service, context, context.pipeline),
    }),
    route({
      ...write,
      method: "PATCH",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id",
      summary: "Change a pipeline",
      body: pipelinePatch,
      response: ok(pipelineFull),
      handle: (context) => {
        const { service, pipeline, body } = context;
        changePipeline(service, pipeline, body);
        return serializePipelineFull(service, context, pipeline);
      },
    }),
    route({
      ...write,
      method: "DELETE",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id",
      summary: "Delete a pipeline with its actions, executions and variables",
      response: deleted,
      handle: ({ service, store, pipeline }) => {
        store.pipelines.remove(pipeline);
        service.schedules.plan(pipeline);
      },
    }),
  ],
};
