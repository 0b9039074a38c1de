import { z } from "zod";
import { Area } from "../http.js";
import { Listing, type PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";
import { CommitSummary } from "./summaries.js";

export const Comparison = wire({
  ...links,
  commits: z.array(CommitSummary),
  base_commit: told<CommitSummary>(),
  /** Commits that head has and base has not. */
  ahead: told<number>(),
  /** Commits that base has and head has not. */
  behind: told<number>(),
});
export type Comparison = z.infer<typeof Comparison>;

const needs = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };

/** Two revisions compared (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. Errors: not-found. */
export class Comparisons extends Area {
  /** GET P/comparison/:base...:head with all its commits, however many pages they are. */
  async get(
    domain: string,
    project: string,
    base: string,
    head: string,
    query?: PageQuery,
    options?: CallOptions,
  ): Promise<Comparison> {
    const answers: Comparison[] = [];
    const commits = new Listing({
      perPage: query?.per_page,
      firstPage: query?.page,
      key: (commit: CommitSummary) => commit.revision,
      page: async (page) => {
        const where = path`/workspaces/${domain}/projects/${project}/repository/comparison/${base}...${head}`;
        const answer = await this.http.get(Comparison, { path: where, ...needs, query: page }, options);
        answers.push(answer);
        return { length: answer.commits.length, items: () => answer.commits };
      },
    });
    const all = await commits.toArray();
    // The other fields are the same on every page; there is always a first one.
    const [first] = answers as [Comparison];
    return { ...first, commits: all };
  }
}
