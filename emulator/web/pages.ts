import { isObject } from "../fields.js";
import { webPath } from "../links.js";
import { html, page, type Html } from "./html.js";

/** Web pages that render responses of the API. */

export type ApiGet = (apiPath: string) => Promise<{ status: number; body: unknown }>;

/** Lists on the page of an object besides its own fields, by the pattern of its path. */
const sections: readonly [RegExp, readonly [title: string, below: string][]][] = [
  [
    /^\/workspaces\/[^/]+$/,
    [
      ["Projects", "/projects"],
      ["Members", "/members"],
      ["Groups", "/groups"],
      ["Permission sets", "/permissions"],
      ["Variables", "/variables"],
    ],
  ],
  [
    /\/projects\/[^/]+$/,
    [
      ["Pipelines", "/pipelines"],
      ["Members", "/members"],
      ["Branches", "/repository/branches"],
      ["Commits", "/repository/commits"],
      ["Files", "/repository/contents"],
    ],
  ],
  [/\/pipelines\/\d+$/, [["Executions", "/executions"]]],
  [/\/groups\/\d+$/, [["Members", "/members"]]],
  [/\/members\/\d+$/, []],
];

/** Fields that the heading or the links show instead. */
const hiddenFields = new Set(["url", "html_url", "avatar_url", "workspaces_url", "content_url"]);

/** Renders the page of a path, or returns undefined when the object does not exist. */
export async function objectPage(path: string, apiPath: string, get: ApiGet): Promise<string | undefined> {
  const main = await get(apiPath);
  if (main.status !== 200 || !isObject(main.body)) return undefined;
  const listed = await Promise.all(
    (sections.find(([pattern]) => pattern.test(apiPath))?.[1] ?? []).map(async ([title, below]) => {
      const response = await get(`${apiPath}${below}${below.includes("?") ? "" : "?per_page=100"}`);
      return { title, body: response.status === 200 && isObject(response.body) ? response.body : undefined };
    }),
  );
  const title = titleOf(main.body, path);
  return page(
    title,
    crumbsOf(path),
    html`${fieldTable(main.body)}
    ${listed.map(({ title: name, body }) =>
      body === undefined
        ? null
        : html`<h2>${name}</h2>
            ${Object.values(body)
              .filter(Array.isArray)
              .map((items) => table(items as unknown[]))}`,
    )}`,
  );
}

function titleOf(body: Record<string, unknown>, path: string): string {
  for (const name of ["display_name", "name", "key", "title", "message", "revision"]) {
    const value = body[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return decodeURIComponent(path.split("/").filter(Boolean).at(-1) ?? "Workspaces");
}

function crumbsOf(path: string): Html[] {
  const parts = path.split("/").filter(Boolean);
  const crumbs = [html`<a href="${webPath}">Workspaces</a>`];
  parts.forEach((part, index) => {
    const target = `${webPath}/${parts.slice(0, index + 1).join("/")}`;
    crumbs.push(html`<a href="${target}">${decodeURIComponent(part)}</a>`);
  });
  return crumbs;
}

/** Renders the fields of an object, one per row. */
function fieldTable(body: Record<string, unknown>): Html {
  const rows = Object.entries(body).filter(([name]) => !hiddenFields.has(name));
  return html`<table>
    ${rows.map(
      ([name, value]) =>
        html`<tr>
          <th>${name}</th>
          <td>${renderValue(name, value)}</td>
        </tr> `,
    )}
  </table>`;
}

/** Renders a list of objects, one per row. */
function table(items: readonly unknown[]): Html {
  const objects = items.filter(isObject);
  if (objects.length === 0) return html`<p>None.</p>`;
  // Limits the columns to those that distinguish the objects.
  const names = [...new Set(objects.flatMap((item) => Object.keys(item)))]
    .filter((name) => !hiddenFields.has(name) && objects.some((item) => item[name] != null))
    .sort(nameFirst)
    .slice(0, 8);
  return html`<table>
    <tr>
      ${names.map((name) => html`<th>${name}</th>`)}
    </tr>
    ${objects.map(
      (item) =>
        html`<tr>
          ${names.map((name, index) => html`<td>${index === 0 ? linkedValue(item, name) : renderValue(name, item[name])}</td>`)}
        </tr> `,
    )}
  </table>`;
}

/** Sorts the name of an object first, which becomes the link to it. */
function nameFirst(a: string, b: string): number {
  return rank(a) === rank(b) ? 0 : rank(a) - rank(b);
}

function rank(name: string): number {
  const index = ["name", "key", "title", "message"].indexOf(name);
  return index < 0 ? Infinity : index;
}

function linkedValue(item: Record<string, unknown>, name: string): Html {
  const target = item["html_url"];
  const value = renderValue(name, item[name]);
  return typeof target === "string" ? html`<a href="${target}">${value}</a>` : value;
}

function renderValue(name: string, value: unknown): Html {
  if (value === null || value === undefined) return html`<i>none</i>`;
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<i>none</i>`;
    return value.every(isObject)
      ? table(value)
      : html`<pre>
${value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("\n")}</pre>`;
  }
  if (isObject(value)) return linkedObject(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (name.includes("status")) return html`<span class="status">${text}</span>`;
  return text.includes("\n") ? html`<pre>${text}</pre>` : html`${text}`;
}

function linkedObject(value: Record<string, unknown>): Html {
  const { html_url: target } = value;
  const name = value["name"] ?? value["revision"] ?? value["id"];
  if (typeof target === "string" && (typeof name === "string" || typeof name === "number")) {
    return html`<a href="${target}">${name}</a>`;
  }
  return html`<pre>${JSON.stringify(value, undefined, 2)}</pre>`;
}
