/** Functions that read projects and their repositories. */
import { z } from "zod";
import { text } from "../../definition/primitives.js";
import {
  getFunction,
  listFunction,
  number,
  projectName,
  sorted,
  wired,
  type FunctionDefinition,
} from "./define.js";

const status = z.enum(["ACTIVE", "CLOSED"]).optional().describe("Only projects of this status.");
const time = (of: string) =>
  z.iso.datetime().optional().describe(`Only commits ${of} this time, ISO 8601 in UTC.`);
const revision = text
  .optional()
  .describe("Hash, branch or tag. Default: the newest commit of the default branch.");

/** Each with the name that the published description of the API has for its answer. */
export const projectFunctions: readonly FunctionDefinition[] = [
  listFunction(
    "listProjects",
    "ProjectSummaryList",
    "Projects that the calling user may see.",
    {
      membership: z
        .boolean()
        .optional()
        .describe("Only projects that the caller is a member of. Administrators only."),
      status,
      ...sorted("name", "create_date", "repository_size"),
    },
    (api, w, a, query) => api.projects.list(w, { ...wired(a), ...query }),
  ),
  getFunction("getProject", "Project", "A project.", { project: projectName }, (api, w, a) =>
    api.projects.get(w, a.project),
  ),
  listFunction(
    "listProjectMembers",
    "ProjectMemberSummaryList",
    "Members of a project, sorted if asked for.",
    { project: projectName, ...sorted("email", "name") },
    (api, w, { project: of, ...filters }, query) =>
      api.projectMembers.list(w, of, { ...wired(filters), ...query }),
  ),
  getFunction(
    "getProjectMember",
    "ProjectMember",
    "A member of a project.",
    { project: projectName, member: number("member") },
    (api, w, a) => api.projectMembers.get(w, a.project, a.member),
  ),

  listFunction(
    "listBranches",
    "BranchSummaryList",
    "Branches of a project's repository.",
    { project: projectName },
    (api, w, a, query) => api.branches.list(w, a.project, query),
  ),
  getFunction(
    "getBranch",
    "Branch",
    "A branch, with its commit.",
    { project: projectName, name: text.describe("Name of the branch.") },
    (api, w, a) => api.branches.get(w, a.project, a.name),
  ),
  listFunction(
    "listTags",
    "TagSummaryList",
    "Tags of a project's repository.",
    { project: projectName },
    (api, w, a, query) => api.tags.list(w, a.project, query),
  ),
  getFunction(
    "getTag",
    "Tag",
    "A tag, with its commit.",
    { project: projectName, name: text.describe("Name of the tag.") },
    (api, w, a) => api.tags.get(w, a.project, a.name),
  ),
  listFunction(
    "listPullRequests",
    "PullRequestList",
    "Pull requests of a project.",
    { project: projectName },
    (api, w, a, query) => api.pullRequests.list(w, a.project, query),
  ),
  getFunction(
    "getPullRequest",
    "PullRequest",
    "A pull request.",
    { project: projectName, number: number("pull request") },
    (api, w, a) => api.pullRequests.get(w, a.project, a.number),
  ),
  listFunction(
    "listCommits",
    "CommitSummaryList",
    "Commits of a project's repository, the newest first.",
    {
      project: projectName,
      author: text.optional().describe("Only commits of this author."),
      path: text.optional().describe("Only commits that changed this path."),
      revision,
      since: time("after"),
      until: time("before"),
    },
    (api, w, { project: of, ...filters }, query) => api.commits.list(w, of, { ...wired(filters), ...query }),
  ),
  getFunction(
    "getCommit",
    "Commit",
    "A commit, with its files.",
    { project: projectName, revision: text.describe("Hash of the commit, or a branch or tag.") },
    (api, w, a) => api.commits.get(w, a.project, a.revision),
  ),
  getFunction(
    "getComparison",
    "Comparison",
    "How far one revision is from another, and the commits between them.",
    {
      project: projectName,
      base: text.describe("Revision to begin at."),
      head: text.describe("Revision to end at."),
    },
    (api, w, a) => api.comparison.get(w, a.project, a.base, a.head),
  ),
  listFunction(
    "listContents",
    "ContentEntryList",
    "Entries of a folder, or a file with its content in Base64.",
    {
      project: projectName,
      path: z.string().describe("Path of the folder or file; empty for the top."),
      revision,
    },
    (api, w, { project: of, path, ...filters }, query) =>
      api.contents.list(w, of, path, { ...wired(filters), ...query }),
  ),
];
