/**
 * Tests that the client and the functions can send every query parameter that the specification documents for
 * a GET.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { WorkspaceAutomationClient as Client } from "../../client/index.js";
import * as sdk from "../../sdk/nodejs/functions.js";

// A process opens one connection for all functions, and other files may have opened another one.
vi.hoisted(() => vi.resetModules());

let server: Server;
let client: Client;
let answer: object = {};
let asked: { path: string; query: Record<string, string>; authorization: string | undefined }[] = [];

beforeAll(async () => {
  server = createServer(({ url = "", headers }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const { authorization } = headers;
    asked.push({ path: pathname, query: Object.fromEntries(searchParams), authorization });
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new Client({ baseUrl, token: "the-token" });
  vi.stubEnv("WORKSPACE_AUTOMATION_BASE_URL", baseUrl);
  vi.stubEnv("WORKSPACE_AUTOMATION_TOKEN", "the-token");
  vi.stubEnv("WORKSPACE_AUTOMATION_DOMAIN", "acme");
});
beforeEach(() => (asked = []));
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const W = "/workspaces/acme";
const P = `${W}/projects/web`;
const PP = `${P}/pipelines`;
const paged = { page: "2", per_page: "50" };
const pages = { page: 2, perPage: 50 };
const wirePages = { page: 2, per_page: 50 };
const inProject = { project: "web" };
const inPipeline = { ...inProject, pipeline: 3 };
const time = "2026-01-31T08:00:00Z";

interface Row {
  readonly path: string;
  readonly array: string;
  /** Holds the parameters of the specification with values. */
  readonly query: Readonly<Record<string, string>>;
  readonly client: (c: Client) => Promise<unknown>;
  readonly functions: () => Promise<unknown>;
}

