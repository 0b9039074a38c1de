import { z } from "zod";
import { commonFields } from "../actions/registry.js";
import type { Context } from "../context.js";
import type * as model from "../model.js";
import { changeAction, createAction, deleteAction } from "../operations/actions.js";
import { route, type Resource } from "../route.js";
import { deleted, listOf, ok, type RouteResponse } from "../response.js";
import { actionsOf, actionSchema, serializeAction, serializePipeline } from "../serializers/pipelines.js";
import { triggerTimes } from "../enums.js";

const area = "Actions";
const write = {
  area,
  scopes: ["WORKSPACE", "EXECUTION_MANAGE"],
  onlyWith: "singleActionPaths",
  pipelines: "READ_WRITE",
} as const;

const actionOf = (context: Context): model.ActionRow =>
  context.row(context.store.actions, "action_id", "Action", context.pipeline);

const createdAction: RouteResponse = { status: 201, otherStatus: 200, schema: actionSchema };

// The fields depend on the type of the action: see actions/registry.ts.
const anyBody = Object.fromEntries(
  Object.keys(commonFields).map((name) => [name, z.unknown().optional()] as const),
);

export const actionResource: Resource = {
  tables: { actions: { belongsTo: { pipelines: "pipelineId" } } },
  routes: [
    route({
      method: "GET",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions",
      area,
      summary: "Actions of a pipeline in their order",
      scopes: ["WORKSPACE", "EXECUTION_INFO"],
      pipelines: "READ_ONLY",
      query: { trigger_time: z.enum(triggerTimes) },
      response: listOf("actions", actionSchema),
      handle: (context) => {
        const { service, pipeline, query } = context;
        const rows = actionsOf(service, pipeline.id).filter(
          (row) => query.trigger_time === undefined || row.trigger_time === query.trigger_time,
        );
        const { listedActions } = service.settings;
        return {
          ...service.links.inProject(context, "pipelines", pipeline.id, "actions"),
          actions: context.all(rows).map((row) => serializeAction(service, context, row, listedActions)),
        };
      },
    }),
    route({
      method: "POST",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions",
      area,
      summary: "Make an action; fields beyond the common ones depend on its type",
      // The type determines the second scope.
      scopes: ["WORKSPACE"],
      pipelines: "READ_WRITE",
      body: anyBody,
      openBody: true,
      response: createdAction,
      handle: (context) => {
        const { service, pipeline, user, body } = context;
        const { row, definition } = createAction(service, pipeline, user.id, body, ({ createScope }) =>
          context.requireScope(createScope),
        );
        context.status = definition.createStatus;
        return {
          ...serializeAction(service, context, row, "full", definition.createStatusField),
          pipeline: serializePipeline(service, context, pipeline),
        };
      },
    }),
    route({
      method: "GET",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions/:action_id",
      area,
      summary: "One action (not in the spec's tables: behind a setting)",
      scopes: ["WORKSPACE", "EXECUTION_INFO"],
      pipelines: "READ_ONLY",
      onlyWith: "singleActionPaths",
      response: ok(actionSchema),
      handle: (context) => serializeAction(context.service, context, actionOf(context), "full"),
    }),
    route({
      ...write,
      method: "PATCH",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions/:action_id",
      summary: "Change or move an action (not in the spec's tables: behind a setting)",
      body: anyBody,
      openBody: true,
      response: ok(actionSchema),
      handle: (context) => {
        const row = actionOf(context);
        changeAction(context.service, row, context.user.id, context.body);
        return serializeAction(context.service, context, row, "full");
      },
    }),
    route({
      ...write,
      method: "DELETE",
      path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions/:action_id",
      summary: "Delete an action (not in the spec's tables: behind a setting)",
      response: deleted,
      handle: (context) => deleteAction(context.service, actionOf(context)),
    }),
  ],
};
