import type { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told } from "../wire.js";
import { BranchSummary, type CommitSummary } from "./summaries.js";

export const Branch = BranchSummary.extend({ commit: told<CommitSummary>(), description: told<string>() });
export type Branch = z.infer<typeof Branch>;

export interface BranchCreate {
  name: string;
  description?: string | null;
  /** Where it begins. */
  commit?: { revision: string };
}

const read = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };
const write = { scopes: ["WORKSPACE", "REPOSITORY_WRITE"] };

/** Branches of a project's repository (spec: Repository). Scopes WORKSPACE and REPOSITORY_READ or REPOSITORY_WRITE. */
export class Branches extends Area {
  /** GET P/branches. */
  list(domain: string, project: string, query?: PageQuery, options?: CallOptions): Listing<BranchSummary> {
    const request = { path: branches(domain, project), ...read, query, array: "branches" };
    return this.http.list(BranchSummary, { ...request, key: (b) => b.name }, options);
  }

  /** GET P/branches/:name, with its commit. Errors: not-found. */
  get(domain: string, project: string, name: string, options?: CallOptions): Promise<Branch> {
    return this.http.get(Branch, { path: branch(domain, project, name), ...read }, options);
  }

  /** POST P/branches. Errors: invalid-value, conflict, denied. Natural key: name. */
  create(domain: string, project: string, body: BranchCreate, options?: CreateOptions): Promise<Branch> {
    const key = {
      what: `branch ${JSON.stringify(body.name)}`,
      candidates: (o: CallOptions) => this.list(domain, project, {}, o).toArray(),
      matches: (b: BranchSummary) => b.name === body.name,
      id: (b: BranchSummary) => b.name,
      read: (b: BranchSummary, o: CallOptions) => this.get(domain, project, b.name, o),
    };
    return this.http.create(Branch, { path: branches(domain, project), ...write, body }, key, options);
  }

  /** DELETE P/branches/:name. `force` is needed for a branch that is not merged. Errors: denied, invalid-value. */
  async delete(
    domain: string,
    project: string,
    name: string,
    query?: { force?: boolean },
    options?: CallOptions,
  ): Promise<void> {
    await this.http.remove({ path: branch(domain, project, name), ...write, query }, options);
  }
}

const branches = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/branches`;
const branch = (domain: string, project: string, name: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/branches/${name}`;
