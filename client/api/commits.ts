import type { z } from "zod";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told } from "../wire.js";
import { CommitSummary } from "./summaries.js";

export interface CommitFile {
  file_name: string;
  status: "ADDED" | "MODIFIED" | "REPLACED" | "DELETED";
  additions: number;
  deletions: number;
  total: number;
  patch: string | null;
}

export const Commit = CommitSummary.extend({
  stats: told<{ additions: number; deletions: number; total: number }>(),
  files: told<CommitFile[]>(),
  content_url: told<string>(),
  parents: told<{ url?: string | null; html_url?: string | null; revision: string }[]>(),
});
export type Commit = z.infer<typeof Commit>;

export interface CommitQuery extends PageQuery {
  author?: string;
  path?: string;
  /** Hash, branch or tag to start from; the default branch when omitted. */
  revision?: string;
  /** ISO 8601 in UTC. */
  since?: string;
  /** ISO 8601 in UTC. */
  until?: string;
}

const needs = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };

/** Commits of a project's repository (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. */
export class Commits extends Area {
  /** GET P/commits, newest first. Errors: not-found (revision). */
  list(domain: string, project: string, query?: CommitQuery, options?: CallOptions): Listing<CommitSummary> {
    const request = {
      path: path`/workspaces/${domain}/projects/${project}/repository/commits`,
      ...needs,
      query,
    };
    return this.http.list(CommitSummary, { ...request, array: "commits", key: (c) => c.revision }, options);
  }

  /** GET P/commits/:revision, with its files. Errors: not-found. */
  get(domain: string, project: string, revision: string, options?: CallOptions): Promise<Commit> {
    const commit = path`/workspaces/${domain}/projects/${project}/repository/commits/${revision}`;
    return this.http.get(Commit, { path: commit, ...needs }, options);
  }
}
