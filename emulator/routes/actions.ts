import { commonFields } from "../actions/registry.js";
import type { Context } from "../context.js";
import { notFound } from "../errors.js";
import type { Fields } from "../fields.js";
import type * as model from "../model.js";
import { changeAction, createAction, deleteAction } from "../operations/actions.js";
import { route } from "../route.js";
import { deleted, listOf, ok, type Answer } from "../view.js";
import { actionsOf, actionView, showAction, showPipeline } from "../views/pipelines.js";
import { triggerTimes } from "../words.js";

const area = "Actions";

function actionOf(context: Context<Fields, Fields>): model.ActionRow {
  const id = context.id("action_id");
  const row = context.store.actions.get(id);
  if (row?.pipelineId !== context.pipeline.id) throw notFound(`Action ${id}`);
  return row;
}

const createdAction: Answer = { status: 201, otherStatus: 200, view: actionView };

// The checks of an action's body depend on its type: actions/registry.ts.
const anyBody = Object.fromEntries(Object.keys(commonFields).map((name) => [name, { type: "any" }] as const));

export const actionRoutes = [
  route({
    method: "GET",
    path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions",
    area,
    summary: "Actions of a pipeline in their order",
    scopes: ["WORKSPACE", "EXECUTION_INFO"],
    pipelines: "READ_ONLY",
    query: { trigger_time: { type: "string", values: triggerTimes } },
    answer: listOf("actions", actionView),
    handle: (context) => {
      const { service, workspace, project, pipeline, query } = context;
      const rows = actionsOf(service, pipeline.id).filter(
        (row) => query.trigger_time === undefined || row.trigger_time === query.trigger_time,
      );
      const at = service.links.inWorkspace(
        workspace.domain,
        "projects",
        project.name,
        "pipelines",
        pipeline.id,
        "actions",
      );
      const { listedActions } = service.settings;
      return {
        ...at,
        actions: context.all(rows).map((row) => showAction(service, context, row, listedActions)),
      };
    },
  }),
  route({
    method: "POST",
    path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions",
    area,
    summary: "Make an action; fields beyond the common ones depend on its type",
    // The other scope depends on the type.
    scopes: ["WORKSPACE"],
    pipelines: "READ_WRITE",
    body: anyBody,
    openBody: true,
    answer: createdAction,
    handle: (context) => {
      const { service, pipeline, user, body } = context;
      const { row, definition } = createAction(service, pipeline, user.id, body, ({ createScope }) =>
        context.requireScope(createScope),
      );
      context.status = definition.createStatus;
      return {
        ...showAction(service, context, row, "full", definition.createStatusField),
        pipeline: showPipeline(service, context, pipeline),
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
    answer: ok(actionView),
    handle: (context) => showAction(context.service, context, actionOf(context), "full"),
  }),
  route({
    method: "PATCH",
    path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions/:action_id",
    area,
    summary: "Change or move an action (not in the spec's tables: behind a setting)",
    scopes: ["WORKSPACE", "EXECUTION_MANAGE"],
    pipelines: "READ_WRITE",
    onlyWith: "singleActionPaths",
    body: anyBody,
    openBody: true,
    answer: ok(actionView),
    handle: (context) => {
      const row = actionOf(context);
      changeAction(context.service, row, context.user.id, context.body);
      return showAction(context.service, context, row, "full");
    },
  }),
  route({
    method: "DELETE",
    path: "/workspaces/:domain/projects/:project_name/pipelines/:pipeline_id/actions/:action_id",
    area,
    summary: "Delete an action (not in the spec's tables: behind a setting)",
    scopes: ["WORKSPACE", "EXECUTION_MANAGE"],
    pipelines: "READ_WRITE",
    onlyWith: "singleActionPaths",
    answer: deleted,
    handle: (context) => deleteAction(context.service, actionOf(context)),
  }),
];
