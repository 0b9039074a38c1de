import type { z } from "zod";
import { createOne, getOne, list, named, typed } from "../endpoint.js";
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

const read = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };
const write = { scopes: ["WORKSPACE", "REPOSITORY_WRITE"] };

const all = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/branches`;
const one = named(all);

const listed = list(all, BranchSummary, { ...read, array: "branches", key: ({ name }) => name });
const single = getOne(one, Branch, read);

/** Branches of a project's repository (spec: Repository). Scopes WORKSPACE and REPOSITORY_READ or REPOSITORY_WRITE. */
export const branches = {
  /** GET P/branches. */
  list: listed,
  /** GET P/branches/:name, with its commit. Errors: not-found. */
  get: single,
  /** POST P/branches. Errors: invalid-value, conflict, denied. Natural key: name. */
  create: createOne(all, Branch, {
    ...write,
    body: typed<BranchCreate>(),
    what: ({ name }) => `branch ${JSON.stringify(name)}`,
    among: listed,
    matches: (branch, { name }) => branch.name === name,
    single,
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
    ): Promise<void> => {
      await http.remove({ path: one(domain, project, name), ...write, query }, options);
    },
};
