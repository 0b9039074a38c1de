import { Actions } from "./api/actions.js";
import { Branches } from "./api/branches.js";
import { Commits } from "./api/commits.js";
import { Comparisons } from "./api/comparison.js";
import { Contents } from "./api/contents.js";
import { Executions } from "./api/executions.js";
import { GroupMembers } from "./api/group-members.js";
import { Groups } from "./api/groups.js";
import { Integrations } from "./api/integrations.js";
import { Members } from "./api/members.js";
import { OAuthClients } from "./api/oauth-clients.js";
import { PermissionSets } from "./api/permission-sets.js";
import { Pipelines } from "./api/pipelines.js";
import { ProjectMembers } from "./api/project-members.js";
import { Projects } from "./api/projects.js";
import { PullRequests } from "./api/pull-requests.js";
import { Sandboxes } from "./api/sandboxes.js";
import { Tags } from "./api/tags.js";
import { UserEmails } from "./api/user-emails.js";
import { UserKeys } from "./api/user-keys.js";
import { CurrentUser } from "./api/user.js";
import { Variables } from "./api/variables.js";
import { Workspaces } from "./api/workspaces.js";
import { personalToken, type TokenProvider } from "./auth/token.js";
import { connect, type ConnectionOptions } from "./connect.js";
import { Http } from "./http.js";
import type { RateLimitState } from "./rate-limit.js";
import type { Transport } from "./transport.js";

export interface ClientOptions extends ConnectionOptions {
  /** A personal access token, or where tokens come from. */
  token: string | TokenProvider;
}

/** The whole API of the Workspace Automation Service; one property per area. */
export class WorkspaceAutomationClient {
  readonly workspaces: Workspaces;
  readonly user: CurrentUser;
  readonly userKeys: UserKeys;
  readonly userEmails: UserEmails;
  readonly integrations: Integrations;
  readonly projects: Projects;
  readonly projectMembers: ProjectMembers;
  readonly members: Members;
  readonly groups: Groups;
  readonly groupMembers: GroupMembers;
  readonly permissionSets: PermissionSets;
  readonly pipelines: Pipelines;
  readonly actions: Actions;
  readonly variables: Variables;
  readonly branches: Branches;
  readonly tags: Tags;
  readonly pullRequests: PullRequests;
  readonly commits: Commits;
  readonly comparison: Comparisons;
  readonly contents: Contents;
  readonly executions: Executions;
  readonly sandboxes: Sandboxes;
  readonly oauth: OAuthClients;

  readonly #transport: Transport;
  readonly #close: () => Promise<void>;

  constructor(options: ClientOptions) {
    const tokens = typeof options.token === "string" ? personalToken(options.token) : options.token;
    const { transport, close } = connect(options, tokens);
    this.#transport = transport;
    this.#close = close;

    const http = new Http(this.#transport);
    this.workspaces = new Workspaces(http);
    this.user = new CurrentUser(http);
    this.userKeys = new UserKeys(http);
    this.userEmails = new UserEmails(http);
    this.integrations = new Integrations(http);
    this.projects = new Projects(http);
    this.projectMembers = new ProjectMembers(http);
    this.members = new Members(http);
    this.groups = new Groups(http);
    this.groupMembers = new GroupMembers(http);
    this.permissionSets = new PermissionSets(http);
    this.pipelines = new Pipelines(http);
    this.actions = new Actions(http);
    this.variables = new Variables(http);
    this.branches = new Branches(http);
    this.tags = new Tags(http);
    this.pullRequests = new PullRequests(http);
    this.commits = new Commits(http);
    this.comparison = new Comparisons(http);
    this.contents = new Contents(http);
    this.executions = new Executions(http);
    this.sandboxes = new Sandboxes(http);
    this.oauth = new OAuthClients(http);
  }

  /** What is left of the user's requests of this hour, as far as the answers so far told. */
  get rateLimit(): RateLimitState {
    return this.#transport.limiter().state;
  }

  /** Closes the connections when no other client uses them. A program may also end without it. */
  close(): Promise<void> {
    return this.#close();
  }
}
