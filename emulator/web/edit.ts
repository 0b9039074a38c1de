/** Forms that create, change and delete objects. */
import { ServiceError } from "../errors.js";
import { isObject } from "../fields.js";
import { webPath } from "../links.js";
import { findBodySchema } from "../openapi.js";
import { matchesPath, type Route } from "../route.js";
import { createFormToken, isFormToken } from "./form-token.js";
import { parseForm, renderInputs, type SentForm } from "./forms.js";
import { type Html, html, renderPage } from "./html.js";
import { listSections, type Section } from "./sections.js";
import { formatTitle, renderCrumbs, type Target } from "./shown-object.js";

/** Pages that create, change and delete objects through the API, so that no page allows what the API refuses. */

type Json = Record<string, unknown>;

/** A request that a form makes. */
interface Change {
  readonly title: string;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly apiPath: string;
  /** Absent where a body has to be chosen first. */
  readonly schema?: Json | undefined;
  readonly preset: Json;
  /** The present values. */
  readonly values: Json;
  readonly choices: readonly string[];
  readonly button: string;
}

const findRoute = ({ routes }: Target, method: Route["method"], path: string): Route | undefined =>
  routes.find((route) => route.method === method && matchesPath(route, path));

/** Renders the links and buttons of an object's page. */
export function renderObjectLinks(target: Target): Html {
  const has = (method: Route["method"]) => findRoute(target, method, target.apiPath) !== undefined;
  return html`<p class="links">
    ${has("PATCH") ? html`<a href="?form=edit">Edit</a> ` : null}
    ${has("DELETE") ? html`<a href="?form=delete">Delete</a>` : null}
  </p>`;
}

/** Renders what adds an object to a list. @param index of the section */
export function listLinks(target: Target, section: Section, index: number): Html | null {
  if (findRoute(target, "POST", section.list) === undefined) return null;
  const query = `?form=new&list=${index}`;
  if (section.button === undefined) return html`<p class="links"><a href="${query}">New</a></p>`;
  return html`<form method="post" action="${query}">
    ${renderTokenInput(target)}<button>${section.button}</button>
  </form>`;
}

const renderTokenInput = ({ path }: Target) =>
  html`<input type="hidden" name="token" value="${createFormToken(path)}" />`;

/** Renders the page with the form; undefined when there is no such form. */
export async function renderFormPage(
  target: Target,
  query: URLSearchParams,
  problem?: string,
): Promise<string | undefined> {
  const change = await findChange(target, query);
  if (change === undefined) return undefined;
  const { title, schema, values, choices, button } = change;
  const choose = (choice: string, index: number) =>
    html`<li><a href="?${withType(query, index)}">${choice}</a></li>`;
  return renderPage(
    title,
    renderCrumbs(target.path),
    html`${problem === undefined ? null : html`<p role="alert">${problem}</p>`}
    ${
      schema === undefined
        ? html`<ul>
            ${choices.map(choose)}
          </ul>`
        : html`<form method="post">
            ${renderTokenInput(target)} ${renderInputs(schema, values)}
            <p><button>${button}</button></p>
          </form>`
    }`,
  );
}

function withType(query: URLSearchParams, index: number): string {
  const next = new URLSearchParams(query);
  next.set("type", String(index));
  return next.toString();
}

/**
 * Makes the request of a form.
 * @returns web path of the page to go to; undefined when there is no such form
 * @throws ServiceError when the service refuses it, or the form does not come from one of these pages
 */
export async function submit(
  target: Target,
  query: URLSearchParams,
  sent: SentForm,
): Promise<string | undefined> {
  if (!isFormToken(sent["token"], target.path))
    throw new ServiceError(
      400,
      "This form does not come from the emulator's own page: open that page again.",
    );
  const change = await findChange(target, query);
  if (change?.schema === undefined) return undefined;
  const { method, apiPath, schema, preset } = change;
  const body = method === "DELETE" ? undefined : { ...parseForm(schema, sent), ...preset };
  const response = await target.call(method, apiPath, body);
  if (response.status >= 400) throw new ServiceError(response.status, formatMessage(response.body));
  if (method === "DELETE") return getParent(target.path);
  return (
    (isObject(response.body) ? findWebPath(response.body["html_url"]) : undefined) ?? webPath + target.path
  );
}

async function findChange(target: Target, query: URLSearchParams): Promise<Change | undefined> {
  const { apiPath, call } = target;
  const form = query.get("form");
  if (form === "new") return findCreation(target, query);
  const method = form === "edit" ? "PATCH" : form === "delete" ? "DELETE" : undefined;
  const route = method && findRoute(target, method, apiPath);
  const { status, body } = await call("GET", apiPath);
  if (route === undefined || method === undefined || status !== 200 || !isObject(body)) return undefined;
  const title = formatTitle(body, apiPath);
  const same = { method, apiPath, preset: {}, values: body, choices: [] } as const;
  if (method === "DELETE") return { ...same, title: `Delete ${title}?`, schema: {}, button: "Delete" };
  return { ...same, title: `Edit ${title}`, schema: findSchemaFor(route, body), button: "Save" };
}

function findCreation(target: Target, query: URLSearchParams): Change | undefined {
  const section = listSections(target.apiPath)[Number(query.get("list") ?? NaN)];
  const route = section && findRoute(target, "POST", section.list);
  const schema = route && findBodySchema(route);
  if (section === undefined || schema === undefined) return undefined;
  const { list, title, preset = {}, button } = section;
  const alternatives = (schema["anyOf"] ?? []) as readonly Json[];
  const chosen = alternatives.length === 0 ? schema : alternatives[Number(query.get("type") ?? NaN)];
  return {
    title: `${title}: new`,
    method: "POST",
    apiPath: list,
    schema: chosen && without(chosen, Object.keys(preset)),
    preset: { ...preset, ...(chosen === schema ? {} : getType(chosen)) },
    values: {},
    choices: alternatives.map((one) => String(one["title"])),
    button: button ?? "Create",
  };
}

/** The type that an alternative is for. */
function getType(alternative: Json | undefined): Json {
  const { type } = (alternative?.["properties"] ?? {}) as { type?: { enum?: readonly string[] } };
  return type?.enum?.length === 1 ? { type: type.enum[0] } : {};
}

/** The schema of a change: for an action, the fields of all alternatives of its type. */
function findSchemaFor(route: Route, values: Json): Json | undefined {
  const schema = findBodySchema(route);
  const alternatives = (schema?.["anyOf"] ?? []) as readonly Json[];
  if (schema === undefined || alternatives.length === 0) return schema;
  const own = alternatives.filter((one) => getType(one)["type"] === values["type"]);
  return { properties: Object.assign({}, ...own.map(({ properties }) => properties)) as Json };
}

function without(schema: Json, names: readonly string[]): Json {
  const entries = Object.entries(schema["properties"] as Json).filter(
    ([name]) => !names.includes(name) && !(name === "type" && "title" in schema),
  );
  return { ...schema, properties: Object.fromEntries(entries) };
}

function formatMessage(body: unknown): string {
  const errors = isObject(body) && Array.isArray(body["errors"]) ? (body["errors"] as unknown[]) : [];
  return errors.map((one) => (isObject(one) ? String(one["message"]) : "")).join(" ") || "It was refused.";
}

function findWebPath(address: unknown): string | undefined {
  return typeof address === "string" && URL.canParse(address) ? new URL(address).pathname : undefined;
}

/** The page whose list contained an object. */
const getParent = (path: string) => webPath + path.split("/").slice(0, -2).join("/");
