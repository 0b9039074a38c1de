/**
 * Functions that read the service while a program runs: every list and every single object, also of what is no resource.
 * Each returns a promise of plain values with names in camelCase, accepts `{ workspace }` in its last argument, and
 * fails as the client does (`ServiceError`). Lists are read to their end, or to the `limit` of their options.
 */
import type {
  ActionQuery,
  CommitQuery as Commits,
  ContentQuery,
  MemberProjectQuery,
  MemberQuery,
  PipelineQuery,
  ProjectMemberQuery,
  ProjectQuery,
} from "../../client/index.js";
import {
  all,
  inApiNames,
  withoutUndefined,
  one,
  pages,
  service,
  type Filter,
  type ListOptions,
  type ReadOptions,
} from "./service.js";

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
export const listWorkspaces = (options?: ListOptions) =>
  at(options, (c) => all(c.workspaces.list(pages(options)), options));
/** The workspace. */
export const getWorkspace = (options?: ReadOptions) => at(options, (c, w) => one(c.workspaces.get(w)));
/** The calling user. */
export const getCurrentUser = (options?: ReadOptions) => at(options, (c) => one(c.user.get()));
/** Public keys of the calling user. */
export const listUserKeys = (options?: ListOptions) =>
  at(options, (c) => all(c.userKeys.list(pages(options)), options));
/** A public key of the calling user. */
export const getUserKey = (id: number, options?: ReadOptions) => at(options, (c) => one(c.userKeys.get(id)));
/** E-mail addresses of the calling user. */
export const listUserEmails = (options?: ListOptions) =>
  at(options, (c) => all(c.userEmails.list(pages(options)), options));
/** Integrations of the calling user. */
export const listIntegrations = (options?: ListOptions) =>
  at(options, (c) => all(c.integrations.list(pages(options)), options));
/** An integration of the calling user. */
export const getIntegration = (id: number, options?: ReadOptions) =>
  at(options, (c) => one(c.integrations.get(id)));

// Members, groups, permission sets

/** Members of the workspace, sorted if asked for (`sortBy`, `sortDirection`). */
export const listMembers = (options?: Filter<MemberQuery> & ListOptions) =>
  at(options, (c, w) => all(c.members.list(w, inApiNames<MemberQuery>(options)), options));
/** A member of the workspace. */
export const getMember = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.members.get(w, id)));
/** Projects of a member: those shared with the caller, or for an administrator `all`; by `status`, sorted if asked for. */
export const listMemberProjects = (id: number, options?: Filter<MemberProjectQuery> & ListOptions) =>
  at(options, (c, w) => all(c.members.listProjects(w, id, inApiNames<MemberProjectQuery>(options)), options));
/** Groups of the workspace. */
export const listGroups = (options?: ListOptions) =>
  at(options, (c, w) => all(c.groups.list(w, pages(options)), options));
/** A group. */
export const getGroup = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.groups.get(w, id)));
/** Members of a group. */
export const listGroupMembers = (group: number, options?: ListOptions) =>
  at(options, (c, w) => all(c.groupMembers.list(w, group, pages(options)), options));
/** A member of a group. */
export const getGroupMember = ({ group, member }: { group: number; member: number }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.groupMembers.get(w, group, member)));
/** Permission sets of the workspace. Administrators only. */
export const listPermissionSets = (options?: ListOptions) =>
  at(options, (c, w) => all(c.permissionSets.list(w, pages(options)), options));
/** A permission set. Administrators only. */
export const getPermissionSet = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.permissionSets.get(w, id)));

// Projects

/** Projects that the calling user may see: by `status`, an administrator's own only (`membership`), sorted if asked for. */
export const listProjects = (options?: Filter<ProjectQuery> & ListOptions) =>
  at(options, (c, w) => all(c.projects.list(w, inApiNames<ProjectQuery>(options)), options));
/** A project. */
export const getProject = (name: string, options?: ReadOptions) =>
  at(options, (c, w) => one(c.projects.get(w, name)));
/** Members of a project, sorted if asked for. */
export const listProjectMembers = (
  { project, ...query }: InProject & Filter<ProjectMemberQuery>,
  options?: ListOptions,
) =>
  at(options, (c, w) =>
    all(c.projectMembers.list(w, project, inApiNames<ProjectMemberQuery>({ ...query, ...options })), options),
  );
/** A member of a project. */
export const getProjectMember = (
  { project, member }: InProject & { member: number },
  options?: ReadOptions,
) => at(options, (c, w) => one(c.projectMembers.get(w, project, member)));

// Repository

