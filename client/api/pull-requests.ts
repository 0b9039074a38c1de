import { z } from "zod";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";

export const PullRequest = wire({ ...links, name: z.string(), git_host_html_url: told<string>() });
export type PullRequest = z.infer<typeof PullRequest>;

const needs = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };

/** Pull requests of the hosted Git project (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. Read only. */
export class PullRequests extends Area {
  /** GET P/pulls. */
  list(domain: string, project: string, query?: PageQuery, options?: CallOptions): Listing<PullRequest> {
    const request = {
      path: path`/workspaces/${domain}/projects/${project}/repository/pulls`,
      ...needs,
      query,
    };
    // Two may bear one name; the address tells them apart.
    return this.http.list(
      PullRequest,
      { ...request, array: "pull_requests", key: (p) => p.url ?? p.name },
      options,
    );
  }

  /** GET P/pulls/:number. Errors: not-found. */
  get(domain: string, project: string, number: number, options?: CallOptions): Promise<PullRequest> {
    const pull = path`/workspaces/${domain}/projects/${project}/repository/pulls/${number}`;
    return this.http.get(PullRequest, { path: pull, ...needs }, options);
  }
}
