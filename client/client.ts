import { Actions } from "./api/actions.js";
import { GroupMembers } from "./api/group-members.js";
import { Groups } from "./api/groups.js";
import { Integrations } from "./api/integrations.js";
import { Members } from "./api/members.js";
import { PermissionSets } from "./api/permission-sets.js";
import { Pipelines } from "./api/pipelines.js";
import { ProjectMembers } from "./api/project-members.js";
import { Projects } from "./api/projects.js";
import { UserEmails } from "./api/user-emails.js";
import { UserKeys } from "./api/user-keys.js";
import { CurrentUser } from "./api/user.js";
import { Variables } from "./api/variables.js";
import { Workspaces } from "./api/workspaces.js";
import { address } from "./address.js";
import { personalToken, type TokenProvider } from "./auth/token.js";
import { systemClock, type Clock } from "./clock.js";
import { Http } from "./http.js";
import type { RateLimitState } from "./rate-limit.js";
import { retryPolicy, type RetryOptions } from "./retry.js";
import { fetchSend, openConnections, type Fetch, type Timeouts } from "./send.js";
import { Transport, type ProgressEvent } from "./transport.js";
import { userAgent } from "./version.js";

export interface ClientOptions {
  /** The account's base address, such as https://host/api. HTTPS, unless the host is this machine. */
  baseUrl: string;
  /** A personal access token, or where tokens come from. */
  token: string | TokenProvider;
  /** Sends requests in place of the built-in connections; timeouts, proxy and ca are then its own affair. */
  fetch?: Fetch;
  /** Put before this library's own name in User-Agent. */
  userAgent?: string;
  retry?: RetryOptions;
  timeouts?: Timeouts;
  rateLimit?: {
    /** The longest wait for the end of the hour's window, in milliseconds. Default 5 minutes; 0: never wait. */
    maxWaitMs?: number;
  };
  /** Told about waits: for the rate limit (every second) and before repetitions. */
  onProgress?: (event: ProgressEvent) => void;
  /** Given one line per exchange: method, path, status, time, attempt, requests left. No secrets. */
  debug?: (line: string) => void;
  /** Ends everything this client does. */
  signal?: AbortSignal;
  /** Requests at the same time. Default 16. */
  maxConcurrency?: number;
  /** Certificates (PEM) to trust besides Node's own. */
  ca?: string | string[];
  /** Allow http:// to another machine. */
  allowInsecure?: boolean;
  /** Time, for tests. */
  clock?: Clock;
  /** Jitter, for tests: a number from 0 to 1. */
  random?: () => number;
}

const MINUTE_MS = 60_000;

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

  readonly #transport: Transport;
  readonly #close: () => Promise<void>;

  constructor(options: ClientOptions) {
    const to = address(options.baseUrl, options.allowInsecure);
    const maxConcurrency = options.maxConcurrency ?? 16;
    const timeouts = { connectMs: 10_000, headersMs: MINUTE_MS, bodyMs: MINUTE_MS, ...options.timeouts };
    const { send, close } = options.fetch
      ? { send: fetchSend(options.fetch, to.origin, timeouts), close: () => Promise.resolve() }
      : openConnections(to, { timeouts, connections: maxConcurrency, ca: options.ca });
    this.#close = close;
    this.#transport = new Transport({
      address: to,
      send,
      tokens: typeof options.token === "string" ? personalToken(options.token) : options.token,
      userAgent: userAgent(options.userAgent),
      retry: retryPolicy(options.retry),
      maxWaitMs: options.rateLimit?.maxWaitMs ?? 5 * MINUTE_MS,
      maxConcurrency,
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      signal: options.signal,
      onProgress: options.onProgress,
      debug: options.debug,
    });

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
