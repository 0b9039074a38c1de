/** Commits of a repository. */
import type { z } from "zod";
import { getOne, list, named, typed } from "../endpoint.js";
import type { PageQuery } from "../paging.js";
import { path } from "../path.js";
import { unchecked } from "../schema.js";
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
  stats: unchecked<{ additions: number; deletions: number; total: number }>(),
  files: unchecked<CommitFile[]>(),
  content_url: unchecked<string>(),
  parents: unchecked<{ url?: string | null; html_url?: string | null; revision: string }[]>(),
});
export type Commit = z.infer<typeof Commit>;

export interface CommitQuery extends PageQuery {
  author?: string;
  path?: string;
  /** Hash, branch or tag to start from. Default: the default branch. */
  revision?: string;
  /** ISO 8601 in UTC. */
  since?: string;
  /** ISO 8601 in UTC. */
  until?: string;
}

const needs = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };
const all = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/commits`;

/** Commits of a project's repository (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. */
export const commits = {
  /** GET P/commits, newest first. Errors: not-found (revision). */
  list: list(all, CommitSummary, {
    ...needs,
    array: "commits",
    key: ({ revision }) => revision,
    query: typed<CommitQuery>(),
  }),
  /** GET P/commits/:revision, with its files. Errors: not-found. */
  get: getOne(named(all), Commit, needs),
};
