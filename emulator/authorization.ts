import { allowsPipelines, allowsRepository, isAdmin, membershipOf, permissionSetOf } from "./access.js";
import { requireScope, type Caller } from "./auth.js";
import { idIn, type RequestTarget } from "./context.js";
import { adminsOnly, apiDisabled, denied, invalidUrl, notFound, unauthorized } from "./errors.js";
import type * as model from "./model.js";
import { exists, type Route } from "./route.js";
import type { Service } from "./service.js";

/**
 * Checks what a route requires before its handler runs, in this order: token (401), scopes (403), workspace (404),
 * membership of the caller (403), API enabled (400), administrator rights (403), project (404, 403), access levels of
 * the permission set (403), pipeline (404).
 */
export function authorize(
  service: Service,
  route: Route,
  caller: Caller | undefined,
  params: Readonly<Record<string, string>>,
  path: string,
  isInternal = false,
): RequestTarget {
  if (!exists(route, service.settings)) throw invalidUrl(path);
  if (route.caller === "open") return {};
  if (caller === undefined) throw unauthorized("An access token is required.");
  for (const scope of route.scopes ?? []) requireScope(caller, scope);
  const domain = params["domain"] ?? params["workspace"];
  if (domain === undefined) return {};
  const target = findWorkspace(service, caller, domain, isInternal);
  const admin = isAdmin(target.workspace, target.membership);
  if (route.adminOnly === true && !admin) throw adminsOnly();
  const name = params["project_name"];
  if (name === undefined) return target;
  const project = findProject(service, route, caller, target.workspace, admin, name);
  const pipelineId = params["pipeline_id"];
  if (pipelineId === undefined) return { ...target, project };
  return { ...target, project, pipeline: findPipeline(service, project, admin, pipelineId, path) };
}

function findWorkspace(
  service: Service,
  caller: Caller,
  domain: string,
  isInternal: boolean,
): { workspace: model.WorkspaceRow; membership: model.MembershipRow } {
  const workspace = service.store.workspaces.byKey(0, domain);
  if (workspace === undefined) throw notFound(`Workspace '${domain}'`);
  const membership = membershipOf(service.store, workspace, caller.user.id);
  if (membership === undefined) throw denied("Access denied: you are not a member of this workspace.");
  // The switch concerns the API only, not the web pages, which send internal requests.
  if (!workspace.apiEnabled && !isInternal) throw apiDisabled();
  return { workspace, membership };
}

function findProject(
  service: Service,
  route: Route,
  caller: Caller,
  workspace: model.WorkspaceRow,
  admin: boolean,
  name: string,
): model.ProjectRow {
  const project = service.store.projects.byKey(workspace.id, name);
  if (project === undefined) throw notFound(`Project '${name}'`);
  if (admin) return project;
  const set = permissionSetOf(service.store, project, caller.user.id);
  if (set === undefined) throw denied("Access denied: you are not a member of this project.");
  if (route.repository !== undefined && !allowsRepository(set, route.repository)) {
    throw denied(`Access denied: this needs the repository access level ${route.repository}.`);
  }
  if (route.pipelines !== undefined && !allowsPipelines(set, route.pipelines)) {
    throw denied(`Access denied: this needs the pipeline access level ${route.pipelines}.`);
  }
  return project;
}

function findPipeline(
  service: Service,
  project: model.ProjectRow,
  admin: boolean,
  id: string,
  path: string,
): model.PipelineRow {
  const pipeline = service.store.pipelines.get(idIn(id, path));
  if (pipeline?.projectId !== project.id || (pipeline.hidden && !admin)) throw notFound(`Pipeline ${id}`);
  return pipeline;
}
