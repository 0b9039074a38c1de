/** Projects and variables as JSON. */
import { z } from "zod";
import { formatDate } from "../clock.js";
import type { WorkspaceLocation } from "../context.js";
import { generateSecret } from "../encryption.js";
import { projectStatuses } from "../enums.js";
import { flag, integer, text } from "../fields.js";
import type { IntegrationRow, ProjectRow, VariableRow } from "../model.js";
import {
  date,
  defineSchema,
  type Json,
  links,
  serializeFields,
  textOrNull,
  toObjectSchema,
} from "../response.js";
import type { Service } from "../service.js";
import { memberSummary, serializeMember } from "./people.js";

/** Serializers of projects, variables and integrations. */

export const projectSummary = defineSchema("ProjectSummary", {
  ...links,
  name: text,
  display_name: text,
  status: z.enum(projectStatuses),
});

export const projectFull = defineSchema("Project", {
  ...projectSummary.fields,
  create_date: date,
  created_by: toObjectSchema(memberSummary),
  http_repository: text,
  ssh_repository: text,
  size: integer,
  default_branch: text,
});

export const variableSchema = defineSchema("Variable", {
  url: text,
  id: integer,
  key: text,
  value: text,
  ssh_key: flag,
  settable: flag,
  encrypted: flag,
  description: textOrNull,
});

export const integrationSchema = defineSchema("Integration", {
  ...links,
  id: integer,
  name: text,
  type: text,
});

export function serializeProject({ service, workspace }: WorkspaceLocation, row: ProjectRow): Json {
  const location = service.links.inWorkspace(workspace.domain, "projects", row.name);
  return serializeFields(row, projectSummary, location);
}

export function serializeProjectFull(location: WorkspaceLocation, row: ProjectRow): Json {
  const { links: linker } = location.service;
  const path = `${encodeURIComponent(location.workspace.domain)}/${encodeURIComponent(row.name)}`;
  return serializeFields(row, projectFull, {
    ...serializeProject(location, row),
    create_date: formatDate(row.createdAt),
    created_by: serializeMember(location, row.createdById),
    http_repository: `${linker.origin}/git/${path}.git`,
    ssh_repository: `ssh://git@${linker.host}/${path}.git`,
  });
}

export function serializeVariable({ service, workspace }: WorkspaceLocation, row: VariableRow): Json {
  const { url } = service.links.inWorkspace(workspace.domain, "variables", row.id);
  const { settings, store } = service;
  const masked = (sealed: string) =>
    settings.encryptedValues === "stable"
      ? store.encryption.mask(row.id, sealed)
      : `secure!${generateSecret()}`;
  const sealed =
    row.sealed === null && row.ssh_key && settings.sshKeyValues === "masked"
      ? store.encryption.encrypt(row.value ?? "")
      : row.sealed;
  const value = sealed === null ? row.value : masked(sealed);
  return serializeFields(row, variableSchema, { url, value });
}

export function serializeIntegration(service: Service, row: IntegrationRow): Json {
  return serializeFields(row, integrationSchema, { ...service.links.user(`/integrations/${row.id}`) });
}
