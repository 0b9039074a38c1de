/** Checks what a route requires before its handler runs. */
import {
  allowsPipelines,
  allowsRepository,
  findMembership,
  findPermissionSet,
  isAdmin,
  maySeePipeline,
} from "./access.js";
import { requireScope } from "./auth.js";
import { parseId, type RequestTarget } from "./context.js";
import {
  createAdminsOnlyError,
  createApiDisabledError,
  createDeniedError,
  createInvalidUrlError,
  createNotFoundError,
  createUnauthorizedError,
} from "./errors.js";
import type { PermissionSetRow } from "./model.js";
import type { Exchange } from "./request-state.js";
import { exists, type Route } from "./route.js";
import type { Service } from "./service.js";

/**
 * Checks what a route requires before its handler runs, in this order: token (401), scopes (403), workspace (404),
 * membership of the caller (403), API enabled (400), administrator rights (403), project (404, 403), access levels of
 * the permission set (403), pipeline (404).
 */
export function authorize(
  { store, settings }: Service,
  route: Route,
  params: Readonly<Record<string, string>>,
  { caller, path, isInternal }: Exchange,
): RequestTarget {
  if (!exists(route, settings)) throw createInvalidUrlError(path);
  if (route.caller === "open") return {};
  if (caller === undefined) throw createUnauthorizedError("An access token is required.");
  for (const scope of route.scopes ?? []) requireScope(caller, scope);

  const domain = params["domain"] ?? params["workspace"];
  if (domain === undefined) return {};
  const workspace = store.workspaces.byKey(0, domain);
  if (workspace === undefined) throw createNotFoundError(`Workspace '${domain}'`);
  if (findMembership(store, workspace, caller.user.id) === undefined)
    throw createDeniedError("Access denied: you are not a member of this workspace.");
  // The switch concerns the API only, not the web pages, which send internal requests.
  if (!workspace.apiEnabled && !isInternal) throw createApiDisabledError();
  const admin = isAdmin(store, workspace, caller.user.id);
  if (route.adminOnly === true && !admin) throw createAdminsOnlyError();

  const name = params["project_name"];
  if (name === undefined) return { workspace };
  const project = store.projects.byKey(workspace.id, name);
  if (project === undefined) throw createNotFoundError(`Project '${name}'`);
  if (!admin) requireLevels(route, findPermissionSet(store, project, caller.user.id));

  const id = params["pipeline_id"];
  if (id === undefined) return { workspace, project };
  const pipeline = store.pipelines.get(parseId(id, path));
  if (pipeline?.projectId !== project.id) throw createNotFoundError(`Pipeline ${id}`);
  if (!admin && !maySeePipeline(settings, pipeline, caller.user.id))
    throw settings.hiddenPipelineStatus === 403 ? createDeniedError() : createNotFoundError(`Pipeline ${id}`);
  return { workspace, project, pipeline };
}

/** Requires the access levels of a route from the permission set that the caller has in the project. */
function requireLevels({ repository, pipelines }: Route, set: PermissionSetRow | undefined): void {
  if (set === undefined) throw createDeniedError("Access denied: you are not a member of this project.");
  if (repository !== undefined && !allowsRepository(set, repository))
    throw createDeniedError(`Access denied: this needs the repository access level ${repository}.`);
  if (pipelines !== undefined && !allowsPipelines(set, pipelines))
    throw createDeniedError(`Access denied: this needs the pipeline access level ${pipelines}.`);
}
