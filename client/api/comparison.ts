/** Comparison of two revisions of a repository. */
import { z } from "zod";
import type { Http } from "../http.js";
import { Listing, type PageQuery } from "../paging.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";
import type { CallOptions } from "../transport.js";
import { CommitSummary } from "./summaries.js";

export const Comparison = apiObject({
  ...links,
  commits: z.array(CommitSummary),
  base_commit: unchecked<CommitSummary>(),
  /** Commits that head has and base has not. */
  ahead: unchecked<number>(),
  /** Commits that base has and head has not. */
  behind: unchecked<number>(),
});
export type Comparison = z.infer<typeof Comparison>;

/** Two revisions compared (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. Errors: not-found. */
export const comparison = {
  /** GET P/comparison/:base...:head with all its commits, from all pages. */
  get:
    (http: Http) =>
    async (
      domain: string,
      project: string,
      base: string,
      head: string,
      query?: PageQuery,
      options?: CallOptions,
    ): Promise<Comparison> => {
      const request = {
        path: path`/workspaces/${domain}/projects/${project}/repository/comparison/${base}...${head}`,
        scopes: ["WORKSPACE", "REPOSITORY_READ"],
      };
      const pages: Comparison[] = [];
      const commits = new Listing({
        perPage: query?.per_page,
        firstPage: query?.page,
        key: ({ revision }: CommitSummary) => revision,
        page: async (page) => {
          const response = await http.get(Comparison, { ...request, query: page }, options);
          pages.push(response);
          return { length: response.commits.length, items: () => response.commits };
        },
      });
      const all = await commits.toArray();
      // The other fields are the same on every page, and there is always a first page.
      const [first] = pages as [Comparison];
      return { ...first, commits: all };
    },
};
