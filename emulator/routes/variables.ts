import type { Context } from "../context.js";
import { badRequest, ServiceError } from "../errors.js";
import type { Fields } from "../fields.js";
import type * as model from "../model.js";
import { createVariable, setValue, variableBody, variableScope } from "../operations/variables.js";
import { route } from "../route.js";
import { created, deleted, listOf, ok } from "../view.js";
import { showVariable, variableView } from "../views/projects.js";

const area = "Environment variables";

const variableOf = (context: Context<Fields, Fields>): model.VariableRow =>
  context.row(context.store.variables, "variable_id", "Variable");

/** A list of something that does not exist. */
const absent = (message: string): ServiceError => new ServiceError(404, message);

const byId = { type: "object", fields: { id: { type: "integer", required: true } } } as const;

export const variableRoutes = [
  route({
    method: "GET",
    path: "/workspaces/:domain/variables",
    area,
    summary: "Variables of exactly one scope: the workspace, or the narrowest one that the query names",
    scopes: ["WORKSPACE", "VARIABLE_INFO"],
    adminOnly: true,
    query: {
      projectName: { type: "string" },
      pipelineId: { type: "integer" },
      actionId: { type: "integer" },
    },
    answer: listOf("variables", variableView),
    handle: (context) => {
      const { service, store, workspace, query } = context;
      const scope = variableScope(service, workspace, absent, {
        project: query.projectName,
        pipeline: query.pipelineId,
        action: query.actionId,
      });
      const rows = store.variables
        .of(workspace.id)
        .filter(
          (row) =>
            row.projectId === scope.projectId &&
            row.pipelineId === scope.pipelineId &&
            row.actionId === scope.actionId,
        );
      return {
        ...service.links.inWorkspace(workspace.domain, "variables"),
        variables: context.all(rows).map((row) => showVariable(service, workspace, row)),
      };
    },
  }),
  route({
    method: "POST",
    path: "/workspaces/:domain/variables",
    area,
    summary: "Make a variable of the workspace, a project, a pipeline or an action",
    scopes: ["WORKSPACE", "VARIABLE_ADD"],
    adminOnly: true,
    body: {
      ...variableBody,
      project: { type: "object", fields: { name: { type: "string", required: true } } },
      pipeline: byId,
      action: byId,
    },
    answer: created(variableView),
    handle: ({ service, workspace, body }) => {
      const scope = variableScope(service, workspace, badRequest, {
        project: body.project?.name,
        pipeline: body.pipeline?.id,
        action: body.action?.id,
      });
      return showVariable(service, workspace, createVariable(service, workspace, scope, body));
    },
  }),
  route({
    method: "GET",
    path: "/workspaces/:domain/variables/:variable_id",
    area,
    summary: "One variable",
    scopes: ["WORKSPACE", "VARIABLE_INFO"],
    adminOnly: true,
    answer: ok(variableView),
    handle: (context) => showVariable(context.service, context.workspace, variableOf(context)),
  }),
  route({
    method: "PATCH",
    path: "/workspaces/:domain/variables/:variable_id",
    area,
    summary: "Change a variable; key and value must be sent",
    scopes: ["WORKSPACE", "VARIABLE_MANAGE"],
    adminOnly: true,
    body: variableBody,
    answer: ok(variableView),
    handle: (context) => {
      const { service, store, workspace, body } = context;
      const row = variableOf(context);
      row.key = body.key;
      if (body.description !== undefined) row.description = body.description;
      for (const name of ["ssh_key", "settable", "encrypted"] as const) {
        if (body[name] !== undefined) row[name] = body[name] ?? false;
      }
      setValue(service, row, body.value);
      return showVariable(service, workspace, store.variables.update(row));
    },
  }),
  route({
    method: "DELETE",
    path: "/workspaces/:domain/variables/:variable_id",
    area,
    summary: "Delete a variable",
    scopes: ["WORKSPACE", "VARIABLE_MANAGE"],
    adminOnly: true,
    answer: deleted,
    handle: (context) => context.store.variables.remove(variableOf(context)),
  }),
];
