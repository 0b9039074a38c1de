/** Endpoints and tables of variables. */
import { z } from "zod";
import type { Context } from "../context.js";
import { createBadRequestError, ServiceError } from "../errors.js";
import { integer, nonBlank, withoutNulls } from "../fields.js";
import type * as model from "../model.js";
import { requireUnusedName } from "../operations/names.js";
import {
  createVariable,
  createVariableScope,
  emptyVariable,
  listVariables,
  setValue,
  variableBody,
} from "../operations/variables.js";
import { respondCreated, respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { serializeVariable, variableSchema } from "../serializers/projects.js";

const area = "Environment variables";
const path = "/workspaces/:domain/variables";
const read = defineEndpoints(path, { area, scopes: ["WORKSPACE", "VARIABLE_INFO"], adminOnly: true });
const manage = defineEndpoints(path, { area, scopes: ["WORKSPACE", "VARIABLE_MANAGE"], adminOnly: true });

const getVariable = (context: Context): model.VariableRow =>
  context.row(context.store.variables, "variable_id", "Variable");

/** 404 for the list of an object that does not exist. */
const createNotFoundError = (message: string): ServiceError => new ServiceError(404, message);

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
    read("GET", "Variables of exactly one scope: the workspace, or the narrowest one that the query names", {
      query: { projectName: nonBlank, pipelineId: integer, actionId: integer },
      response: respondList("variables", variableSchema),
      handle: (context) => {
        const { service, workspace, query } = context;
        const scope = createVariableScope(context, createNotFoundError, {
          project: query.projectName,
          pipeline: query.pipelineId,
          action: query.actionId,
        });
        const rows = listVariables(service, { workspaceId: workspace.id, ...scope });
        return context.all(rows).map((row) => serializeVariable(context, row));
      },
    }),
    read("POST", "Create a variable of the workspace, a project, a pipeline or an action", {
      scopes: ["WORKSPACE", "VARIABLE_ADD"],
      body: {
        ...variableBody,
        project: z.object({ name: nonBlank }).nullish(),
        pipeline: byId,
        action: byId,
      },
      response: respondCreated(variableSchema),
      handle: (context) => {
        const { project, pipeline, action, ...values } = context.body;
        const scope = createVariableScope(context, createBadRequestError, {
          project: project?.name,
          pipeline: pipeline?.id,
          action: action?.id,
        });
        return serializeVariable(context, createVariable(context, scope, values));
      },
    }),
    read("GET /:variable_id", "One variable", {
      response: respondOk(variableSchema),
      handle: (context) => serializeVariable(context, getVariable(context)),
    }),
    manage("PATCH /:variable_id", "Change a variable; key and value must be sent", {
      body: variableBody,
      response: respondOk(variableSchema),
      handle: (context) => {
        const { service, store, body } = context;
        const row = getVariable(context);
        requireUnusedName(service, "variables", listVariables(service, row), body.key, row.id);
        Object.assign(row, withoutNulls(body, emptyVariable));
        setValue(service, row, body.value);
        return serializeVariable(context, store.variables.update(row));
      },
    }),
    manage("DELETE /:variable_id", "Delete a variable", {
      handle: (context) => context.store.variables.remove(getVariable(context)),
    }),
  ],
};
