/** Pages of objects and lists. */
import { isObject } from "../fields.js";
import { webPath } from "../links.js";
import { listLinks, renderObjectLinks } from "./edit.js";
import { type Html, html, renderPage } from "./html.js";
import { listSections } from "./sections.js";
import { formatTitle, renderCrumbs, type Target } from "./shown-object.js";

/** Web pages that render responses of the API. */

/** Fields that the heading or the links show instead. */
const hiddenFields = new Set(["url", "html_url", "avatar_url", "workspaces_url", "content_url"]);

/** Statuses of executions that still change. */
const UNFINISHED = new Set(["INITIAL", "ENQUEUED", "INPROGRESS"]);

/** Renders the page of an object, or returns undefined when it does not exist. @param query of the API, such as `page=2` */
export async function renderObjectPage(target: Target, query: string): Promise<string | undefined> {
  const { path, apiPath, call } = target;
  const main = await call("GET", apiPath + query);
  if (main.status !== 200 || !isObject(main.body)) return undefined;
  const sections = listSections(apiPath);
  const bodies = await Promise.all(
    sections.map(async ({ list, query: filter }) => {
      const { status, body } = await call(
        "GET",
        `${list}?per_page=100${filter === undefined ? "" : `&${filter}`}`,
      );
      return status === 200 && isObject(body) ? body : undefined;
    }),
  );
  const shown = sections.map((section, index) => {
    const body = bodies[index];
    if (body === undefined) return null;
    const lists = Object.values(body).filter(Array.isArray) as unknown[][];
    return html`<h2>${section.title}</h2>
      ${lists.map((items) => renderTable(items))} ${listLinks(target, section, index)}`;
  });
  // A list is shown once: in its section.
  const listed = new Set(sections.map(({ list }) => list.slice(list.lastIndexOf("/") + 1)));
  const fields = Object.fromEntries(Object.entries(main.body).filter(([name]) => !listed.has(name)));
  const isRunning = apiPath.includes("/executions/") && UNFINISHED.has(String(main.body["status"]));
  return renderPage(
    formatTitle(main.body, path),
    renderCrumbs(path),
    html`${renderObjectLinks(target)} ${renderFieldTable(fields)} ${shown}`,
    isRunning,
  );
}

/** Renders the fields of an object, one per row. */
function renderFieldTable(body: Record<string, unknown>): Html {
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
function renderTable(items: readonly unknown[]): Html {
  const objects = items.filter(isObject);
  if (objects.length === 0) return html`<p>None.</p>`;
  // Limits the columns to those that distinguish the objects.
  const names = [...new Set(objects.flatMap((item) => Object.keys(item)))]
    .filter((name) => !hiddenFields.has(name) && objects.some((item) => item[name] != null))
    .sort(compareNameFirst)
    .slice(0, 8);
  return html`<table class="list">
    <tr>
      ${names.map((name) => html`<th>${name}</th>`)}
    </tr>
    ${objects.map(
      (item) =>
        html`<tr>
          ${names.map((name, index) => html`<td data-name="${name}">${index === 0 ? linkValue(item, name) : renderValue(name, item[name])}</td>`)}
        </tr> `,
    )}
  </table>`;
}

// The fields that name an object, the best last.
const naming = ["message", "title", "key", "name"];

/** Sorts the name of an object first, which becomes the link to it. */
const compareNameFirst = (a: string, b: string): number => naming.indexOf(b) - naming.indexOf(a);

function linkValue(item: Record<string, unknown>, name: string): Html {
  const target = item["html_url"] ?? findPage(item["url"]);
  const value = renderValue(name, item[name]);
  return typeof target === "string" ? html`<a href="${target}">${value}</a>` : value;
}

/** The page of an object that has no `html_url`, such as a variable. */
function findPage(url: unknown): string | undefined {
  const path = typeof url === "string" ? /\/workspaces(\/.+)$/.exec(url)?.[1] : undefined;
  return path && webPath + path;
}

function renderValue(name: string, value: unknown): Html {
  if (value === null || value === undefined) return html`<i>none</i>`;
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<i>none</i>`;
    return value.every(isObject)
      ? renderTable(value)
      : html`<pre>
${value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("\n")}</pre>`;
  }
  if (isObject(value)) return linkObject(value);
  if (typeof value !== "string") return html`${JSON.stringify(value)}`;
  if (/(^|_)status$/.test(name)) return html`<span class="status">${value}</span>`;
  return value.includes("\n") ? html`<pre>${value}</pre>` : html`${value}`;
}

function linkObject(value: Record<string, unknown>): Html {
  const { html_url: target } = value;
  const name = value["name"] ?? value["revision"] ?? value["id"];
  if (typeof target === "string" && (typeof name === "string" || typeof name === "number")) {
    return html`<a href="${target}">${name}</a>`;
  }
  return html`<pre>${JSON.stringify(value, undefined, 2)}</pre>`;
}
