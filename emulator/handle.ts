import type { Clock } from "./clock.js";
import type { Faults } from "./faults.js";
import type { Journal } from "./journal.js";
import type { Outcome } from "./model.js";
import type { Settings } from "./options.js";
import type { Scope } from "./scopes.js";

/** A request made behind the back of whoever is under test. */
export interface OutsideEdit {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base path, with query. */
  path: string;
  body?: unknown;
  /** E-mail of the user who does it; default the principal. All scopes are granted. */
  user?: string;
}

/** A running emulator of the service, and the hands on it that a test has. */
export interface Emulator {
  /** Base address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** A personal access token of the principal: all scopes; owner of the first workspace unless the seed says otherwise. */
  readonly token: string;
  /** Domain of the first workspace. */
  readonly workspace: string;
  /** Address of the page on which a user allows an OAuth client to act: the authorization code flow begins there. */
  readonly authorizeUrl: string;
  /** Address of the web pages, where people see what the workspace holds. */
  readonly webUrl: string;
  /** What the control interface and the web pages ask for, as a Bearer token or a Basic password; none: nothing. */
  readonly key: string | undefined;
  /** Whether it listens where other machines can reach it. */
  readonly isPublic: boolean;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  /** What the spec leaves open; may be changed at any time. */
  readonly settings: Settings;
  /** Forget everything and begin with the seed again. `token` stays the same. */
  reset(): Promise<void>;
  setApiEnabled(domain: string, enabled: boolean): Promise<void>;
  /** Make a personal access token. Scopes default to all; the user, by e-mail, must exist. */
  createToken(options: {
    user?: string;
    scopes?: readonly Scope[];
    expiresInSeconds?: number;
  }): Promise<string>;
  /** Do something that is neither counted, nor delayed, nor in the journal. */
  edit(request: OutsideEdit): Promise<{ status: number; body: unknown }>;
  /** How many requests the user (by e-mail; default the principal) has left in the window. */
  setRemaining(remaining: number, user?: string): void;
  /** How the next runs of a pipeline (by id) end, first one first; runs after them succeed. */
  setOutcomes(pipelineId: number, outcomes: readonly Outcome[]): Promise<void>;
  /** Stop listening and close the data. Safe to call twice. */
  close(): Promise<void>;
}
