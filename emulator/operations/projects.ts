/** Creates, changes and deletes projects. */
import { z } from "zod";
import { findProjectMember, isAdmin } from "../access.js";
import type { WorkspaceLocation } from "../context.js";
import { createBadRequestError, createConflictError, createEmptyValueError } from "../errors.js";
import { type BodyOf, type Fields, integer, nonBlank, optionalSecretText, segment } from "../fields.js";
import type * as model from "../model.js";
import type { Service } from "../service.js";
import { defaultSettings, type Settings } from "../settings.js";

/** Operations on projects and their members that routes and seed share. */

export const projectBody = {
  name: segment.nullish(),
  display_name: nonBlank.nullish(),
  integration: z.object({ id: integer }).nullish(),
  external_project_id: nonBlank.nullish(),
  git_lab_project_id: nonBlank.nullish(),
  custom_repo_url: nonBlank.nullish(),
  custom_repo_user: nonBlank.nullish(),
  custom_repo_pass: optionalSecretText,
} as const satisfies Fields;

type Name = keyof typeof projectBody;
const integratedFields: readonly Name[] = ["integration", "external_project_id", "git_lab_project_id"];
const customFields: readonly Name[] = ["custom_repo_url", "custom_repo_user", "custom_repo_pass"];

/** Returns the fields that the spec requires of a project of this kind: integrated, custom or hosted. */
function listRequiredFields(body: BodyOf<typeof projectBody>): readonly Name[] {
  const isSent = (name: Name): boolean => body[name] != null;
  if (integratedFields.some(isSent)) return ["display_name", "integration", "external_project_id"];
  if (!customFields.some(isSent)) return ["name"];
  const needsPassword = /^https:/i.test(body.custom_repo_url ?? "");
  return ["name", ...customFields.filter((name) => needsPassword || name !== "custom_repo_pass")];
}

/** Derives the name of an integrated project from its display name. */
function deriveName(displayName: string): string {
  const name = displayName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 255);
  return name === "" ? "project" : name;
}

export function requireFreeName({ service, workspace }: WorkspaceLocation, name: string): void {
  if (service.store.projects.byKey(workspace.id, name) !== undefined) {
    throw createConflictError(`A project with the name '${name}' already exists.`);
  }
}

export function createProject(
  location: WorkspaceLocation,
  creator: model.UserRow,
  body: BodyOf<typeof projectBody>,
  { defaultBranch, projectCreators }: Pick<Settings, "defaultBranch" | "projectCreators"> = defaultSettings,
): model.ProjectRow {
  const { service, workspace } = location;
  const { store, clock } = service;
  for (const name of listRequiredFields(body)) if (body[name] == null) throw createEmptyValueError(name);
  const integrationId = body.integration?.id ?? null;
  if (integrationId !== null && store.integrations.get(integrationId)?.userId !== creator.id) {
    throw createBadRequestError(`Integration ${integrationId} does not exist.`);
  }
  const name = body.name ?? deriveName(body.display_name ?? "");
  requireFreeName(location, name);
  const now = clock.now();
  const project = store.projects.insert({
    workspaceId: workspace.id,
    name,
    display_name: body.display_name ?? name,
    status: "ACTIVE",
    createdAt: now,
    createdById: creator.id,
    updatedAt: now,
    size: 0,
    default_branch: defaultBranch,
    integrationId,
    external_project_id: body.external_project_id ?? null,
    git_lab_project_id: body.git_lab_project_id ?? null,
    custom_repo_url: body.custom_repo_url ?? null,
    custom_repo_user: body.custom_repo_user ?? null,
    customRepoPassSealed:
      body.custom_repo_pass == null ? null : store.encryption.encrypt(body.custom_repo_pass),
    branchDescriptions: {},
  });
  // The creator must be able to work in the project, which an administrator always is.
  if (projectCreators === "everyone" || !isAdmin(store, workspace, creator.id)) {
    const developer = store.permissionSets.find(workspace.id, (set) => set.type === "DEVELOPER");
    if (developer !== undefined) addProjectMember(service, project, creator.id, developer);
  }
  return project;
}

export function addProjectMember(
  service: Service,
  project: model.ProjectRow,
  userId: number,
  set: model.PermissionSetRow,
): model.ProjectMemberRow {
  const { store } = service;
  if (findProjectMember(store, project, userId) !== undefined) {
    throw createConflictError(`Member ${userId} is in the project '${project.name}' already.`);
  }
  return store.projectMembers.insert({ projectId: project.id, userId, permissionSetId: set.id });
}
