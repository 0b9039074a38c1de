/**
 * Functions that read the service while a program runs: every list and every single object, also of what is no resource.
 * Each returns a promise of plain values with names in camelCase, accepts `{ workspace }` in its last argument, and
 * fails as the client does (`ServiceError`). Lists are read to their end, or to the `limit` of their options.
 */
import type { CommitQuery, MemberProjectQuery } from "../../client/index.js";
import {
  all,
  inApiNames,
  known,
  listIn,
  listOf,
  one,
  oneIn,
  oneOf,
  pages,
  read,
  type Filter,
  type InProject,
  type ListOptions,
  type ReadOptions,
} from "./service.js";

export type { InPipeline, InProject } from "./service.js";

// Workspaces and user profile

/** Workspaces of the calling user. */
export const listWorkspaces = (options?: ListOptions) =>
  read(options, (c) => all(c.workspaces.list(pages(options)), options));
/** The workspace. */
export const getWorkspace = (options?: ReadOptions) => read(options, (c, w) => one(c.workspaces.get(w)));
/** The calling user. */
export const getCurrentUser = (options?: ReadOptions) => read(options, (c) => one(c.user.get()));
/** Public keys of the calling user. */
export const listUserKeys = (options?: ListOptions) =>
  read(options, (c) => all(c.userKeys.list(pages(options)), options));
/** A public key of the calling user. */
export const getUserKey = (id: number, options?: ReadOptions) =>
  read(options, (c) => one(c.userKeys.get(id)));
/** E-mail addresses of the calling user. */
export const listUserEmails = (options?: ListOptions) =>
  read(options, (c) => all(c.userEmails.list(pages(options)), options));
/** Integrations of the calling user. */
export const listIntegrations = (options?: ListOptions) =>
  read(options, (c) => all(c.integrations.list(pages(options)), options));
/** An integration of the calling user. */
export const getIntegration = (id: number, options?: ReadOptions) =>
  read(options, (c) => one(c.integrations.get(id)));

// Members, groups, permission sets

/** Members of the workspace, sorted if asked for (`sortBy`, `sortDirection`). */
export const listMembers = listOf((c) => c.members.list);
/** A member of the workspace. */
export const getMember = oneOf((c) => c.members.get);
/** Projects of a member: those shared with the caller, or for an administrator `all`; by `status`, sorted if asked for. */
export const listMemberProjects = (id: number, options?: Filter<MemberProjectQuery> & ListOptions) =>
  read(options, (c, w) =>
    all(c.members.listProjects(w, id, inApiNames<MemberProjectQuery>(options)), options),
  );
/** Groups of the workspace. */
export const listGroups = listOf((c) => c.groups.list);
/** A group. */
export const getGroup = oneOf((c) => c.groups.get);
/** Members of a group. */
export const listGroupMembers = (group: number, options?: ListOptions) =>
  read(options, (c, w) => all(c.groupMembers.list(w, group, pages(options)), options));
/** A member of a group. */
export const getGroupMember = oneIn((c) => c.groupMembers.get, "group", "member");
/** Permission sets of the workspace. Administrators only. */
export const listPermissionSets = listOf((c) => c.permissionSets.list);
/** A permission set. Administrators only. */
export const getPermissionSet = oneOf((c) => c.permissionSets.get);

// Projects

/** Projects that the calling user may see: by `status`, an administrator's own only (`membership`), sorted if asked for. */
export const listProjects = listOf((c) => c.projects.list);
/** A project. */
export const getProject = oneOf((c) => c.projects.get);
/** Members of a project, sorted if asked for. */
export const listProjectMembers = listIn((c) => c.projectMembers.list, "project");
/** A member of a project. */
export const getProjectMember = oneIn((c) => c.projectMembers.get, "project", "member");

// Repository

/** Branches of a project's repository. */
export const listBranches = listIn((c) => c.branches.list, "project");
/** A branch, with its commit. */
export const getBranch = oneIn((c) => c.branches.get, "project", "name");
/** Tags of a project's repository. */
export const listTags = listIn((c) => c.tags.list, "project");
/** A tag, with its commit. */
export const getTag = oneIn((c) => c.tags.get, "project", "name");
/** Pull requests of a project. */
export const listPullRequests = listIn((c) => c.pullRequests.list, "project");
/** A pull request. */
export const getPullRequest = oneIn((c) => c.pullRequests.get, "project", "number");

/** Which commits to list: author, path, where to start, and between which times (ISO 8601 in UTC). */
export interface CommitFilter extends InProject, Filter<CommitQuery> {}

/** Commits of a project's repository. */
export const listCommits = listIn((c) => c.commits.list, "project");
/** A commit, with its files. */
export const getCommit = oneIn((c) => c.commits.get, "project", "revision");
/** How far one revision is from another, and the commits between them. */
export const getComparison = (
  { project, base, head }: InProject & { base: string; head: string },
  options?: Omit<ListOptions, "limit">,
) => read(options, (c, w) => one(c.comparison.get(w, project, base, head, pages(options))));
/** Entries of a folder, or a file with its content in Base64. */
export const listContents = listIn((c) => c.contents.list, "project", "path");

// Pipelines, actions, executions, variables

/** Pipelines of a project, sorted if asked for. */
export const listPipelines = listIn((c) => c.pipelines.list, "project");
/** A pipeline, with its actions. */
export const getPipeline = oneIn((c) => c.pipelines.get, "project", "pipeline");
/** Actions of a pipeline, in order; those of one `triggerTime` if asked for. */
export const listActions = listIn((c) => c.actions.list, "project", "pipeline");
/** An action. */
export const getAction = oneIn((c) => c.actions.get, "project", "pipeline", "action");
/** Executions of a pipeline, in the service's order. */
export const listExecutions = listIn((c) => c.executions.list, "project", "pipeline");
/** An execution, with the progress of its actions. */
export const getExecution = oneIn((c) => c.executions.get, "project", "pipeline", "execution");

/** The owner of variables: the workspace when nothing is given. Pipeline and action by number. */
export interface VariableOwner {
  readonly project?: string;
  readonly pipeline?: number;
  readonly action?: number;
}

/** Variables of the workspace, or of the narrowest owner given. Administrators only. */
export const listVariables = ({ project, pipeline, action }: VariableOwner = {}, options?: ListOptions) =>
  read(options, (c, w) => {
    const owner = known({ projectName: project, pipelineId: pipeline, actionId: action });
    return all(c.variables.list(w, { ...owner, ...pages(options) }), options);
  });
/** A variable. Administrators only. */
export const getVariable = oneOf((c) => c.variables.get);

// OAuth

/** The registration of an OAuth client, without its secret. Needs the token that manages the registration. */
export const getOAuthClient = (
  { clientId, registrationAccessToken }: { clientId: string; registrationAccessToken: string },
  options?: ReadOptions,
) => read(options, (c) => one(c.oauth.get(clientId, registrationAccessToken)));
