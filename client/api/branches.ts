/** Branches of a repository. */
import type { z } from "zod";
import { collection, named, typed } from "../endpoint.js";
import type { Http } from "../http.js";
import { path } from "../path.js";
import { unchecked } from "../schema.js";
import type { CallOptions } from "../transport.js";
import { BranchSummary, type CommitSummary } from "./summaries.js";

export const Branch = BranchSummary.extend({
  commit: unchecked<CommitSummary>(),
  description: unchecked<string>(),
});
export type Branch = z.infer<typeof Branch>;

export interface BranchCreate {
  name: string;
  description?: string | null;
  /** The commit at which it begins. */
  commit?: { revision: string };
}

const write = { scopes: ["WORKSPACE", "REPOSITORY_WRITE"] };

const all = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/branches`;
const branch = collection(all, BranchSummary, Branch, {
  array: "branches",
  key: ({ name }) => name,
  read: { scopes: ["WORKSPACE", "REPOSITORY_READ"] },
  manage: write,
});

/** Branches of a project's repository (spec: Repository). Scopes WORKSPACE and REPOSITORY_READ or REPOSITORY_WRITE. */
export const branches = {
  /** GET P/branches. */
  list: branch.list,
  /** GET P/branches/:name, with its commit. Errors: not-found. */
  get: branch.get,
  /** POST P/branches. Errors: invalid-value, conflict, denied. Natural key: name. */
  create: branch.create({
    body: typed<BranchCreate>(),
    what: ({ name }) => `branch ${JSON.stringify(name)}`,
    matches: (branch, { name }) => branch.name === name,
  }),
  /** DELETE P/branches/:name. `force` is needed for a branch that is not merged. Errors: denied, invalid-value. */
  delete:
    (http: Http) =>
    async (
      domain: string,
      project: string,
      name: string,
      query?: { force?: boolean },
      options?: CallOptions,
    ): Promise<boolean> => {
      const request = { path: named(all)(domain, project, name), ...write, query };
      return (await http.remove(request, options)).existed;
    },
};
