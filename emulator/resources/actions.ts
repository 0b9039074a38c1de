/** Endpoints and tables of actions. */
import { z } from "zod";
import { commonFields } from "../actions/action-types.js";
import type { Context } from "../context.js";
import { triggerTimes } from "../enums.js";
import type * as model from "../model.js";
import { createAction, deleteAction, updateAction } from "../operations/actions.js";
import { respondList, respondOk, type RouteResponse } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { actionSchema, listActions, serializeAction, serializePipeline } from "../serializers/pipelines.js";

const path = "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions";
const area = "Actions";
const read = defineEndpoints(path, { area, scopes: ["WORKSPACE", "EXECUTION_INFO"], pipelines: "READ_ONLY" });
const write = defineEndpoints(path, {
  area,
  scopes: ["WORKSPACE", "EXECUTION_MANAGE"],
  pipelines: "READ_WRITE",
});

const getAction = (context: Context): model.ActionRow =>
  context.row(context.store.actions, "action_id", "Action", context.pipeline);

const createdAction: RouteResponse = { status: 201, otherStatus: 200, schema: actionSchema };

export const actionResource: Resource = {
  tables: { actions: { belongsTo: { pipelines: "pipelineId" } } },
  routes: [
    read("GET", "Actions of a pipeline in their order", {
      query: { trigger_time: z.enum(triggerTimes) },
      response: respondList("actions", actionSchema),
      handle: (context) => {
        const { service, pipeline, query } = context;
        const rows = listActions(service, pipeline.id).filter(
          (row) => query.trigger_time === undefined || row.trigger_time === query.trigger_time,
        );
        const { listedActions } = service.settings;
        return context.all(rows, "fixed").map((row) => serializeAction(context, row, listedActions));
      },
    }),
    write("POST", "Create an action; fields beyond the common ones depend on its type", {
      // The type determines the second scope.
      scopes: ["WORKSPACE"],
      body: commonFields,
      openBody: true,
      response: createdAction,
      handle: (context) => {
        const { service, pipeline, user, body } = context;
        const { row, definition } = createAction(service, pipeline, user.id, body, {
          allow: ({ createScope }) => context.requireScope(createScope),
          position: service.settings.newActionPosition,
        });
        context.status = definition.createStatus;
        return {
          ...serializeAction(context, row, "full", definition.createStatusField),
          pipeline: serializePipeline(context, pipeline),
        };
      },
    }),
    read("GET /:action_id", "One action (not in the spec's tables: behind a setting)", {
      onlyWith: "singleActionPaths",
      response: respondOk(actionSchema),
      handle: (context) => serializeAction(context, getAction(context), "full"),
    }),
    write("PATCH /:action_id", "Change or move an action (not in the spec's tables: behind a setting)", {
      onlyWith: "singleActionPaths",
      body: commonFields,
      openBody: true,
      response: respondOk(actionSchema),
      handle: (context) => {
        const row = getAction(context);
        updateAction(context.service, row, context.user.id, context.body);
        return serializeAction(context, row, "full");
      },
    }),
    write("DELETE /:action_id", "Delete an action (not in the spec's tables: behind a setting)", {
      onlyWith: "singleActionPaths",
      handle: (context) => deleteAction(context.service, getAction(context)),
    }),
  ],
};
