import type { Route } from "./route.js";

/** `:path*` at the end takes slashes too, which the framework writes `*`. */
export function fastifyPath(path: string): string {
  return path.replace(/:\w+\*$/, "*").replace(/:(\w+)\.\.\.:(\w+)$/, "*");
}

/** Names for the part that `*` took. */
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

/** Whether a path as sent is one of this route, whatever the method. */
export function matchesPath(route: Route, path: string): boolean {
  const pattern = route.path
    .replaceAll(".", "\\.")
    .replace(/:\w+\*$/, ".+")
    .replaceAll(/:\w+/g, "[^/]+");
  return new RegExp(`^${pattern}/?$`).test(path);
}
