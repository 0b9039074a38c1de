import { integer, flag, text } from "../fields.js";
import { z } from "zod";
import { projectStatuses } from "../enums.js";
import { formatDate } from "../clock.js";
import type { IntegrationRow, ProjectRow, VariableRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";
import { links, date, objectOf, schema, textOrNull } from "../response.js";
import { memberSummary, serializeMember } from "./people.js";

/** Serializers of projects, variables and integrations. */

export const projectSummary = schema("ProjectSummary", {
  ...links,
  name: text,
  display_name: text,
  status: z.enum(projectStatuses),
});

export const projectFull = schema("Project", {
  ...projectSummary.fields,
  create_date: date,
  created_by: objectOf(memberSummary),
  http_repository: text,
  ssh_repository: text,
  size: integer,
  default_branch: text,
});

export const variableSchema = schema("Variable", {
  url: text,
  id: integer,
  key: text,
  value: text,
  ssh_key: flag,
  settable: flag,
  encrypted: flag,
  description: textOrNull,
});

export const integrationSchema = schema("Integration", { ...links, id: integer, name: text, type: text });

type Json = Record<string, unknown>;

export function serializeProject(service: Service, workspace: WorkspaceRow, row: ProjectRow): Json {
  const { url, html_url } = service.links.inWorkspace(workspace.domain, "projects", row.name);
  return {
    url,
    html_url,
    name: row.name,
    display_name: row.display_name,
    status: row.status,
  };
}

export function serializeProjectFull(service: Service, workspace: WorkspaceRow, row: ProjectRow): Json {
  const { links: linker, store } = service;
  const path = `${encodeURIComponent(workspace.domain)}/${encodeURIComponent(row.name)}`;
  return {
    ...serializeProject(service, workspace, row),
    create_date: formatDate(row.createdAt),
    created_by: serializeMember(service, workspace, store.users.require(row.createdById)),
    http_repository: `${linker.origin}/git/${path}.git`,
    ssh_repository: `ssh://git@${linker.host}/${path}.git`,
    size: row.size,
    default_branch: row.default_branch,
  };
}

export function serializeVariable(service: Service, workspace: WorkspaceRow, row: VariableRow): Json {
  const { encryption } = service.store;
  return {
    url: service.links.inWorkspace(workspace.domain, "variables", row.id).url,
    id: row.id,
    key: row.key,
    value: row.sealed === null ? row.value : encryption.mask(row.id, row.sealed),
    ssh_key: row.ssh_key,
    settable: row.settable,
    encrypted: row.encrypted,
    description: row.description,
  };
}

export function serializeIntegration(service: Service, row: IntegrationRow): Json {
  return {
    ...service.links.user(`/integrations/${row.id}`),
    id: row.id,
    name: row.name,
    type: row.type,
  };
}