const rows: readonly Row[] = [
  {
    path: `${W}/projects`,
    array: "projects",
    query: {
      membership: "true",
      ...paged,
      sort_by: "repository_size",
      sort_direction: "DESC",
      status: "CLOSED",
    },
    client: (c) =>
      c.projects
        .list("acme", {
          ...{ membership: true, sort_by: "repository_size", sort_direction: "DESC", status: "CLOSED" },
          ...wirePages,
        })
        .toArray(),
    functions: () =>
      sdk.listProjects({
        ...{ membership: true, sortBy: "repository_size", sortDirection: "DESC", status: "CLOSED" },
        ...pages,
      }),
  },
  {
    path: `${P}/members`,
    array: "members",
    query: { ...paged, sort_by: "email", sort_direction: "ASC" },
    client: (c) =>
      c.projectMembers
        .list("acme", "web", { sort_by: "email", sort_direction: "ASC", ...wirePages })
        .toArray(),
    functions: () => sdk.listProjectMembers({ ...inProject, sortBy: "email", sortDirection: "ASC" }, pages),
  },
  {
    path: `${W}/members`,
    array: "members",
    query: { ...paged, sort_by: "short_name", sort_direction: "DESC" },
    client: (c) =>
      c.members.list("acme", { sort_by: "short_name", sort_direction: "DESC", ...wirePages }).toArray(),
    functions: () => sdk.listMembers({ sortBy: "short_name", sortDirection: "DESC", ...pages }),
  },
  {
    path: `${W}/members/7/projects`,
    array: "projects",
    query: { all: "true", ...paged, sort_by: "UPDATED", sort_direction: "ASC", status: "ACTIVE" },
    client: (c) =>
      c.members
        .listProjects("acme", 7, {
          ...{ all: true, sort_by: "UPDATED", sort_direction: "ASC", status: "ACTIVE" },
          ...wirePages,
        })
        .toArray(),
    functions: () =>
      sdk.listMemberProjects(7, {
        ...{ all: true, sortBy: "UPDATED", sortDirection: "ASC", status: "ACTIVE" },
        ...pages,
      }),
  },
  {
    path: `${P}/repository/commits`,
    array: "commits",
    query: { author: "ann", path: "src", revision: "main", since: time, until: time, ...paged },
    client: (c) =>
      c.commits
        .list("acme", "web", {
          ...{ author: "ann", path: "src", revision: "main", since: time, until: time },
          ...wirePages,
        })
        .toArray(),
    functions: () =>
      sdk.listCommits(
        { ...inProject, author: "ann", path: "src", revision: "main", since: time, until: time },
        pages,
      ),
  },
  {
    path: `${P}/repository/comparison/a...b`,
    array: "commits",
    query: paged,
    client: (c) => c.comparison.get("acme", "web", "a", "b", wirePages),
    functions: () => sdk.getComparison({ ...inProject, base: "a", head: "b", ...pages }),
  },
  {
    path: `${P}/repository/contents/src`,
    array: "contents",
    query: { revision: "v1", ...paged },
    client: (c) => c.contents.list("acme", "web", "src", { revision: "v1", ...wirePages }).toArray(),
    functions: () => sdk.listContents({ ...inProject, path: "src", revision: "v1" }, pages),
  },
  ...[
    { wire: { projectName: "web" }, owner: { project: "web" } },
    { wire: { pipelineId: 3 }, owner: { pipeline: 3 } },
    { wire: { actionId: 5 }, owner: { action: 5 } },
  ].map(({ wire, owner }): Row => ({
    path: `${W}/variables`,
    array: "variables",
    query: { ...Object.fromEntries(Object.entries(wire).map(([k, v]) => [k, String(v)])), ...paged },
    client: (c) => c.variables.list("acme", { ...wire, ...wirePages }).toArray(),
    functions: () => sdk.listVariables(owner, pages),
  })),
  {
    path: PP,
    array: "pipelines",
    query: { ...paged, sort_by: "id", sort_direction: "DESC" },
    client: (c) =>
      c.pipelines.list("acme", "web", { sort_by: "id", sort_direction: "DESC", ...wirePages }).toArray(),
    functions: () => sdk.listPipelines({ ...inProject, sortBy: "id", sortDirection: "DESC" }, pages),
  },
  {
    path: `${PP}/3/actions`,
    array: "actions",
    query: { trigger_time: "ON_BACK_TO_SUCCESS", ...paged },
    client: (c) =>
      c.actions.list("acme", "web", 3, { trigger_time: "ON_BACK_TO_SUCCESS", ...wirePages }).toArray(),
    functions: () => sdk.listActions({ ...inPipeline, triggerTime: "ON_BACK_TO_SUCCESS" }, pages),
  },
  {
    path: `${PP}/3/executions`,
    array: "executions",
    query: paged,
    client: (c) => c.executions.list("acme", "web", 3, wirePages).toArray(),
    functions: () => sdk.listExecutions(inPipeline, pages),
  },
];

describe.each(rows)("GET $path with $query", ({ path, array, query, ...ways }) => {
  beforeEach(() => (answer = { [array]: [] }));

  it("is sent by the client", async () => {
    await ways.client(client);
    expect(asked).toMatchObject([{ path, query }]);
  });

  it("is sent by the function", async () => {
    await ways.functions();
    expect(asked).toMatchObject([{ path, query }]);
  });
});

it("a limited list takes no more requests than necessary", async () => {
  answer = { executions: [9, 8, 7].map((id) => ({ id, status: "SUCCESSFUL" })) };
  const newest = await sdk.listExecutions(inPipeline, { limit: 2 });
  expect(newest.map(({ id }) => id)).toEqual([9, 8]);
  expect(await sdk.listExecutions(inPipeline, { limit: 0 })).toEqual([]);
  expect(asked).toMatchObject([{ path: `${PP}/3/executions`, query: { page: "1", per_page: "2" } }]);
});

it("the registration of an OAuth client is read with its registration token", async () => {
  answer = { client_id: "c", client_id_issued_at: 1 };
  const registration = await sdk.getOAuthClient({ clientId: "c", registrationAccessToken: "manage" });
  expect(registration).toEqual({ clientId: "c", clientIdIssuedAt: 1 });
  expect(asked).toMatchObject([{ path: "/oauth2/register/c", authorization: "Bearer manage" }]);
});
