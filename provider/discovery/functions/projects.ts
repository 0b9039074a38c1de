/** Functions that read projects and their repositories. */
import { z } from "zod";
import { text } from "../../definition/primitives.js";
import {
  getFunction,
  listFunction,
  createNumber,
  projectName,
  projectStatus,
  sort,
  createApiQuery,
} from "./define.js";

const createTime = (of: string) =>
  z.iso.datetime().optional().describe(`Only commits ${of} this time, ISO 8601 in UTC.`);
const revision = text
  .optional()
  .describe("Hash, branch or tag. Default: the newest commit of the default branch.");

export const projectFunctions = {
  listProjects: listFunction(
    "ProjectSummaryList",
    "Projects that the calling user may see.",
    {
      membership: z
        .boolean()
        .optional()
        .describe("Only projects that the caller is a member of. Administrators only."),
      status: projectStatus,
      ...sort("name", "create_date", "repository_size"),
    },
    (api, w, a, query) => api.projects.list(w, { ...createApiQuery(a), ...query }),
  ),
  getProject: getFunction("Project", "A project.", { project: projectName }, (api, w, a) =>
    api.projects.get(w, a.project),
  ),
  listProjectMembers: listFunction(
    "ProjectMemberSummaryList",
    "Members of a project, optionally sorted.",
    { project: projectName, ...sort("email", "name") },
    (api, w, { project: of, ...filters }, query) =>
      api.projectMembers.list(w, of, { ...createApiQuery(filters), ...query }),
  ),
  getProjectMember: getFunction(
    "ProjectMember",
    "A member of a project.",
    { project: projectName, member: createNumber("member") },
    (api, w, a) => api.projectMembers.get(w, a.project, a.member),
  ),

  listBranches: listFunction(
    "BranchSummaryList",
    "Branches of a project's repository.",
    { project: projectName },
    (api, w, a, query) => api.branches.list(w, a.project, query),
  ),
  getBranch: getFunction(
    "Branch",
    "A branch, with its commit.",
    { project: projectName, name: text.describe("Name of the branch.") },
    (api, w, a) => api.branches.get(w, a.project, a.name),
  ),
  listTags: listFunction(
    "TagSummaryList",
    "Tags of a project's repository.",
    { project: projectName },
    (api, w, a, query) => api.tags.list(w, a.project, query),
  ),
  getTag: getFunction(
    "Tag",
    "A tag, with its commit.",
    { project: projectName, name: text.describe("Name of the tag.") },
    (api, w, a) => api.tags.get(w, a.project, a.name),
  ),
  listPullRequests: listFunction(
    "PullRequestList",
    "Pull requests of a project.",
    { project: projectName },
    (api, w, a, query) => api.pullRequests.list(w, a.project, query),
  ),
  getPullRequest: getFunction(
    "PullRequest",
    "A pull request.",
    { project: projectName, number: createNumber("pull request") },
    (api, w, a) => api.pullRequests.get(w, a.project, a.number),
  ),
  listCommits: listFunction(
    "CommitSummaryList",
    "Commits of a project's repository, the newest first.",
    {
      project: projectName,
      author: text.optional().describe("Only commits of this author."),
      path: text.optional().describe("Only commits that changed this path."),
      revision,
      since: createTime("after"),
      until: createTime("before"),
    },
    (api, w, { project: of, ...filters }, query) =>
      api.commits.list(w, of, { ...createApiQuery(filters), ...query }),
  ),
  getCommit: getFunction(
    "Commit",
    "A commit, with its files.",
    { project: projectName, revision: text.describe("Hash of the commit, or a branch or tag.") },
    (api, w, a) => api.commits.get(w, a.project, a.revision),
  ),
  getComparison: getFunction(
    "Comparison",
    "How far two revisions are apart, and the commits between them.",
    {
      project: projectName,
      base: text.describe("First revision."),
      head: text.describe("Last revision."),
      page: z.int().positive().optional().describe("First page of the commits. Default: 1."),
      perPage: z.int().positive().optional().describe("Commits per request. Default: 100."),
    },
    (api, w, { project, base, head, ...pages }) =>
      api.comparison.get(w, project, base, head, createApiQuery(pages)),
  ),
  listContents: listFunction(
    "ContentEntryList",
    "Entries of a folder, or a file with its content in Base64.",
    {
      project: projectName,
      path: z.string().describe("Path of the folder or file; empty for the root folder."),
      revision,
    },
    (api, w, { project: of, path, ...filters }, query) =>
      api.contents.list(w, of, path, { ...createApiQuery(filters), ...query }),
  ),
};
