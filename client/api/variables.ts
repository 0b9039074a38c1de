/** Variables of a workspace, project, pipeline or action. */
import { z } from "zod";
import { administrator, byId, collection, typed } from "../endpoint.js";
import type { PageQuery } from "../paging.js";
import { path } from "../path.js";
import { apiObject, unchecked } from "../schema.js";

export const Variable = apiObject({
  url: unchecked<string>(),
  id: z.int(),
  key: z.string(),
  /** For an encrypted variable an opaque text that starts with `secure!`. */
  value: unchecked<string>(),
  ssh_key: unchecked<boolean>(),
  settable: unchecked<boolean>(),
  encrypted: unchecked<boolean>(),
  description: unchecked<string>(),
});
export type Variable = z.infer<typeof Variable>;
/** The spec names no smaller form for lists. A list may still omit fields. */
export type VariableSummary = Variable;

/** Without any of these: the variables of the workspace itself. */
export interface VariableScope extends PageQuery {
  projectName?: string;
  pipelineId?: number;
  actionId?: number;
}

export interface VariableCreate {
  key: string;
  value: string;
  description?: string | null;
  ssh_key?: boolean;
  settable?: boolean;
  encrypted?: boolean;
  project?: { name: string };
  pipeline?: { id: number };
  action?: { id: number };
}

/** `key` and `value` are required, though unchanged. */
export interface VariableUpdate {
  key: string;
  value: string;
  description?: string | null;
  ssh_key?: boolean | null;
  settable?: boolean | null;
  encrypted?: boolean | null;
}

const add = { scopes: ["WORKSPACE", "VARIABLE_ADD"], right: administrator };

const all = (domain: string) => path`/workspaces/${domain}/variables`;
const variable = collection(all, Variable, Variable, {
  array: "variables",
  key: byId,
  query: typed<VariableScope>(),
  read: { scopes: ["WORKSPACE", "VARIABLE_INFO"], right: administrator },
  manage: { scopes: ["WORKSPACE", "VARIABLE_MANAGE"], right: administrator },
});

/** Environment variables of a workspace, project, pipeline or action (spec: Environment variables). Administrators only. */
export const variables = {
  /** GET /workspaces/:domain/variables. Scopes WORKSPACE, VARIABLE_INFO. */
  list: variable.list,
  /** GET /workspaces/:domain/variables/:variable_id. Scopes WORKSPACE, VARIABLE_INFO. Errors: not-found, denied. */
  get: variable.get,
  /**
   * POST /workspaces/:domain/variables. Scopes WORKSPACE, VARIABLE_ADD. Errors: invalid-value, denied.
   * Natural key: the key within its scope.
   */
  create: variable.create({
    ...add,
    body: typed<VariableCreate>(),
    what: ({ key }) => `variable ${JSON.stringify(key)}`,
    candidates: (http, at, body, options) =>
      variable
        .list(http)(...at, getScope(body), options)
        .toArray(),
    matches: (variable, { key }) => variable.key === key,
  }),
  /** PATCH /workspaces/:domain/variables/:variable_id. Scopes WORKSPACE, VARIABLE_MANAGE. */
  update: variable.update(typed<VariableUpdate>()),
  /** DELETE /workspaces/:domain/variables/:variable_id. Scopes WORKSPACE, VARIABLE_MANAGE. */
  delete: variable.delete,
};

function getScope({ project, pipeline, action }: VariableCreate): VariableScope {
  return {
    ...(project ? { projectName: project.name } : {}),
    ...(pipeline ? { pipelineId: pipeline.id } : {}),
    ...(action ? { actionId: action.id } : {}),
  };
}
