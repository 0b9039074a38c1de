import type { Links } from "../links.js";
import type { GroupRow, PermissionSetRow, UserRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";
import { date, flag, integer, links, text, textOrNull, view } from "../view.js";

/** Answers about workspaces, people, groups and permission sets (spec, "Resources and their fields"). */
export const workspaceSummary = view("WorkspaceSummary", { ...links, id: integer, name: text, domain: text });

export const workspaceFull = view("Workspace", {
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
  // Only where the setting says so; the spec shows it in commits only.
  email: { ...text, optional: true },
} as const;

export const memberSummary = view("MemberSummary", memberFields);

export const memberFull = view("Member", { ...memberFields, admin: flag, workspace_owner: flag });

export const permissionSetView = view("PermissionSet", {
  ...links,
  id: integer,
  name: text,
  description: textOrNull,
  type: { ...text, values: ["DEVELOPER", "READ_ONLY", "CUSTOM"] },
  repository_access_level: { ...text, values: ["DENIED", "READ_ONLY", "READ_WRITE"] },
  pipeline_access_level: { ...text, values: ["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"] },
});

const permissionSetField = {
  type: "object",
  fields: permissionSetView.fields,
  description: "PermissionSet; for workspace administrators only",
  optional: true,
} as const;

export const projectMemberSummary = view("ProjectMemberSummary", {
  ...memberFields,
  permission_set: permissionSetField,
});

export const projectMemberFull = view("ProjectMember", {
  ...memberFull.fields,
  permission_set: permissionSetField,
});

export const groupView = view("Group", { ...links, id: integer, name: text, description: textOrNull });

export const userView = view("User", {
  ...links,
  id: integer,
  name: textOrNull,
  avatar_url: text,
  title: textOrNull,
  workspaces_url: text,
});

type Json = Record<string, unknown>;

export function showWorkspace(service: Service, row: WorkspaceRow): Json {
  return { ...service.links.workspace(row.domain), id: row.id, name: row.name, domain: row.domain };
}

function avatar(service: Service, user: UserRow): string {
  return `${service.links.web}/-/avatars/${user.id}.svg`;
}

/** A person where no workspace is in sight, or with the links of a place in one. */
export function showPerson(service: Service, at: Links, user: UserRow): Json {
  const person = {
    url: at.url,
    html_url: at.html_url,
    id: user.id,
    name: user.name,
    avatar_url: avatar(service, user),
    title: user.title,
  };
  return service.settings.echoMemberEmail ? { ...person, email: user.email } : person;
}

/** A member of the workspace in short, as in `creator`. */
export function showMember(service: Service, workspace: WorkspaceRow, user: UserRow): Json {
  return showPerson(service, service.links.inWorkspace(workspace.domain, "members", user.id), user);
}

export function showUser(service: Service, user: UserRow): Json {
  return {
    ...service.links.user(),
    id: user.id,
    name: user.name,
    avatar_url: avatar(service, user),
    title: user.title,
    workspaces_url: `${service.links.api}/workspaces`,
  };
}

export function showPermissionSet(service: Service, workspace: WorkspaceRow, row: PermissionSetRow): Json {
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

export function showGroup(service: Service, workspace: WorkspaceRow, row: GroupRow): Json {
  return {
    ...service.links.inWorkspace(workspace.domain, "groups", row.id),
    id: row.id,
    name: row.name,
    description: row.description,
  };
}
