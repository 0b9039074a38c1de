/** Pull requests of a project. */
import { z } from "zod";
import { byNumber, getOne, list } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";

export const PullRequest = apiObject({
  ...links,
  name: z.string(),
  git_host_html_url: unchecked<string>(),
});
export type PullRequest = z.infer<typeof PullRequest>;

const needs = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };
const all = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/pulls`;

/** Pull requests of the hosted Git project (spec: Repository). Scopes WORKSPACE, REPOSITORY_READ. Read only. */
export const pullRequests = {
  /** GET P/pulls. Two may have the same name: the address identifies them. */
  list: list(all, PullRequest, { ...needs, array: "pull_requests", key: ({ url, name }) => url ?? name }),
  /** GET P/pulls/:number. Errors: not-found. */
  get: getOne(byNumber(all), PullRequest, needs),
};
