/**
 * Functions that read the service while a program runs: every list and every single object, also of what is no resource.
 * Each returns a promise of plain values with names in camelCase, takes `{ workspace }` as its last argument, and
 * fails as the client does (`ServiceError`). Lists are read to their end.
 */
import { all, one, service, type ReadOptions } from "./service.js";

/** An object within a project. */
export interface InProject {
  /** Name of the project. */
  readonly project: string;
}

/** An object within a pipeline. */
export interface InPipeline extends InProject {
  /** Number of the pipeline. */
  readonly pipeline: number;
}

// Workspaces and user profile

/** Workspaces of the calling user. */
export const listWorkspaces = (options?: ReadOptions) => all(service(options).client.workspaces.list());
/** The workspace. */
export const getWorkspace = (options?: ReadOptions) => at(options, (c, w) => one(c.workspaces.get(w)));
/** The calling user. */
export const getCurrentUser = (options?: ReadOptions) => at(options, (c) => one(c.user.get()));
/** Public keys of the calling user. */
export const listUserKeys = (options?: ReadOptions) => at(options, (c) => all(c.userKeys.list()));
/** A public key of the calling user. */
export const getUserKey = (id: number, options?: ReadOptions) => at(options, (c) => one(c.userKeys.get(id)));
/** E-mail addresses of the calling user. */
export const listUserEmails = (options?: ReadOptions) => at(options, (c) => all(c.userEmails.list()));
/** Integrations of the calling user. */
export const listIntegrations = (options?: ReadOptions) => at(options, (c) => all(c.integrations.list()));
/** An integration of the calling user. */
export const getIntegration = (id: number, options?: ReadOptions) =>
  at(options, (c) => one(c.integrations.get(id)));

// Members, groups, permission sets

/** Members of the workspace. */
export const listMembers = (options?: ReadOptions) => at(options, (c, w) => all(c.members.list(w)));
/** A member of the workspace. */
export const getMember = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.members.get(w, id)));
/** Projects of a member. */
export const listMemberProjects = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => all(c.members.listProjects(w, id)));
/** Groups of the workspace. */
export const listGroups = (options?: ReadOptions) => at(options, (c, w) => all(c.groups.list(w)));
/** A group. */
export const getGroup = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.groups.get(w, id)));
/** Members of a group. */
export const listGroupMembers = (group: number, options?: ReadOptions) =>
  at(options, (c, w) => all(c.groupMembers.list(w, group)));
/** A member of a group. */
export const getGroupMember = ({ group, member }: { group: number; member: number }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.groupMembers.get(w, group, member)));
/** Permission sets of the workspace. Administrators only. */
export const listPermissionSets = (options?: ReadOptions) =>
  at(options, (c, w) => all(c.permissionSets.list(w)));
/** A permission set. Administrators only. */
export const getPermissionSet = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.permissionSets.get(w, id)));

// Projects

/** Projects of the workspace that the calling user may see. */
export const listProjects = (options?: ReadOptions) => at(options, (c, w) => all(c.projects.list(w)));
/** A project. */
export const getProject = (name: string, options?: ReadOptions) =>
  at(options, (c, w) => one(c.projects.get(w, name)));
/** Members of a project. */
export const listProjectMembers = ({ project }: InProject, options?: ReadOptions) =>
  at(options, (c, w) => all(c.projectMembers.list(w, project)));
/** A member of a project. */
export const getProjectMember = (
  { project, member }: InProject & { member: number },
  options?: ReadOptions,
) => at(options, (c, w) => one(c.projectMembers.get(w, project, member)));

// Repository

/** Branches of a project's repository. */
export const listBranches = ({ project }: InProject, options?: ReadOptions) =>
  at(options, (c, w) => all(c.branches.list(w, project)));
/** A branch, with its commit. */
export const getBranch = ({ project, name }: InProject & { name: string }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.branches.get(w, project, name)));
/** Tags of a project's repository. */
export const listTags = ({ project }: InProject, options?: ReadOptions) =>
  at(options, (c, w) => all(c.tags.list(w, project)));
