import { z } from "zod";
import { integer, nonBlank } from "../fields.js";
import type { Context } from "../context.js";
import { badRequest, ServiceError } from "../errors.js";
import type * as model from "../model.js";
import { createVariable, setValue, variableBody, variableScope } from "../operations/variables.js";
import { route, type Resource } from "../route.js";
import { created, deleted, listOf, ok } from "../response.js";
import { serializeVariable, variableSchema } from "../serializers/projects.js";

const area = "Environment variables";
const read = { area, scopes: ["WORKSPACE", "VARIABLE_INFO"], adminOnly: true } as const;
const manage = { area, scopes: ["WORKSPACE", "VARIABLE_MANAGE"], adminOnly: true } as const;

const variableOf = (context: Context): model.VariableRow =>
  context.row(context.store.variables, "variable_id", "Variable");

/** 404 for the list of an object that does not exist. */
const notFoundError = (message: string): ServiceError => new ServiceError(404, message);

const byId = z.object({ id: integer }).nullish();

export const variableResource: Resource = {
  tables: {
    variables: {
      belongsTo: {
        workspaces: "workspaceId",
        projects: "projectId",
        pipelines: "pipelineId",
        actions: "actionId",
      },
    },
  },
  routes: [
    route({
      ...read,
      method: "GET",
      path: "/workspaces/:domain/variables",
      summary: "Variables of exactly one scope: the workspace, or the narrowest one that the query names",
      query: {
        projectName: nonBlank,
        pipelineId: integer,
        actionId: integer,
      },
      response: listOf("variables", variableSchema),
      handle: (context) => {
        const { service, store, workspace, query } = context;
        const scope = variableScope(service, workspace, notFoundError, {
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
          variables: context.all(rows).map((row) => serializeVariable(service, workspace, row)),
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
        project: z.object({ name: nonBlank }).nullish(),
        pipeline: byId,
        action: byId,
      },
      response: created(variableSchema),
      handle: ({ service, workspace, body }) => {
        const scope = variableScope(service, workspace, badRequest, {
          project: body.project?.name,
          pipeline: body.pipeline?.id,
          action: body.action?.id,
        });
        return serializeVariable(service, workspace, createVariable(service, workspace, scope, body));
      },
    }),
    route({
      ...read,
      method: "GET",
      path: "/workspaces/:domain/variables/:variable_id",
      summary: "One variable",
      response: ok(variableSchema),
      handle: (context) => serializeVariable(context.service, context.workspace, variableOf(context)),
    }),
    route({
      ...manage,
      method: "PATCH",
      path: "/workspaces/:domain/variables/:variable_id",
      summary: "Change a variable; key and value must be sent",
      body: variableBody,
      response: ok(variableSchema),
      handle: (context) => {
        const { service, store, workspace, body } = context;
        const row = variableOf(context);
        row.key = body.key;
        if (body.description !== undefined) row.description = body.description;
        for (const name of ["ssh_key", "settable", "encrypted"] as const) {
          if (body[name] !== undefined) row[name] = body[name] ?? false;
        }
        setValue(service, row, body.value);
        return serializeVariable(service, workspace, store.variables.update(row));
      },
    }),
    route({
      ...manage,
      method: "DELETE",
      path: "/workspaces/:domain/variables/:variable_id",
      summary: "Delete a variable",
      response: deleted,
      handle: (context) => context.store.variables.remove(variableOf(context)),
    }),
  ],
};
