/** Tags of a repository. */
import { z } from "zod";
import { getOne, list, named } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";
import type { CommitSummary } from "./summaries.js";

export const TagSummary = apiObject({ ...links, name: z.string() });
export type TagSummary = z.infer<typeof TagSummary>;

export const Tag = TagSummary.extend({ commit: unchecked<CommitSummary>() });
export type Tag = z.infer<typeof Tag>;

const needs = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };
const all = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/tags`;

/** Tags of a project's repository (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. Read only. */
export const tags = {
  /** GET P/tags. */
  list: list(all, TagSummary, { ...needs, array: "tags", key: ({ name }) => name }),
  /** GET P/tags/:name, with its commit. Errors: not-found. */
  get: getOne(named(all), Tag, needs),
};
