import { membershipOf } from "../access.js";
import { badRequest, conflict, denied } from "../errors.js";
import type * as model from "../model.js";
import type { Service } from "../service.js";

/** Operations on users, workspaces, members, groups and permission sets that routes and seed share. */

export function findUser(service: Service, email: string): model.UserRow | undefined {
  const normalized = email.toLowerCase();
  for (const user of service.store.users.all()) {
    if (user.email.toLowerCase() === normalized) return user;
  }
  return undefined;
}

export function createUser(service: Service, email: string, name: string | null = null): model.UserRow {
  return service.store.users.insert({
    email,
    name,
    title: null,
    emails: [{ email, confirmed: name !== null }],
  });
}

/** Creates a workspace with its owner and the two built-in permission sets. */
export function createWorkspace(
  service: Service,
  owner: model.UserRow,
  domain: string,
  name: string,
): model.WorkspaceRow {
  const { store } = service;
  if (store.workspaces.byKey(0, domain) !== undefined) {
    throw conflict(`Workspace '${domain}' exists already.`);
  }
  const workspace = store.workspaces.insert({
    domain,
    name,
    ownerId: owner.id,
    frozen: false,
    createdAt: service.clock.now(),
    apiEnabled: true,
    projectsByAdminsOnly: false,
    membersByAdminsOnly: false,
  });
  addMember(service, workspace, owner, true);
  const builtIn = { workspaceId: workspace.id, description: null };
  store.permissionSets.insert({
    ...builtIn,
    name: "Developer",
    type: "DEVELOPER",
    repository_access_level: "READ_WRITE",
    pipeline_access_level: "READ_WRITE",
  });
  store.permissionSets.insert({
    ...builtIn,
    name: "Read-only",
    type: "READ_ONLY",
    repository_access_level: "READ_ONLY",
    pipeline_access_level: "READ_ONLY",
  });
  return workspace;
}

export function addMember(
  service: Service,
  workspace: model.WorkspaceRow,
  user: model.UserRow,
  admin: boolean,
): model.MembershipRow {
  const { store } = service;
  if (membershipOf(store, workspace, user.id) !== undefined) {
    throw conflict(`${user.email} is a member of this workspace already.`);
  }
  return store.memberships.insert({ workspaceId: workspace.id, userId: user.id, admin });
}

/** Removes a member from the workspace, its groups and its projects. */
export function removeMember(
  service: Service,
  workspace: model.WorkspaceRow,
  membership: model.MembershipRow,
): void {
  const { store } = service;
  const { userId } = membership;
  if (userId === workspace.ownerId) throw denied("Access denied: the workspace owner cannot be removed.");
  for (const group of store.groups.of(workspace.id)) removeGroupMember(service, group, userId);
  for (const project of store.projects.of(workspace.id)) {
    for (const member of store.projectMembers.of(project.id)) {
      if (member.userId === userId) store.projectMembers.remove(member);
    }
  }
  store.memberships.remove(membership);
}

export function createGroup(
  service: Service,
  workspace: model.WorkspaceRow,
  name: string,
  description: string | null,
): model.GroupRow {
  return service.store.groups.insert({ workspaceId: workspace.id, name, description, memberIds: [] });
}

export function addGroupMember(
  service: Service,
  workspace: model.WorkspaceRow,
  group: model.GroupRow,
  userId: number,
): void {
  requireMember(service, workspace, userId);
  if (group.memberIds.includes(userId)) {
    throw conflict(`Member ${userId} is in the group '${group.name}' already.`);
  }
  group.memberIds = [...group.memberIds, userId];
  service.store.groups.update(group);
}

export function removeGroupMember(service: Service, group: model.GroupRow, userId: number): void {
  if (!group.memberIds.includes(userId)) return;
  group.memberIds = group.memberIds.filter((id) => id !== userId);
  service.store.groups.update(group);
}

/** Returns a user given in a body, who must be a member of the workspace. */
export function requireMember(
  service: Service,
  workspace: model.WorkspaceRow,
  userId: number,
): model.UserRow {
  const user = service.store.users.get(userId);
  if (user === undefined || membershipOf(service.store, workspace, userId) === undefined) {
    throw badRequest(`Member ${userId} does not exist in this workspace.`);
  }
  return user;
}

export function createPermissionSet(
  service: Service,
  workspace: model.WorkspaceRow,
  values: Pick<
    model.PermissionSetRow,
    "name" | "description" | "repository_access_level" | "pipeline_access_level"
  >,
): model.PermissionSetRow {
  return service.store.permissionSets.insert({
    workspaceId: workspace.id,
    name: values.name,
    description: values.description,
    type: "CUSTOM",
    repository_access_level: values.repository_access_level,
    pipeline_access_level: values.pipeline_access_level,
  });
}

/** Returns a permission set given in a body. */
export function requirePermissionSet(
  service: Service,
  workspace: model.WorkspaceRow,
  id: number,
): model.PermissionSetRow {
  const set = service.store.permissionSets.get(id);
  if (set?.workspaceId !== workspace.id) throw badRequest(`Permission set ${id} does not exist.`);
  return set;
}
