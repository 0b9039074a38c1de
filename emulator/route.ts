/** What an endpoint declares. */
import type { Context } from "./context.js";
import type { Scope } from "./enums.js";
import type { Fields } from "./fields.js";
import type { PipelineLevel, RepositoryLevel } from "./model.js";
import { deleted, type RouteResponse } from "./response.js";
import type { Settings } from "./settings.js";
import type { TableDefinitions } from "./table.js";

/** What the caller of an endpoint needs, and the area that the endpoint belongs to. */
export interface Access {
  /** Section of the spec, which is also the tag in the OpenAPI description. */
  readonly area: string;
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
}

/** What an endpoint takes and returns. */
export interface Exchanged<Q extends Fields, B extends Fields> {
  readonly query?: Q;
  readonly body?: B;
  /** Allows fields beyond `body`, which depend on the values sent (the type of an action). */
  readonly openBody?: boolean;
  /** Expects a form instead of JSON. */
  readonly form?: boolean;
  /** Default: 204. */
  readonly response?: RouteResponse;
  /** Returns the body of the response. For a list, the items are enough. */
  handle(context: Context<Q, B>): unknown;
}

/** Endpoint of the service: one row of the spec's endpoint tables. */
export interface Route<Q extends Fields = Fields, B extends Fields = Fields> extends Access, Exchanged<Q, B> {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path as in the spec, with `:name` for a parameter and `:name*` for one that may contain slashes. */
  readonly path: string;
  readonly summary: string;
  readonly response: RouteResponse;
}

/** Objects of one type, or of closely related ones: their tables in the store and their endpoints. */
export interface Resource {
  readonly tables?: TableDefinitions;
  readonly routes: readonly Route[];
}

/**
 * Returns a function that defines endpoints below a path: `define("GET /:group_id", "One group", { ... })`. It infers the
 * types of query and body from their fields.
 */
export function defineEndpoints(base: string, access: Access) {
  return <const Q extends Fields, const B extends Fields>(
    request: `${Route["method"]}${"" | ` /${string}`}`,
    summary: string,
    definition: Partial<Access> & Exchanged<Q, B>,
  ): Route => {
    const [method, path = ""] = request.split(" ");
    // Safe because the server checks query and body against the fields before it calls `handle`.
    return {
      method: method as Route["method"],
      path: base + path,
      summary,
      response: deleted,
      ...access,
      ...definition,
    };
  };
}

/** Converts a path for Fastify, which writes `*` for a last parameter that may contain slashes. */
export function toFastifyPath(path: string): string {
  return path.replace(/:\w+\*$/, "*").replace(/:(\w+)\.\.\.:(\w+)$/, "*");
}

/** Reports whether a route exists now: settings can switch some routes on and off at run time. */
export function exists({ onlyWith }: Route, settings: Settings): boolean {
  return onlyWith === undefined || settings[onlyWith];
}

/** Returns the path parameters by name, with the names of the part that `*` matched. */
export function pickParams(route: Route, params: Record<string, string>): Record<string, string> {
  const rest = params["*"];
  if (rest === undefined) return params;
  const [name = "", head] = route.path.split("/").at(-1)?.match(/\w+/g) ?? [];
  if (head === undefined) return { ...params, [name]: rest };
  const at = rest.indexOf("...");
  if (at < 0) return { ...params, [name]: "", [head]: "" };
  return { ...params, [name]: rest.slice(0, at), [head]: rest.slice(at + 3) };
}

/** Reports whether a requested path matches a route, whatever the method. */
export function matchesPath(route: Route, path: string): boolean {
  const pattern = route.path
    .replaceAll(".", "\\.")
    .replace(/:\w+\*$/, ".+")
    .replaceAll(/:\w+/g, "[^/]+");
  return new RegExp(`^${pattern}/?$`).test(path);
}