/** A tag, with its commit. */
export const getTag = ({ project, name }: InProject & { name: string }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.tags.get(w, project, name)));
/** Pull requests of a project. */
export const listPullRequests = ({ project }: InProject, options?: ReadOptions) =>
  at(options, (c, w) => all(c.pullRequests.list(w, project)));
/** A pull request. */
export const getPullRequest = ({ project, number }: InProject & { number: number }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.pullRequests.get(w, project, number)));

/** Which commits to list: author, path, where to start, and between which times (ISO 8601 in UTC). */
export interface CommitQuery extends InProject {
  readonly author?: string;
  readonly path?: string;
  readonly revision?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Commits of a project's repository. */
export const listCommits = ({ project, ...query }: CommitQuery, options?: ReadOptions) =>
  at(options, (c, w) => all(c.commits.list(w, project, query)));
/** A commit, with its files. */
export const getCommit = ({ project, revision }: InProject & { revision: string }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.commits.get(w, project, revision)));
/** How far one revision is from another, and the commits between them. */
export const getComparison = (
  { project, base, head }: InProject & { base: string; head: string },
  options?: ReadOptions,
) => at(options, (c, w) => one(c.comparison.get(w, project, base, head)));
/** Entries of a folder, or a file with its content in Base64. */
export const listContents = (
  { project, path, revision }: InProject & { path: string; revision?: string },
  options?: ReadOptions,
) =>
  at(options, (c, w) => all(c.contents.list(w, project, path, revision === undefined ? {} : { revision })));

// Pipelines, actions, executions, variables

/** Pipelines of a project. */
export const listPipelines = ({ project }: InProject, options?: ReadOptions) =>
  at(options, (c, w) => all(c.pipelines.list(w, project)));
/** A pipeline, with its actions. */
export const getPipeline = ({ project, pipeline }: InPipeline, options?: ReadOptions) =>
  at(options, (c, w) => one(c.pipelines.get(w, project, pipeline)));
/** Actions of a pipeline, in order. */
export const listActions = ({ project, pipeline }: InPipeline, options?: ReadOptions) =>
  at(options, (c, w) => all(c.actions.list(w, project, pipeline)));
/** An action. */
export const getAction = (
  { project, pipeline, action }: InPipeline & { action: number },
  options?: ReadOptions,
) => at(options, (c, w) => one(c.actions.get(w, project, pipeline, action)));
/** Executions of a pipeline, the newest first. */
export const listExecutions = ({ project, pipeline }: InPipeline, options?: ReadOptions) =>
  at(options, (c, w) => all(c.executions.list(w, project, pipeline)));
/** An execution, with the progress of its actions. */
export const getExecution = (
  { project, pipeline, execution }: InPipeline & { execution: number },
  options?: ReadOptions,
) => at(options, (c, w) => one(c.executions.get(w, project, pipeline, execution)));

/** The owner of variables; the workspace when nothing is given. Numbers of pipeline and action. */
export interface VariableOwner {
  readonly project?: string;
  readonly pipeline?: number;
  readonly action?: number;
}

/** Variables of the workspace, or of the narrowest owner given. Administrators only. */
export const listVariables = ({ project, pipeline, action }: VariableOwner = {}, options?: ReadOptions) =>
  at(options, (c, w) => {
    const given = { projectName: project, pipelineId: pipeline, actionId: action };
    const scope = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return all(c.variables.list(w, scope));
  });
/** A variable. Administrators only. */
export const getVariable = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.variables.get(w, id)));

type Client = ReturnType<typeof service>["client"];

async function at<T>(
  options: ReadOptions | undefined,
  read: (client: Client, workspace: string) => Promise<T>,
): Promise<T> {
  const { client, workspace } = service(options);
  return read(client, workspace);
}
