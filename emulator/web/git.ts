/** Serves repositories to git, read-only. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { allowsRepository, findMembership, findPermissionSet, isAdmin } from "../access.js";
import { extractPassword } from "../auth.js";
import { createUnauthorizedError, ServiceError } from "../errors.js";
import type { ProjectRow, UserRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";

/** Files that Git's plain ("dumb") transport reads from a bare repository. */
const servedFiles =
  /^(HEAD|objects\/[0-9a-f]{2}\/[0-9a-f]{38}|objects\/info\/packs|objects\/pack\/pack-[0-9a-f]+\.(pack|idx))$/;

/**
 * Serves `http_repository` read-only, with an access token (scope REPOSITORY_READ) as the password. The spec does not
 * say how the address is served.
 */
export function registerGit(app: FastifyInstance, service: Service): void {
  app.get("/git/:domain/:repository/*", { config: { outside: true } }, async (request, reply) => {
    try {
      const { domain = "", repository = "", "*": file = "" } = request.params as Record<string, string>;
      const project = findProject(service, request, domain, repository.replace(/\.git$/, ""));
      const content = await serve(service, project, file);
      return await reply.type("application/octet-stream").send(content);
    } catch (error) {
      const refusal = error instanceof ServiceError ? error : new ServiceError(404, "Not found.");
      const login = refusal.status === 401 ? { "www-authenticate": 'Basic realm="git"' } : {};
      return reply.code(refusal.status).headers(login).type("text/plain").send(`${refusal.message}\n`);
    }
  });
}

async function serve(service: Service, project: ProjectRow, file: string): Promise<Buffer | string> {
  const repository = service.repositories.of(project);
  if (file === "info/refs") {
    const heads = (await repository.branches()).map(
      async (name) => `${(await repository.branch(name)) ?? ""}\trefs/heads/${name}\n`,
    );
    const tags = (await repository.tags()).map(
      async (name) => `${(await repository.tag(name)) ?? ""}\trefs/tags/${name}\n`,
    );
    return (await Promise.all([...heads, ...tags])).join("");
  }
  if (file === "HEAD" && !(await repository.exists())) return `ref: refs/heads/${project.default_branch}\n`;
  if (!servedFiles.test(file)) throw new ServiceError(404, "Not found.");
  return readFile(join(repository.gitdir, file));
}

function findProject(service: Service, request: FastifyRequest, domain: string, name: string): ProjectRow {
  const user = authenticateCaller(service, request.headers.authorization);
  const workspace = service.store.workspaces.byKey(0, domain);
  const project = workspace && service.store.projects.byKey(workspace.id, name);
  if (workspace === undefined || project === undefined || !mayRead(service, workspace, project, user)) {
    throw new ServiceError(404, "Not found.");
  }
  return project;
}

/** Returns the user of the Basic credentials that Git sends: any user name, with the token as the password. */
function authenticateCaller(service: Service, header: string | undefined): UserRow {
  const token = extractPassword(/^Basic +(\S+)$/i.exec(header ?? "")?.[1] ?? "");
  if (token === "") throw createUnauthorizedError("An access token is required as the password.");
  const caller = service.tokens.caller(token);
  if (!caller.token.scopes.includes("REPOSITORY_READ"))
    throw new ServiceError(403, "REPOSITORY_READ is needed.");
  return caller.user;
}

function mayRead(service: Service, workspace: WorkspaceRow, project: ProjectRow, user: UserRow): boolean {
  const { store } = service;
  if (isAdmin(store, workspace, user.id)) return true;
  const set = findMembership(store, workspace, user.id) && findPermissionSet(store, project, user.id);
  return set !== undefined && allowsRepository(set, "READ_ONLY");
}
