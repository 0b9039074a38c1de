/** Calls every endpoint and compares the responses with their description. */
import { describe, expect, test } from "vitest";
import { routes } from "../../emulator/resources/list-of-resources.js";
import type { Route } from "../../emulator/route.js";
import { callerOf, coveredRoutes, make, send, start, ws } from "./support.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Returns `METHOD /path/{parameter}` of every route that the running server describes. */
async function servedRoutes(baseUrl: string): Promise<string[]> {
  const response = await fetch(`${new URL(baseUrl).origin}/app/-/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

const asServed = (route: string) => route.replaceAll(/:(\w+)\*?/g, "{$1}");

describe("a tour of the service", () => {
  test("calls every endpoint successfully, with responses that match their description", async () => {
    const { emulator, call } = await start({
      seed: {
        users: [
          { email: "owner@example.com", name: "Olga", integrations: [{ name: "chat", type: "CHAT" }] },
          { email: "bob@example.com", name: "Bob" },
        ],
        workspaces: [
          {
            domain: "acme",
            members: [{ email: "bob@example.com" }],
            projects: [
              {
                name: "old",
                files: { "a.txt": "1" },
                tags: { v1: "main" },
                pull_requests: [{ number: 1, name: "One" }],
              },
            ],
            sandboxes: [{ id: "sb1", identifier: "box" }],
          },
        ],
      },
    });
    const all = async (...paths: string[]) => {
      for (const path of paths) await make(call, "GET", path);
    };

    // Profile.
    await all("/workspaces", ws, "/user", "/user/emails", "/user/keys", "/user/integrations");
    await make(call, "PATCH", "/user", { title: "Boss" });
    const key = await make(call, "POST", "/user/keys", { content: "ssh-ed25519 AAAA" });
    await all(`/user/keys/${key.id}`);
    await make(call, "DELETE", `/user/keys/${key.id}`);
    await make(call, "POST", "/user/emails", { email: "o2@example.com" });
    await make(call, "DELETE", "/user/emails/o2@example.com");
    const [integration] = (await make(call, "GET", "/user/integrations")).integrations;
    await all(`/user/integrations/${integration.id}`);

    // People.
    const member = await make(call, "POST", `${ws}/members`, { email: "new@example.com" });
    await all(`${ws}/members`, `${ws}/members/${member.id}`, `${ws}/members/${member.id}/projects`);
    await make(call, "PATCH", `${ws}/members/${member.id}`, { admin: true });
    const group = await make(call, "POST", `${ws}/groups`, { name: "QA" });
    const g = `${ws}/groups/${group.id}`;
    await make(call, "PATCH", g, { description: "Testers" });
    await make(call, "POST", `${g}/members`, { id: member.id });
    await all(`${ws}/groups`, g, `${g}/members`, `${g}/members/${member.id}`);
    await make(call, "DELETE", `${g}/members/${member.id}`);
    await make(call, "DELETE", g);
    const values = {
      name: "p",
      description: "d",
      repository_access_level: "READ_ONLY",
      pipeline_access_level: "DENIED",
    };
    const set = await make(call, "POST", `${ws}/permissions`, values);
    await all(`${ws}/permissions`, `${ws}/permissions/${set.id}`);
    await make(call, "PATCH", `${ws}/permissions/${set.id}`, { ...values, name: "q" });

    // Projects.
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    const project = `${ws}/projects/web`;
    await make(call, "PATCH", project, { display_name: "Web" });
    const members = `${project}/members`;
    await make(call, "POST", members, { id: member.id, permission_set: { id: set.id } });
    await make(call, "PATCH", `${members}/${member.id}`, { permission_set: { id: set.id } });
    await all(`${ws}/projects`, project, members, `${members}/${member.id}`);
    await make(call, "DELETE", `${members}/${member.id}`);
    await make(call, "DELETE", `${ws}/permissions/${set.id}`);
    await make(call, "DELETE", `${ws}/members/${member.id}`);

    // Repository.
    const P = `${project}/repository`;
    await make(call, "POST", `${P}/contents`, { path: "a.txt", content: base64("1"), message: "m" });
    const written = await make(call, "PUT", `${P}/contents/a.txt`, { content: base64("2"), message: "m" });
    await make(call, "POST", `${P}/branches`, { name: "dev" });
    await all(`${P}/branches`, `${P}/branches/dev`, `${P}/contents`, `${P}/contents/a.txt`);
    await all(`${P}/commits`, `${P}/commits/${written.commit.revision}`, `${P}/comparison/main...dev`);
    await make(call, "DELETE", `${P}/contents/a.txt`, { message: "m" });
    await make(call, "DELETE", `${P}/branches/dev`);
    const old = `${ws}/projects/old/repository`;
    await all(`${old}/tags`, `${old}/tags/v1`, `${old}/pulls`, `${old}/pulls/1`);

    // Pipelines, actions, executions.
    const PP = `${project}/pipelines`;
    const pipeline = await make(call, "POST", PP, { name: "p", ref_name: "main", trigger_mode: "MANUAL" });
    const pp = `${PP}/${pipeline.id}`;
    await make(call, "PATCH", pp, { name: "q" });
    const ping = { name: "a", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "x" };
    const action = await make(call, "POST", `${pp}/actions`, ping);
    await make(call, "PATCH", `${pp}/actions/${action.id}`, { name: "b" });
    const run = await make(call, "POST", `${pp}/executions`, { to_revision: { revision: "HEAD" } });
    await make(call, "PATCH", `${pp}/executions/${run.id}`, { operation: "CANCEL" });
    await all(
      PP,
      pp,
      `${pp}/actions`,
      `${pp}/actions/${action.id}`,
      `${pp}/executions`,
      `${pp}/executions/${run.id}`,
    );

    // Variables and sandboxes.
    const variable = await make(call, "POST", `${ws}/variables`, { key: "A", value: "1" });
    await all(`${ws}/variables`, `${ws}/variables/${variable.id}`);
    await make(call, "PATCH", `${ws}/variables/${variable.id}`, { key: "A", value: "2" });
    await make(call, "DELETE", `${ws}/variables/${variable.id}`);
    await make(call, "POST", `${ws}/sandboxes/sb1/restart`);
    await make(call, "DELETE", `${pp}/actions/${action.id}`);
    await make(call, "DELETE", pp);
    await make(call, "DELETE", project);

    // OAuth.
    const registered = await make(call, "POST", "/oauth2/register", {
      client_name: "tool",
      grant_types: ["client_credentials"],
    });
    const client = registered as unknown as Record<string, string>;
    const own = callerOf(emulator, client["registration_access_token"]);
    const record = `/oauth2/register/${String(client["client_id"])}`;
    await make(own, "GET", record);
    await make(own, "PATCH", record, { description: "d" });
    const { client_id = "", client_secret = "" } = client;
    const form = (path: string, fields: Record<string, string>) =>
      send(emulator.baseUrl, "POST", path, {
        body: new URLSearchParams({ ...fields, client_id, client_secret }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const tokens = await form("/oauth2/token", { grant_type: "client_credentials", scope: "WORKSPACE" });
    const { access_token = "" } = tokens.body as unknown as Record<string, string>;
    expect((await form("/oauth2/revoke", { token: access_token })).status).toBe(200);
    await make(own, "DELETE", record);

    const served = await servedRoutes(emulator.baseUrl);
    expect([...coveredRoutes].map(asServed).sort()).toEqual(served.sort());
  });
});

// `npx vitest run test/emulator/tour.test.ts -u` updates the files.
describe("the generated documentation matches", () => {
  test("the endpoints", async () => {
    const areas = new Map<string, Route[]>();
    for (const route of routes) areas.set(route.area, [...(areas.get(route.area) ?? []), route]);
    const sections = [...areas].map(([area, own]) =>
      [
        `## ${area}`,
        "",
        "| Method | Path | Summary | Requires |",
        "|---|---|---|---|",
        ...own.map(row),
        "",
      ].join("\n"),
    );
    const page = ["# Endpoints of the emulator", "", "Generated from the routes.", "", ...sections].join(
      "\n",
    );
    await expect(page).toMatchFileSnapshot("../../docs/reference/emulator-endpoints.md");
  });
});

function row({ method, path, summary, ...route }: Route): string {
  const levels = [
    ...(route.adminOnly === true ? ["administrator"] : []),
    ...(route.repository === undefined ? [] : [`repository ${route.repository}`]),
    ...(route.pipelines === undefined ? [] : [`pipelines ${route.pipelines}`]),
  ];
  return `| ${method} | \`${path}\` | ${summary} | ${[...(route.scopes ?? []), ...levels].join(", ")} |`;
}
