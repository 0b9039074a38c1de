/** Endpoints and tables of projects. */
import { z } from "zod";
import { findProjectMember } from "../access.js";
import { projectStatuses } from "../enums.js";
import { flag, nonBlank, segment } from "../fields.js";
import type * as model from "../model.js";
import { createProject, projectBody, requireFreeName } from "../operations/projects.js";
import { defineSortQuery, sortItems } from "../paging.js";
import { respondCreated, respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import {
  projectFull,
  projectSummary,
  serializeProject,
  serializeProjectFull,
} from "../serializers/projects.js";

const area = "Projects";
const member = defineEndpoints("/workspaces/:domain/projects", { area, scopes: ["WORKSPACE"] });

const sortKeys = {
  name: (row: model.ProjectRow) => row.name,
  create_date: (row: model.ProjectRow) => row.createdAt,
  repository_size: (row: model.ProjectRow) => row.size,
} as const;

export const projectResource: Resource = {
  tables: { projects: { belongsTo: { workspaces: "workspaceId" }, key: "name" } },
  routes: [
    member("GET", "Projects; for a non-admin the authorized ones", {
      query: {
        membership: flag.describe("For an admin: own projects only."),
        ...defineSortQuery("name", "create_date", "repository_size"),
        status: z.enum(projectStatuses),
      },
      response: respondList("projects", projectSummary),
      handle: (context) => {
        const { store, workspace, user, query } = context;
        let projects = store.projects.of(workspace.id);
        if (!context.isAdmin || query.membership === true) {
          projects = projects.filter((row) => findProjectMember(store, row, user.id) !== undefined);
        }
        if (query.status !== undefined) projects = projects.filter((row) => row.status === query.status);
        const page = context.page(sortItems(projects, sortKeys, query));
        return page.map((row) => serializeProject(context, row));
      },
    }),
    member("POST", "Create a project: hosted here, integrated, or with a custom repository", {
      body: projectBody,
      response: respondCreated(projectFull),
      handle: (context) => {
        if (context.workspace.projectsByAdminsOnly) context.requireAdmin();
        const { service, user, body } = context;
        return serializeProjectFull(context, createProject(context, user, body, service.settings));
      },
    }),
    member("GET /:project_name", "One project; for its members and for admins", {
      response: respondOk(projectFull),
      handle: (context) => serializeProjectFull(context, context.project),
    }),
    member("PATCH /:project_name", "Rename a project", {
      adminOnly: true,
      body: { display_name: nonBlank.optional(), name: segment.optional() },
      response: respondOk(projectFull),
      handle: (context) => {
        const { store, project, body, now } = context;
        if (body.name !== undefined && body.name !== project.name) requireFreeName(context, body.name);
        Object.assign(project, body, { updatedAt: now });
        return serializeProjectFull(context, store.projects.update(project));
      },
    }),
    member("DELETE /:project_name", "Delete a project with everything in it", {
      scopes: ["WORKSPACE", "PROJECT_DELETE"],
      adminOnly: true,
      handle: async ({ service, store, project }) => {
        store.projects.remove(project);
        // Removes files last: a project without its repository could not be read.
        await store.commit();
        await service.repositories.remove(project);
      },
    }),
  ],
};
