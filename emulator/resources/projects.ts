import { z } from "zod";
import { projectStatuses } from "../enums.js";
import { flag, nonBlank, segment } from "../fields.js";
import { projectMember } from "../access.js";
import type * as model from "../model.js";
import { createProject, projectBody, requireFreeName } from "../operations/projects.js";
import { pageQuery, sortDirection, sorted } from "../paging.js";
import { route, type Resource } from "../route.js";
import { created, deleted, listOf, ok } from "../response.js";
import {
  projectFull,
  projectSummary,
  serializeProject,
  serializeProjectFull,
} from "../serializers/projects.js";

const area = "Projects";
const member = { area, scopes: ["WORKSPACE"] } as const;

const sortKeys = {
  name: (row: model.ProjectRow) => row.name,
  create_date: (row: model.ProjectRow) => row.createdAt,
  repository_size: (row: model.ProjectRow) => row.size,
} as const;

export const projectResource: Resource = {
  tables: { projects: { belongsTo: { workspaces: "workspaceId" }, key: "name" } },
  routes: [
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/projects",
      summary: "Projects; for a non-admin the authorized ones",
      query: {
        membership: flag.describe("For an admin: own projects only."),
        ...pageQuery,
        sort_by: z.enum(["name", "create_date", "repository_size"]),
        sort_direction: sortDirection,
        status: z.enum(projectStatuses),
      },
      response: listOf("projects", projectSummary),
      handle: (context) => {
        const { service, store, workspace, user, query } = context;
        let projects = store.projects.of(workspace.id);
        if (!context.isAdmin || query.membership === true) {
          projects = projects.filter((row) => projectMember(store, row, user.id) !== undefined);
        }
        if (query.status !== undefined) projects = projects.filter((row) => row.status === query.status);
        const key = query.sort_by === undefined ? undefined : sortKeys[query.sort_by];
        return {
          ...service.links.inWorkspace(workspace.domain, "projects"),
          projects: context
            .page(sorted(projects, key, query.sort_direction))
            .map((row) => serializeProject(service, workspace, row)),
        };
      },
    }),
    route({
      ...member,
      method: "POST",
      path: "/workspaces/:domain/projects",
      summary: "Make a project: hosted here, integrated, or with a custom repository",
      body: projectBody,
      response: created(projectFull),
      handle: (context) => {
        const { service, workspace, user, body } = context;
        if (workspace.projectsByAdminsOnly) context.requireAdmin();
        return serializeProjectFull(service, workspace, createProject(service, workspace, user, body));
      },
    }),
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/projects/:project_name",
      summary: "One project; for its members and for admins",
      response: ok(projectFull),
      handle: ({ service, workspace, project }) => serializeProjectFull(service, workspace, project),
    }),
    route({
      method: "PATCH",
      path: "/workspaces/:domain/projects/:project_name",
      area,
      summary: "Rename a project",
      scopes: ["WORKSPACE"],
      adminOnly: true,
      body: {
        display_name: nonBlank.optional(),
        name: segment.optional(),
      },
      response: ok(projectFull),
      handle: ({ service, store, workspace, project, body, now }) => {
        if (body.name !== undefined && body.name !== project.name)
          requireFreeName(service, workspace, body.name);
        project.name = body.name ?? project.name;
        project.display_name = body.display_name ?? project.display_name;
        project.updatedAt = now;
        return serializeProjectFull(service, workspace, store.projects.update(project));
      },
    }),
    route({
      method: "DELETE",
      path: "/workspaces/:domain/projects/:project_name",
      area,
      summary: "Delete a project with everything in it",
      scopes: ["WORKSPACE", "PROJECT_DELETE"],
      adminOnly: true,
      response: deleted,
      handle: async ({ service, store, project }) => {
        store.projects.remove(project);
        // Removes files last: a project without its repository could not be read.
        await store.commit();
        await service.repositories.remove(project);
      },
    }),
  ],
};
