/** Functions that read projects and their repositories. */
import { z } from "zod";
import { text } from "../../../resources/definition/primitives.js";
import {
  createNumber,
  createNumberOrId,
  getFunction,
  listFunction,
  projectName,
  projectStatus,
  sort,
} from "./define.js";

const createTime = (of: string) =>
  z.iso.datetime().optional().describe(`Only commits ${of} this time, ISO 8601 in UTC.`);
const revision = text
  .optional()
  .describe("Hash, branch or tag. Default: the newest commit of the default branch.");
const inProject = { project: projectName };

export const projectFunctions = {
  listProjects: listFunction(
    "projects",
    "ProjectSummaryList",
    "Projects that the calling user may see.",
    {},
    {
      membership: z
        .boolean()
        .optional()
        .describe("Only projects that the caller is a member of. Administrators only."),
      status: projectStatus,
      ...sort("name", "create_date", "repository_size"),
    },
  ),
  getProject: getFunction("projects", "Project", "A project.", inProject),
  listProjectMembers: listFunction(
    "projectMembers",
    "ProjectMemberSummaryList",
    "Members of a project, optionally sorted.",
    inProject,
    sort("email", "name"),
  ),
  getProjectMember: getFunction("projectMembers", "ProjectMember", "A member of a project.", {
    ...inProject,
    member: createNumberOrId("member"),
  }),

  listBranches: listFunction(
    "branches",
    "BranchSummaryList",
    "Branches of a project's repository.",
    inProject,
  ),
  getBranch: getFunction("branches", "Branch", "A branch, with its commit.", {
    ...inProject,
    name: text.describe("Name of the branch."),
  }),
  listTags: listFunction("tags", "TagSummaryList", "Tags of a project's repository.", inProject),
  getTag: getFunction("tags", "Tag", "A tag, with its commit.", {
    ...inProject,
    name: text.describe("Name of the tag."),
  }),
  listPullRequests: listFunction("pullRequests", "PullRequestList", "Pull requests of a project.", inProject),
  getPullRequest: getFunction("pullRequests", "PullRequest", "A pull request.", {
    ...inProject,
    number: createNumber("pull request"),
  }),
  listCommits: listFunction(
    "commits",
    "CommitSummaryList",
    "Commits of a project's repository, the newest first.",
    inProject,
    {
      author: text.optional().describe("Only commits of this author."),
      path: text.optional().describe("Only commits that changed this path."),
      revision,
      since: createTime("after"),
      until: createTime("before"),
    },
  ),
  getCommit: getFunction("commits", "Commit", "A commit, with its files.", {
    ...inProject,
    revision: text.describe("Hash of the commit, or a branch or tag."),
  }),
  getComparison: getFunction(
    "comparison",
    "Comparison",
    "How far two revisions are apart, and the commits between them.",
    {
      ...inProject,
      base: text.describe("First revision."),
      head: text.describe("Last revision."),
    },
    {
      page: z.int().positive().optional().describe("First page of the commits. Default: 1."),
      perPage: z.int().positive().optional().describe("Commits per request. Default: 100."),
    },
  ),
  listContents: listFunction(
    "contents",
    "ContentEntryList",
    "Entries of a folder, or a file with its content in Base64.",
    { ...inProject, path: z.string().describe("Path of the folder or file; empty for the root folder.") },
    { revision },
  ),
};
