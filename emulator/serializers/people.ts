import { integer, flag, text } from "../fields.js";
import { z } from "zod";
import { pipelineLevels, repositoryLevels } from "../enums.js";
import type { Links } from "../links.js";
import type { GroupRow, PermissionSetRow, UserRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";
import { links, date, schema, textOrNull } from "../response.js";

/** Serializers of workspaces, people, groups and permission sets (spec, "Resources and their fields"). */

export const workspaceSummary = schema("WorkspaceSummary", {
  ...links,
  id: integer,
  name: text,
  domain: text,
});

export const workspaceFull = schema("Workspace", {
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

export const memberSummary = schema("MemberSummary", memberFields);

export const memberFull = schema("Member", { ...memberFields, admin: flag, workspace_owner: flag });

export const permissionSetSchema = schema("PermissionSet", {
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

export const projectMemberSummary = schema("ProjectMemberSummary", {
  ...memberFields,
  permission_set: permissionSetField,
});

export const projectMemberFull = schema("ProjectMember", {
  ...memberFull.fields,
  permission_set: permissionSetField,
});

export const groupSchema = schema("Group", { ...links, id: integer, name: text, description: textOrNull });

export const userSchema = schema("User", {
  ...links,
  id: integer,
  name: textOrNull,
  avatar_url: text,
  title: textOrNull,
  workspaces_url: text,
});

type Json = Record<string, unknown>;

export function serializeWorkspace(service: Service, row: WorkspaceRow): Json {
  return { ...service.links.workspace(row.domain), id: row.id, name: row.name, domain: row.domain };
}

function avatar(service: Service, user: UserRow): string {
  return `${service.links.web}/-/avatars/${user.id}.svg`;
}

/** Serializes a person with the links of its location. */
export function serializePerson(service: Service, location: Links, user: UserRow): Json {
  const person = {
    url: location.url,
    html_url: location.html_url,
    id: user.id,
    name: user.name,
    avatar_url: avatar(service, user),
    title: user.title,
  };
  return service.settings.echoMemberEmail ? { ...person, email: user.email } : person;
}

/** Serializes the summary of a workspace member, as in `creator`. */
export function serializeMember(service: Service, workspace: WorkspaceRow, user: UserRow): Json {
  return serializePerson(service, service.links.inWorkspace(workspace.domain, "members", user.id), user);
}

export function serializeUser(service: Service, user: UserRow): Json {
  return {
    ...service.links.user(),
    id: user.id,
    name: user.name,
    avatar_url: avatar(service, user),
    title: user.title,
    workspaces_url: `${service.links.api}/workspaces`,
  };
}

export function serializePermissionSet(
  service: Service,
  workspace: WorkspaceRow,
  row: PermissionSetRow,
): Json {
  return {
    ...service.links.inWorkspace(workspace.domain, "permissions", row.id),
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    repository_access_level: row.repository_access_level,
    pipeline_access_level: row.pipeline_access_level,
  };
}

export function serializeGroup(service: Service, workspace: WorkspaceRow, row: GroupRow): Json {
  return {
    ...service.links.inWorkspace(workspace.domain, "groups", row.id),
    id: row.id,
    name: row.name,
    description: row.description,
  };
}
