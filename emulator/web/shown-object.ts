/** An object, and what the web pages may do with it. */
import { isObject } from "../fields.js";
import { webPath } from "../links.js";
import type { Route } from "../route.js";
import { type Html, html } from "./html.js";

/** Sends a request to the API on behalf of a user. */
export type ApiCall = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  apiPath: string,
  body?: unknown,
) => Promise<{ status: number; body: unknown }>;

/** An object, and what the web pages may do with it. */
export interface Target {
  /** Path below the web pages. */
  readonly path: string;
  readonly apiPath: string;
  /** The endpoints that exist now. */
  readonly routes: readonly Route[];
  readonly call: ApiCall;
}

export function formatTitle(body: Record<string, unknown>, path: string): string {
  for (const name of ["display_name", "name", "key", "title", "message", "revision"]) {
    const value = body[name];
    if (typeof value === "string" && value !== "") return value;
  }
  const [list = "", last = "Workspaces"] = ["", ...path.split("/").filter(Boolean)].slice(-2);
  return /^\d+$/.test(last) ? findNumber(list, last, body["pipeline"]) : decodeURIComponent(last);
}

/** Says what has only a number: `Execution 29 of deploy`. */
function findNumber(list: string, id: string, owner: unknown): string {
  const noun = `${list.charAt(0).toUpperCase()}${list.slice(1).replace(/s$/, "")}`;
  const name = isObject(owner) ? owner["name"] : undefined;
  return typeof name === "string" ? `${noun} ${id} of ${name}` : `${noun} ${id}`;
}

export function renderCrumbs(path: string): Html[] {
  const parts = path.split("/").filter(Boolean);
  const crumbs = [html`<a href="${webPath}">Workspaces</a>`];
  parts.forEach((part, index) => {
    const target = `${webPath}/${parts.slice(0, index + 1).join("/")}`;
    crumbs.push(html`<a href="${target}">${decodeURIComponent(part)}</a>`);
  });
  return crumbs;
}
