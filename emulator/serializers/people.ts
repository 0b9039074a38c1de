/** Workspaces and people as JSON. */
import { z } from "zod";
import type { WorkspaceLocation } from "../context.js";
import { pipelineLevels, repositoryLevels } from "../enums.js";
import { flag, integer, text } from "../fields.js";
import type { Links } from "../links.js";
import type { GroupRow, PermissionSetRow, UserRow, WorkspaceRow } from "../model.js";
import { date, defineSchema, type Json, links, serializeFields, textOrNull } from "../response.js";
import type { Service } from "../service.js";

/** Serializers of workspaces, people, groups and permission sets (spec, "Resources and their fields"). */

export const workspaceSummary = defineSchema("WorkspaceSummary", {
  ...links,
  id: integer,
  name: text,
  domain: text,
});

export const workspaceFull = defineSchema("Workspace", {
  ...workspaceSummary.fields,
  owner_id: integer,
  frozen: flag,
  create_date: date,
});

const memberFields = {
  ...links,
  id: integer,
  name: textOrNull,
  avatar_url: text,
  title: textOrNull,
  // Present only with the setting: the spec shows it in commits only.
  email: text.optional(),
} as const;

export const memberSummary = defineSchema("MemberSummary", memberFields);

export const memberFull = defineSchema("Member", { ...memberFields, admin: flag, workspace_owner: flag });

export const permissionSetSchema = defineSchema("PermissionSet", {
  ...links,
  id: integer,
  name: text,
  description: textOrNull,
  type: z.enum(["DEVELOPER", "READ_ONLY", "CUSTOM"]),
  repository_access_level: z.enum(repositoryLevels),
  pipeline_access_level: z.enum(pipelineLevels),
});

const permissionSetField = z
  .object(permissionSetSchema.fields)
  .optional()
  .describe("PermissionSet; for workspace administrators only");

export const projectMemberSummary = defineSchema("ProjectMemberSummary", {
  ...memberFields,
  permission_set: permissionSetField,
});

export const projectMemberFull = defineSchema("ProjectMember", {
  ...memberFull.fields,
  permission_set: permissionSetField,
});

export const groupSchema = defineSchema("Group", {
  ...links,
  id: integer,
  name: text,
  description: textOrNull,
});

export const userSchema = defineSchema("User", {
  ...links,
  id: integer,
  name: textOrNull,
  avatar_url: text,
  title: textOrNull,
  workspaces_url: text,
});

export function serializeWorkspace({ links: linker }: Service, row: WorkspaceRow): Json {
  return serializeFields(row, workspaceSummary, linker.inWorkspace(row.domain));
}

function buildAvatarUrl(service: Service, user: UserRow): string {
  return `${service.links.web}/-/avatars/${user.id}.svg`;
}

/** Serializes a person with the links of its location. */
export function serializePerson(service: Service, location: Links, user: UserRow): Json {
  const { echoMemberEmail, unnamedMembers } = service.settings;
  const person = {
    ...location,
    id: user.id,
    ...(user.name === null && unnamedMembers === "omitted" ? {} : { name: user.name }),
    avatar_url: buildAvatarUrl(service, user),
    title: user.title,
  };
  return echoMemberEmail ? { ...person, email: user.email } : person;
}

/** Serializes the summary of a workspace member, as in `creator`. */
export function serializeMember({ service, workspace }: WorkspaceLocation, userId: number): Json {
  const location = service.links.inWorkspace(workspace.domain, "members", userId);
  return serializePerson(service, location, service.store.users.require(userId));
}

export function serializeUser(service: Service, user: UserRow): Json {
  const { links: linker } = service;
  const workspaces_url = `${linker.api}/workspaces`;
  return serializeFields(user, userSchema, {
    ...linker.user(),
    avatar_url: buildAvatarUrl(service, user),
    workspaces_url,
  });
}

export function serializePermissionSet(
  { service, workspace }: WorkspaceLocation,
  row: PermissionSetRow,
): Json {
  const location = service.links.inWorkspace(workspace.domain, "permissions", row.id);
  return serializeFields(row, permissionSetSchema, location);
}

export function serializeGroup({ service, workspace }: WorkspaceLocation, row: GroupRow): Json {
  return serializeFields(row, groupSchema, service.links.inWorkspace(workspace.domain, "groups", row.id));
}
