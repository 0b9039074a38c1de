/** Projects of a workspace. */
import type { z } from "zod";
import { administrator, collection, named, removeOne, typed } from "../endpoint.js";
import { returnNoneIfMissing } from "../errors.js";
import type { PageQuery } from "../paging.js";
import { path } from "../path.js";
import { unchecked } from "../schema.js";
import { type MemberSummary, ProjectSummary } from "./summaries.js";

export const Project = ProjectSummary.extend({
  create_date: unchecked<string>(),
  created_by: unchecked<MemberSummary>(),
  http_repository: unchecked<string>(),
  ssh_repository: unchecked<string>(),
  size: unchecked<number>(),
  default_branch: unchecked<string>(),
});
export type Project = z.infer<typeof Project>;

export interface ProjectQuery extends PageQuery {
  /** For an administrator: only own projects. */
  membership?: boolean;
  sort_by?: "name" | "create_date" | "repository_size";
  sort_direction?: "ASC" | "DESC";
  status?: "ACTIVE" | "CLOSED";
}

/** `name` alone creates a project with a repository of its own. The other fields connect an existing repository. */
export interface ProjectCreate {
  name?: string;
  display_name?: string;
  integration?: { id: number };
  external_project_id?: string;
  git_lab_project_id?: string;
  custom_repo_url?: string;
  custom_repo_user?: string;
  custom_repo_pass?: string;
}

export interface ProjectUpdate {
  display_name?: string;
  name?: string | null;
}

const scopes = ["WORKSPACE"];

const all = (domain: string) => path`/workspaces/${domain}/projects`;
const project = collection(all, ProjectSummary, Project, {
  array: "projects",
  key: ({ name }) => name,
  query: typed<ProjectQuery>(),
  read: { scopes },
  readOne: { scopes, right: "a project member or workspace administrator" },
  manage: { scopes, right: administrator },
});

/** Projects (spec: Projects). Scope WORKSPACE. */
export const projects = {
  /** GET /workspaces/:domain/projects: administrators see all, others those they belong to. */
  list: project.list,
  /** GET /workspaces/:domain/projects/:project_name. Errors: not-found; denied to a caller who is no member of it. */
  get: project.get,
  /**
   * POST /workspaces/:domain/projects. Errors: invalid-value, conflict, denied where the workspace limits it to
   * administrators. Natural key: the name, or for an integrated project without one the display name.
   */
  create: project.create({
    body: typed<ProjectCreate>(),
    what: ({ name, display_name }) => `project ${JSON.stringify(name ?? display_name)}`,
    candidates: (http, at, { name }, options) =>
      name
        ? project
            .get(http)(...at, name, options)
            .then((found) => [found], returnNoneIfMissing)
        : undefined,
    matches: (project, { name, display_name }) =>
      name ? project.name === name : project.display_name === display_name,
  }),
  /** PATCH /workspaces/:domain/projects/:project_name. A new name changes the project's path. Administrators only. */
  update: project.update(typed<ProjectUpdate>()),
  /** DELETE /workspaces/:domain/projects/:project_name. Scopes WORKSPACE and PROJECT_DELETE. Administrators only. */
  delete: removeOne(named(all), { scopes: [...scopes, "PROJECT_DELETE"], right: administrator }),
};
