import type { Context } from "./context.js";
import type { Fields } from "./fields.js";
import type { PipelineLevel, RepositoryLevel } from "./model.js";
import type { Scope } from "./enums.js";
import type { RouteResponse } from "./response.js";
import type { TableDefinitions } from "./table.js";

/** Endpoint of the service: one row of the spec's endpoint tables. */
export interface Route<Q extends Fields = Fields, B extends Fields = Fields> {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path as in the spec, with `:name` for a parameter and `:name*` for one that may contain slashes. */
  readonly path: string;
  /** Section of the spec, which is also the tag in the OpenAPI description. */
  readonly area: string;
  readonly summary: string;
  /** Scopes that the token must have. */
  readonly scopes?: readonly Scope[];
  /** `token` (default): requires an access token. `open`: the handler authenticates the caller (OAuth endpoints). */
  readonly caller?: "token" | "open";
  /** Restricts the route to workspace administrators. */
  readonly adminOnly?: boolean;
  /** Repository access level that the caller's permission set must grant. */
  readonly repository?: Exclude<RepositoryLevel, "DENIED">;
  /** Pipeline access level that the caller's permission set must grant. */
  readonly pipelines?: Exclude<PipelineLevel, "DENIED">;
  /** Setting that must be on for this path to exist. */
  readonly onlyWith?: "singleActionPaths";
  readonly query?: Q;
  readonly body?: B;
  /** Allows fields beyond `body`, which depend on the values sent (the type of an action). */
  readonly openBody?: boolean;
  /** Expects a form instead of JSON. */
  readonly form?: boolean;
  readonly response: RouteResponse;
  handle(context: Context<Q, B>): unknown;
}

/** Objects of one type, or of closely related ones: their tables in the store and their endpoints. */
export interface Resource {
  readonly tables?: TableDefinitions;
  readonly routes: readonly Route[];
}

/** Defines a route and infers the types of its query and body from their fields. */
export function route<const Q extends Fields, const B extends Fields>(definition: Route<Q, B>): Route {
  // Safe because the server checks query and body against the fields before it calls `handle`.
  return definition;
}

/** Converts a path for Fastify, which writes `*` for a last parameter that may contain slashes. */
export function fastifyPath(path: string): string {
  return path.replace(/:\w+\*$/, "*").replace(/:(\w+)\.\.\.:(\w+)$/, "*");
}

/** Returns the path parameters by name, with the names of the part that `*` matched. */
export function paramsOf(route: Route, params: Record<string, string>): Record<string, string> {
  const rest = params["*"];
  if (rest === undefined) return params;
  const range = /:(\w+)\.\.\.:(\w+)$/.exec(route.path);
  if (range?.[1] !== undefined && range[2] !== undefined) {
    const at = rest.indexOf("...");
    if (at < 0) return { ...params, [range[1]]: "", [range[2]]: "" };
    return { ...params, [range[1]]: rest.slice(0, at), [range[2]]: rest.slice(at + 3) };
  }
  return { ...params, [/:(\w+)\*$/.exec(route.path)?.[1] ?? "rest"]: rest };
}

/** Reports whether a requested path matches a route, whatever the method. */
export function matchesPath(route: Route, path: string): boolean {
  const pattern = route.path
    .replaceAll(".", "\\.")
    .replace(/:\w+\*$/, ".+")
    .replaceAll(/:\w+/g, "[^/]+");
  return new RegExp(`^${pattern}/?$`).test(path);
}