/** Branches of a project's repository. */
export const listBranches = ({ project }: InProject, options?: ListOptions) =>
  at(options, (c, w) => all(c.branches.list(w, project, pages(options)), options));
/** A branch, with its commit. */
export const getBranch = ({ project, name }: InProject & { name: string }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.branches.get(w, project, name)));
/** Tags of a project's repository. */
export const listTags = ({ project }: InProject, options?: ListOptions) =>
  at(options, (c, w) => all(c.tags.list(w, project, pages(options)), options));
/** A tag, with its commit. */
export const getTag = ({ project, name }: InProject & { name: string }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.tags.get(w, project, name)));
/** Pull requests of a project. */
export const listPullRequests = ({ project }: InProject, options?: ListOptions) =>
  at(options, (c, w) => all(c.pullRequests.list(w, project, pages(options)), options));
/** A pull request. */
export const getPullRequest = ({ project, number }: InProject & { number: number }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.pullRequests.get(w, project, number)));

/** Which commits to list: author, path, where to start, and between which times (ISO 8601 in UTC). */
export interface CommitFilter extends InProject, Filter<Commits> {}

/** Commits of a project's repository. */
export const listCommits = ({ project, ...query }: CommitFilter, options?: ListOptions) =>
  at(options, (c, w) =>
    all(c.commits.list(w, project, inApiNames<Commits>({ ...query, ...options })), options),
  );
/** A commit, with its files. */
export const getCommit = ({ project, revision }: InProject & { revision: string }, options?: ReadOptions) =>
  at(options, (c, w) => one(c.commits.get(w, project, revision)));
/** How far one revision is from another, and the commits between them. */
export const getComparison = (
  { project, base, head }: InProject & { base: string; head: string },
  options?: Omit<ListOptions, "limit">,
) => at(options, (c, w) => one(c.comparison.get(w, project, base, head, pages(options))));
/** Entries of a folder, or a file with its content in Base64. */
export const listContents = (
  { project, path, ...query }: InProject & { path: string } & Filter<ContentQuery>,
  options?: ListOptions,
) =>
  at(options, (c, w) =>
    all(c.contents.list(w, project, path, inApiNames<ContentQuery>({ ...query, ...options })), options),
  );

// Pipelines, actions, executions, variables

/** Pipelines of a project, sorted if asked for. */
export const listPipelines = (
  { project, ...query }: InProject & Filter<PipelineQuery>,
  options?: ListOptions,
) =>
  at(options, (c, w) =>
    all(c.pipelines.list(w, project, inApiNames<PipelineQuery>({ ...query, ...options })), options),
  );
/** A pipeline, with its actions. */
export const getPipeline = ({ project, pipeline }: InPipeline, options?: ReadOptions) =>
  at(options, (c, w) => one(c.pipelines.get(w, project, pipeline)));
/** Actions of a pipeline, in order; those of one `triggerTime` if asked for. */
export const listActions = (
  { project, pipeline, ...query }: InPipeline & Filter<ActionQuery>,
  options?: ListOptions,
) =>
  at(options, (c, w) =>
    all(c.actions.list(w, project, pipeline, inApiNames<ActionQuery>({ ...query, ...options })), options),
  );
/** An action. */
export const getAction = (
  { project, pipeline, action }: InPipeline & { action: number },
  options?: ReadOptions,
) => at(options, (c, w) => one(c.actions.get(w, project, pipeline, action)));
/** Executions of a pipeline, in the service's order. */
export const listExecutions = ({ project, pipeline }: InPipeline, options?: ListOptions) =>
  at(options, (c, w) => all(c.executions.list(w, project, pipeline, pages(options)), options));
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
export const listVariables = ({ project, pipeline, action }: VariableOwner = {}, options?: ListOptions) =>
  at(options, (c, w) => {
    const owner = withoutUndefined({ projectName: project, pipelineId: pipeline, actionId: action });
    return all(c.variables.list(w, { ...owner, ...pages(options) }), options);
  });
/** A variable. Administrators only. */
export const getVariable = (id: number, options?: ReadOptions) =>
  at(options, (c, w) => one(c.variables.get(w, id)));

// OAuth

/** The registration of an OAuth client, without its secret: to whoever has the token that manages it. */
export const getOAuthClient = (
  { clientId, registrationAccessToken }: { clientId: string; registrationAccessToken: string },
  options?: ReadOptions,
) => at(options, (c) => one(c.oauth.get(clientId, registrationAccessToken)));

type Client = ReturnType<typeof service>["client"];

async function at<T>(
  options: ReadOptions | undefined,
  read: (client: Client, workspace: string) => Promise<T>,
): Promise<T> {
  const { client, workspace } = service(options);
  return read(client, workspace);
}
