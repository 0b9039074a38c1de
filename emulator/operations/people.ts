/** Creates users and their rights. */
import { z } from "zod";
import { findMembership, findProjectMember } from "../access.js";
import type { WorkspaceLocation } from "../context.js";
import { pipelineLevels, repositoryLevels } from "../enums.js";
import { createBadRequestError, createConflictError, createDeniedError } from "../errors.js";
import { type BodyOf, type Fields, nonBlank } from "../fields.js";
import type * as model from "../model.js";
import type { Service } from "../service.js";
import { convertEmail } from "../stored-text.js";
import { requireUnusedName } from "./names.js";

/** Operations on users, workspaces, members, groups and permission sets that routes and seed share. */

// POST and PATCH require all four, according to the spec.
export const permissionSetBody = {
  name: nonBlank,
  description: nonBlank,
  repository_access_level: z.enum(repositoryLevels),
  pipeline_access_level: z.enum(pipelineLevels),
} as const satisfies Fields;

export function findUser(service: Service, email: string): model.UserRow | undefined {
  const normalized = email.toLowerCase();
  for (const user of service.store.users.all()) {
    if (user.email.toLowerCase() === normalized) return user;
  }
  return undefined;
}

export function createUser(service: Service, email: string, name: string | null = null): model.UserRow {
  const address = convertEmail(email, service.settings);
  return service.store.users.insert({
    email: address,
    name,
    title: null,
    emails: [{ email: address, confirmed: name !== null }],
  });
}

/** Creates a workspace with its owner and the two built-in permission sets. */
export function createWorkspace(
  service: Service,
  owner: model.UserRow,
  values: Omit<model.WorkspaceRow, "id" | "ownerId" | "createdAt">,
): model.WorkspaceRow {
  const { store, clock } = service;
  if (store.workspaces.byKey(0, values.domain) !== undefined) {
    throw createConflictError(`Workspace '${values.domain}' already exists.`);
  }
  const workspace = store.workspaces.insert({ ...values, ownerId: owner.id, createdAt: clock.now() });
  addMember({ service, workspace }, owner, true);
  for (const [name, type, level] of [
    ["Developer", "DEVELOPER", "READ_WRITE"],
    ["Read-only", "READ_ONLY", "READ_ONLY"],
  ] as const) {
    const levels = { repository_access_level: level, pipeline_access_level: level };
    store.permissionSets.insert({ workspaceId: workspace.id, name, type, description: null, ...levels });
  }
  return workspace;
}

export function addMember(
  { service: { store }, workspace }: WorkspaceLocation,
  user: model.UserRow,
  admin: boolean,
): model.MembershipRow {
  if (findMembership(store, workspace, user.id) !== undefined) {
    throw createConflictError(`${user.email} is a member of this workspace already.`);
  }
  return store.memberships.insert({ workspaceId: workspace.id, userId: user.id, admin });
}

/** Removes a member from the workspace, its groups and its projects. */
export function removeMember(
  { service, workspace }: WorkspaceLocation,
  membership: model.MembershipRow,
): void {
  const { store, settings } = service;
  const { userId } = membership;
  if (userId === workspace.ownerId)
    throw createDeniedError("Access denied: the workspace owner cannot be removed.");
  const isUsed =
    store.groups.of(workspace.id).some(({ memberIds }) => memberIds.includes(userId)) ||
    store.projects.of(workspace.id).some((project) => findProjectMember(store, project, userId));
  if (isUsed && settings.keptWhileUsed.includes("members"))
    throw createConflictError(`Member ${userId} is in a group or in a project.`);
  for (const group of store.groups.of(workspace.id)) removeGroupMember(service, group, userId);
  for (const project of store.projects.of(workspace.id)) {
    for (const member of store.projectMembers.of(project.id)) {
      if (member.userId === userId) store.projectMembers.remove(member);
    }
  }
  store.memberships.remove(membership);
}

export function addGroupMember(location: WorkspaceLocation, group: model.GroupRow, userId: number): void {
  requireMember(location, userId);
  if (group.memberIds.includes(userId)) {
    throw createConflictError(`Member ${userId} is in the group '${group.name}' already.`);
  }
  group.memberIds = [...group.memberIds, userId];
  location.service.store.groups.update(group);
}

export function removeGroupMember(service: Service, group: model.GroupRow, userId: number): void {
  if (!group.memberIds.includes(userId)) return;
  group.memberIds = group.memberIds.filter((id) => id !== userId);
  service.store.groups.update(group);
}

/** Requires a user given in a body to be a member of the workspace. */
export function requireMember({ service, workspace }: WorkspaceLocation, userId: number): void {
  if (findMembership(service.store, workspace, userId) === undefined) {
    throw createBadRequestError(`Member ${userId} does not exist in this workspace.`);
  }
}

export function createPermissionSet(
  { service, workspace }: WorkspaceLocation,
  values: BodyOf<typeof permissionSetBody>,
): model.PermissionSetRow {
  const { store } = service;
  requireUnusedName(service, "permission_sets", store.permissionSets.of(workspace.id), values.name);
  return store.permissionSets.insert({ workspaceId: workspace.id, type: "CUSTOM", ...values });
}

/** Deletes a permission set, which its users keep or lose as this service chooses. */
export function deletePermissionSet(
  { service, workspace }: WorkspaceLocation,
  set: model.PermissionSetRow,
): void {
  const { store, settings } = service;
  const users = store.projects
    .of(workspace.id)
    .flatMap(({ id }) => store.projectMembers.of(id))
    .filter(({ permissionSetId }) => permissionSetId === set.id);
  if (users.length > 0 && settings.keptWhileUsed.includes("permission_sets"))
    throw createConflictError(`The permission set '${set.name}' is in use by project members.`);
  const readOnly = store.permissionSets.find(workspace.id, ({ type }) => type === "READ_ONLY");
  for (const user of users)
    store.projectMembers.update(Object.assign(user, { permissionSetId: readOnly?.id }));
  store.permissionSets.remove(set);
}

/** Returns a permission set given in a body. */
export function requirePermissionSet(
  { service, workspace }: WorkspaceLocation,
  id: number,
): model.PermissionSetRow {
  const set = service.store.permissionSets.get(id);
  if (set?.workspaceId !== workspace.id) throw createBadRequestError(`Permission set ${id} does not exist.`);
  return set;
}
