/** The handle of a running emulator, with the controls that tests need. */
import type { Clock } from "./clock.js";
import type { Scope } from "./enums.js";
import type { Faults } from "./fault-injection.js";
import type { Outcome } from "./model.js";
import type { RequestLog } from "./request-log.js";
import type { Settings } from "./settings.js";

/** Request that simulates an outside change. */
export interface OutsideEdit {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the base path, with the query. */
  path: string;
  body?: unknown;
  /** E-mail address of the acting user, who gets all scopes. Default: the principal. */
  user?: string | undefined;
}

/** Handle of a running emulator, with the controls that tests need. */
export interface Emulator {
  /** Base address of the API, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Personal access token of the principal, with all scopes. The principal owns the first workspace unless the seed
   * says otherwise.
   */
  readonly token: string;
  /** Domain of the first workspace. */
  readonly workspace: string;
  /** Address of the page where a user authorizes an OAuth client: the start of the authorization code flow. */
  readonly authorizeUrl: string;
  /** Address of the web pages, which show the contents of the workspaces. */
  readonly webUrl: string;
  /**
   * Key that the control interface and the web pages require as a Bearer token or a Basic password. Undefined when
   * they require none.
   */
  readonly key: string | undefined;
  /** Whether other machines can reach the emulator. */
  readonly isPublic: boolean;
  readonly journal: RequestLog;
  readonly faults: Faults;
  readonly clock: Clock;
  /** Settings for what the spec leaves open. They can be changed at any time. */
  readonly settings: Settings;
  /** Deletes all data and applies the seed again. `token` stays the same. */
  reset(): Promise<void>;
  setApiEnabled(domain: string, enabled: boolean): Promise<void>;
  /** Creates a personal access token. Scopes default to all. The user, given by e-mail address, must exist. */
  createToken(options: {
    user?: string | undefined;
    scopes?: readonly Scope[] | undefined;
    expiresInSeconds?: number | undefined;
  }): Promise<string>;
  /** Sends a request that is not counted, delayed or logged. */
  edit(request: OutsideEdit): Promise<{ status: number; body: unknown }>;
  /** Sets the remaining requests of a user (by e-mail address; default the principal) in the current window. */
  setRemaining(remaining: number, user?: string): void;
  /** Sets how the next runs of a pipeline end, in order. Later runs succeed. */
  setOutcomes(pipelineId: number, outcomes: readonly Outcome[]): Promise<void>;
  /** Stops listening and closes the data. Safe to call twice. */
  close(): Promise<void>;
}
