/** Registers the web pages. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../errors.js";
import { webPath } from "../links.js";
import { openApi } from "../openapi.js";
import { exists, type Route } from "../route.js";
import type { Service } from "../service.js";
import { authorizePage, decide, findErrorRedirect } from "./authorize.js";
import { renderFormPage, submit } from "./edit.js";
import { registerGit } from "./git.js";
import { html, renderPage, scriptHash } from "./html.js";
import { renderObjectPage } from "./pages.js";
import type { ApiCall, Target } from "./shown-object.js";

/** Path of the consent page. */
export const authorizePath = `${webPath}/-/authorize`;

/** Path of the OpenAPI description. */
const descriptionPath = `${webPath}/-/openapi.json`;

const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    `default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; connect-src 'self'; ` +
    "img-src 'self' data:; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Returns a caller of the API that acts for a user. */
export type ApiCallAs = (userId: number) => ApiCall;

/**
 * Registers the web pages, which `html_url` links to. They require no login on the developer's machine, require the
 * emulator's key beyond it, and show no secret.
 */
export function registerWeb(
  app: FastifyInstance,
  service: Service,
  routes: readonly Route[],
  callAs: ApiCallAs,
): void {
  registerGit(app, service);
  const config = { outside: true };
  // The API description and the avatars, which API responses link to, are public.
  const guarded = { config, onRequest: service.gate.hook };
  const query = (request: FastifyRequest) => request.query as Record<string, unknown>;

  const sendRefusal = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    try {
      const back = findErrorRedirect(service, query(request), error);
      return back === undefined ? sendError(reply, error) : reply.redirect(back, 303);
    } catch (shown) {
      return sendError(reply, shown);
    }
  };
  app.get(authorizePath, guarded, (request, reply) => {
    try {
      const page = authorizePage(service, query(request), request.url);
      return send(reply, () => page);
    } catch (error) {
      return sendRefusal(request, reply, error);
    }
  });
  app.post(authorizePath, guarded, async (request, reply) => {
    try {
      const target = decide(service, query(request), (request.body ?? {}) as Record<string, unknown>);
      await service.store.commit();
      return await reply.redirect(target, 303);
    } catch (error) {
      return sendRefusal(request, reply, error);
    }
  });
  app.get(`${webPath}/-/avatars/:file`, { config }, (request, reply) => {
    const id = Number.parseInt((request.params as { file: string }).file, 10);
    const user = service.store.users.get(id);
    if (user === undefined) return sendError(reply, new ServiceError(404, "There is no such user."));
    return reply.type("image/svg+xml").send(renderAvatar(user.name ?? user.email));
  });
  app.get(descriptionPath, { config }, (_request, reply) => reply.send(openApi(routes, service.links.api)));
  app.get(webPath, guarded, (_request, reply) => send(reply, () => renderWorkspacesPage(service)));
  const targetOf = (request: FastifyRequest): Target | undefined => {
    const path = request.url.split("?", 1)[0]?.slice(webPath.length).replace(/\/+$/, "") ?? "";
    const found = parseApiTarget(service, path);
    const existing = routes.filter((route) => exists(route, service.settings));
    return found && { path, apiPath: found.apiPath, routes: existing, call: callAs(found.userId) };
  };
  const searchOf = (request: FastifyRequest): string => /\?.*$/s.exec(request.url)?.[0] ?? "";
  const nothingHere = new ServiceError(404, "There is nothing here.");
  app.get(`${webPath}/*`, guarded, async (request, reply) => {
    const target = targetOf(request);
    const search = searchOf(request);
    const asked = new URLSearchParams(search);
    const content =
      target &&
      (await (asked.has("form") ? renderFormPage(target, asked) : renderObjectPage(target, search)));
    return content === undefined ? sendError(reply, nothingHere) : reply.headers(headers).send(content);
  });
  app.post(`${webPath}/*`, guarded, async (request, reply) => {
    const target = targetOf(request);
    const asked = new URLSearchParams(searchOf(request));
    const sent = (request.body ?? {}) as Record<string, unknown>;
    try {
      const next = target && (await submit(target, asked, sent));
      return next === undefined ? sendError(reply, nothingHere) : await reply.redirect(next, 303);
    } catch (error) {
      const isRefusal = error instanceof ServiceError || error instanceof SyntaxError;
      const content = isRefusal && target && (await renderFormPage(target, asked, error.message));
      if (!content) return sendError(reply, error);
      return reply
        .code(error instanceof ServiceError ? error.status : 400)
        .headers(headers)
        .send(content);
    }
  });
}

/** Returns the API path behind a web path, and the user who may read it. */
function parseApiTarget(service: Service, path: string): { apiPath: string; userId: number } | undefined {
  if (path.startsWith("/-/user")) {
    const userId = service.store.tokens.require(service.store.meta.of(0)[0]?.principalTokenId ?? 0).userId;
    return { apiPath: path.slice(2), userId };
  }
  let domain: string;
  try {
    domain = decodeURIComponent(path.split("/")[1] ?? "");
  } catch {
    return undefined;
  }
  const workspace = service.store.workspaces.byKey(0, domain);
  return workspace && { apiPath: `/workspaces${path}`, userId: workspace.ownerId };
}

function send(reply: FastifyReply, make: () => string): FastifyReply {
  try {
    return reply.headers(headers).send(make());
  } catch (error) {
    return sendError(reply, error);
  }
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const status = error instanceof ServiceError ? error.status : 500;
  const message = error instanceof Error ? error.message : String(error);
  return reply
    .code(status)
    .headers(headers)
    .send(renderPage(message, [html`<a href="${webPath}">Workspaces</a>`], html``));
}

function renderWorkspacesPage(service: Service): string {
  const rows = service.store.workspaces.of(0);
  const items = rows.map(
    ({ domain, name }) => html`<li><a href="${service.links.inWorkspace(domain).html_url}">${name}</a></li>`,
  );
  return renderPage(
    "Workspaces",
    [],
    html`<ul>
      ${items}
    </ul>`,
  );
}

function renderAvatar(name: string): string {
  const initials = name
    .split(/[\s@]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join("");
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
    <rect width="64" height="64" fill="#567" />
    <text x="32" y="41" font-family="sans-serif" font-size="26" text-anchor="middle" fill="#fff">
      ${initials}
    </text>
  </svg>`.text;
}
