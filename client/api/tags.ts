import { z } from "zod";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";
import type { CommitSummary } from "./summaries.js";

export const TagSummary = wire({ ...links, name: z.string() });
export type TagSummary = z.infer<typeof TagSummary>;

export const Tag = TagSummary.extend({ commit: told<CommitSummary>() });
export type Tag = z.infer<typeof Tag>;

const needs = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };

/** Tags of a project's repository (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. Read only. */
export class Tags extends Area {
  /** GET P/tags. */
  list(domain: string, project: string, query?: PageQuery, options?: CallOptions): Listing<TagSummary> {
    const request = {
      path: path`/workspaces/${domain}/projects/${project}/repository/tags`,
      ...needs,
      query,
    };
    return this.http.list(TagSummary, { ...request, array: "tags", key: (t) => t.name }, options);
  }

  /** GET P/tags/:name, with its commit. Errors: not-found. */
  get(domain: string, project: string, name: string, options?: CallOptions): Promise<Tag> {
    const tag = path`/workspaces/${domain}/projects/${project}/repository/tags/${name}`;
    return this.http.get(Tag, { path: tag, ...needs }, options);
  }
}
