import type { z } from "zod";
import type { CreateOptions } from "../create.js";
import { isServiceError } from "../errors.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told } from "../wire.js";
import { ProjectSummary, type MemberSummary } from "./summaries.js";

export const Project = ProjectSummary.extend({
  create_date: told<string>(),
  created_by: told<MemberSummary>(),
  http_repository: told<string>(),
  ssh_repository: told<string>(),
  size: told<number>(),
  default_branch: told<string>(),
});
export type Project = z.infer<typeof Project>;

export interface ProjectQuery extends PageQuery {
  /** For an administrator: only own projects. */
  membership?: boolean;
  sort_by?: "name" | "create_date" | "repository_size";
  sort_direction?: "ASC" | "DESC";
  status?: "ACTIVE" | "CLOSED";
}

/** `name` alone makes a project with a repository of its own; the others connect one that exists elsewhere. */
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
const right = "a workspace administrator";

/** Projects (spec: Projects). Scope WORKSPACE. */
export class Projects extends Area {
  /** GET /workspaces/:domain/projects: administrators see all, others those they belong to. */
  list(domain: string, query?: ProjectQuery, options?: CallOptions): Listing<ProjectSummary> {
    const request = { path: path`/workspaces/${domain}/projects`, scopes, query, array: "projects" };
    return this.http.list(ProjectSummary, { ...request, key: (p) => p.name }, options);
  }

  /** GET /workspaces/:domain/projects/:project_name. Errors: not-found; denied to who is no member of it. */
  get(domain: string, name: string, options?: CallOptions): Promise<Project> {
    const request = { path: path`/workspaces/${domain}/projects/${name}`, scopes };
    return this.http.get(
      Project,
      { ...request, right: "a project member or workspace administrator" },
      options,
    );
  }

  /**
   * POST /workspaces/:domain/projects. Errors: invalid-value, conflict, denied where the workspace limits it to
   * administrators. Natural key: the name, or for an integrated project without one the display name.
   */
  create(domain: string, body: ProjectCreate, options?: CreateOptions): Promise<Project> {
    const request = { path: path`/workspaces/${domain}/projects`, scopes, right, body };
    const { name, display_name } = body;
    const key = {
      what: `project ${JSON.stringify(name ?? display_name)}`,
      candidates: (o: CallOptions) =>
        name ? this.#named(domain, name, o) : this.list(domain, {}, o).toArray(),
      matches: (p: ProjectSummary) => (name ? p.name === name : p.display_name === display_name),
      id: (p: ProjectSummary) => p.name,
      read: (p: ProjectSummary, o: CallOptions) => this.get(domain, p.name, o),
    };
    return this.http.create(Project, request, key, options);
  }

  /** PATCH /workspaces/:domain/projects/:project_name. A new name changes the project's path. Administrators only. */
  update(domain: string, name: string, body: ProjectUpdate, options?: CallOptions): Promise<Project> {
    const request = { path: path`/workspaces/${domain}/projects/${name}`, scopes, right, body };
    return this.http.send(Project, { method: "PATCH", ...request }, options);
  }

  /** DELETE /workspaces/:domain/projects/:project_name. Scopes WORKSPACE and PROJECT_DELETE. Administrators only. */
  async delete(domain: string, name: string, options?: CallOptions): Promise<void> {
    const request = { path: path`/workspaces/${domain}/projects/${name}`, right };
    await this.http.remove({ ...request, scopes: ["WORKSPACE", "PROJECT_DELETE"] }, options);
  }

  async #named(domain: string, name: string, options: CallOptions): Promise<Project[]> {
    try {
      return [await this.get(domain, name, options)];
    } catch (error) {
      if (isServiceError(error, "not-found")) return [];
      throw error;
    }
  }
}
