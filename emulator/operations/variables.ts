/** Creates, changes and deletes variables. */
import type { WorkspaceLocation } from "../context.js";
import type { ServiceError } from "../errors.js";
import { type BodyOf, type Fields, flag, nonBlank, withoutNulls } from "../fields.js";
import type * as model from "../model.js";
import type { Service } from "../service.js";
import { requireUnusedName } from "./names.js";

/** Operations on variables that routes and seed share. */

export const variableBody = {
  key: nonBlank,
  value: nonBlank,
  description: nonBlank.nullish(),
  ssh_key: flag.nullish(),
  settable: flag.nullish(),
  encrypted: flag.nullish(),
} as const satisfies Fields;

/** Values of the fields that a body omits or empties. */
export const emptyVariable = {
  description: null,
  ssh_key: false,
  settable: false,
  encrypted: false,
} as const;

/** Scope of a variable: the workspace, or the narrowest object that is given. */
export type VariableScope = Pick<model.VariableRow, "projectId" | "pipelineId" | "actionId">;

/**
 * Returns the scope that names and ids define. The objects must exist in this workspace and belong together.
 * @param refuse Creates the error otherwise.
 */
export function createVariableScope(
  { service: { store }, workspace }: WorkspaceLocation,
  refuse: (message: string) => ServiceError,
  named: { project?: string | undefined; pipeline?: number | undefined; action?: number | undefined },
): VariableScope {
  const scope: VariableScope = { projectId: null, pipelineId: null, actionId: null };
  if (named.action !== undefined) {
    const action = store.actions.get(named.action);
    if (action === undefined) throw refuse(`Action ${named.action} does not exist.`);
    if (named.pipeline !== undefined && named.pipeline !== action.pipelineId) {
      throw refuse(`Action ${named.action} is not in the pipeline ${named.pipeline}.`);
    }
    scope.actionId = action.id;
    scope.pipelineId = action.pipelineId;
  } else if (named.pipeline !== undefined) scope.pipelineId = named.pipeline;
  if (scope.pipelineId !== null) {
    const pipeline = store.pipelines.get(scope.pipelineId);
    const project = pipeline === undefined ? undefined : store.projects.require(pipeline.projectId);
    if (project?.workspaceId !== workspace.id) throw refuse(`Pipeline ${scope.pipelineId} does not exist.`);
    if (named.project !== undefined && named.project !== project.name) {
      throw refuse(`Pipeline ${scope.pipelineId} is not in the project '${named.project}'.`);
    }
    scope.projectId = project.id;
  } else if (named.project !== undefined) {
    const project = store.projects.byKey(workspace.id, named.project);
    if (project === undefined) throw refuse(`Project '${named.project}' does not exist.`);
    scope.projectId = project.id;
  }
  return scope;
}

export function createVariable(
  { service, workspace }: WorkspaceLocation,
  scope: VariableScope,
  body: BodyOf<typeof variableBody>,
): model.VariableRow {
  const row: Omit<model.VariableRow, "id"> = {
    workspaceId: workspace.id,
    ...scope,
    ...emptyVariable,
    ...withoutNulls(body, emptyVariable),
    sealed: null,
  };
  requireUnusedName(service, "variables", listVariables(service, row), row.key);
  setValue(service, row, body.value);
  return service.store.variables.insert(row);
}

/** Returns the variables of exactly one scope. */
export function listVariables(
  { store }: Service,
  scope: VariableScope & Pick<model.VariableRow, "workspaceId">,
): model.VariableRow[] {
  const levels = ["projectId", "pipelineId", "actionId"] as const;
  return store.variables
    .of(scope.workspaceId)
    .filter((row) => levels.every((name) => row[name] === scope[name]));
}

/** Stores a value as plain text or encrypted, as the variable says. */
export function setValue(service: Service, row: Omit<model.VariableRow, "id">, value: string): void {
  row.value = row.encrypted ? null : value;
  row.sealed = row.encrypted ? service.store.encryption.encrypt(value) : null;
}
