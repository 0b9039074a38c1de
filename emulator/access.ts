/** Rights of users on workspaces and projects. */
import { pipelineLevels, repositoryLevels } from "./enums.js";
import type * as model from "./model.js";
import type { Settings } from "./settings.js";
import type { Store } from "./store.js";

/** Reports whether a permission set grants at least this repository access level. */
export function allowsRepository(set: model.PermissionSetRow, level: model.RepositoryLevel): boolean {
  return repositoryLevels.indexOf(set.repository_access_level) >= repositoryLevels.indexOf(level);
}

/** Reports whether a permission set grants at least this pipeline access level. */
export function allowsPipelines(set: model.PermissionSetRow, level: model.PipelineLevel): boolean {
  return pipelineLevels.indexOf(set.pipeline_access_level) >= pipelineLevels.indexOf(level);
}

export function findMembership(
  store: Store,
  workspace: model.WorkspaceRow,
  userId: number,
): model.MembershipRow | undefined {
  return store.memberships.byKey(workspace.id, userId);
}

/** Reports whether a user is an administrator of a workspace, as its owner always is. */
export function isAdmin(store: Store, workspace: model.WorkspaceRow, userId: number): boolean {
  const membership = findMembership(store, workspace, userId);
  return membership !== undefined && (membership.admin || userId === workspace.ownerId);
}

export function findProjectMember(
  store: Store,
  project: model.ProjectRow,
  userId: number,
): model.ProjectMemberRow | undefined {
  return store.projectMembers.byKey(project.id, userId);
}

/** Returns the permission set that a user has in a project; undefined when they are not a member of it. */
export function findPermissionSet(
  store: Store,
  project: model.ProjectRow,
  userId: number,
): model.PermissionSetRow | undefined {
  const member = findProjectMember(store, project, userId);
  return member && store.permissionSets.require(member.permissionSetId);
}

/** Reports whether a user who is no administrator sees a pipeline of their project. */
export function maySeePipeline(
  { pipelineVisibility }: Pick<Settings, "pipelineVisibility">,
  { hidden, creatorId }: model.PipelineRow,
  userId: number,
): boolean {
  return !hidden && (pipelineVisibility === "everyone" || creatorId === userId);
}

/** Reports whether two users have a project of this workspace in common. */
export function shareProject(store: Store, workspaceId: number, a: number, b: number): boolean {
  return store.projects
    .of(workspaceId)
    .some(
      (project) =>
        findProjectMember(store, project, a) !== undefined &&
        findProjectMember(store, project, b) !== undefined,
    );
}

/** Returns the fields of a response that describe the rights of a workspace member. */
export function getMemberRights(store: Store, workspace: model.WorkspaceRow, userId: number) {
  return { admin: isAdmin(store, workspace, userId), workspace_owner: workspace.ownerId === userId };
}
