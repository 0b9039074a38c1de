import type { Context } from "./context.js";
import type { Fields } from "./fields.js";
import type { PipelineLevel, RepositoryLevel } from "./model.js";
import type { Scope } from "./scopes.js";
import type { Answer } from "./view.js";

/** One row of the spec's endpoint tables. Everything but `handle` is data. */
export interface Route<Q extends Fields = Fields, B extends Fields = Fields> {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** As in the spec, with `:name` for a parameter and `:name*` for one that may hold slashes. */
  readonly path: string;
  /** The spec's section, which is also the tag in the OpenAPI description. */
  readonly area: string;
  readonly summary: string;
  /** Scopes the token must have, all of them. */
  readonly scopes?: readonly Scope[];
  /** `token` (default): a user's access token. `open`: the handler sees to it itself (the OAuth endpoints). */
  readonly caller?: "token" | "open";
  /** Workspace admins only. */
  readonly adminOnly?: boolean;
  /** What the caller's permission set must allow in the project's repository. */
  readonly repository?: Exclude<RepositoryLevel, "DENIED">;
  /** What the caller's permission set must allow in the project's pipelines. */
  readonly pipelines?: Exclude<PipelineLevel, "DENIED">;
  /** The setting that must be on for this path to exist. */
  readonly onlyWith?: "singleActionPaths";
  readonly query?: Q;
  readonly body?: B;
  /** Fields beyond `body` depend on what is sent (the type of an action). */
  readonly openBody?: boolean;
  /** The body is a form, not JSON. */
  readonly form?: boolean;
  readonly answer: Answer;
  handle(context: Context<Q, B>): unknown;
}

/** State a route; infers the types of its query and body from their field tables. */
export function route<const Q extends Fields, const B extends Fields>(definition: Route<Q, B>): Route {
  // The server checks query and body against the tables before it calls `handle`.
  return definition;
}
