/** Tests each area of the API against the emulator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tokens } from "../../client/index.js";
import {
  clientCredentials,
  OAuthServer,
  refreshingToken,
  WorkspaceAutomationClient,
} from "../../client/index.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { failure } from "./helpers.js";

/*
 * Calls every area of the API against the emulator: objects are created, read, updated, listed and deleted.
 */

let emulator: Emulator;
let client: WorkspaceAutomationClient;
const base64 = (text: string) => Buffer.from(text).toString("base64");

beforeAll(async () => {
  emulator = await startEmulator({
    basePath: "/api",
    seed: {
      users: [
        {
          email: "ann@example.com",
          name: "Ann",
          integrations: [{ name: "chat-main", type: "CHAT" }],
        },
        { email: "bob@example.com", name: "Bob" },
      ],
      workspaces: [
        {
          domain: "acme",
          members: [{ email: "bob@example.com" }],
          sandboxes: [{ id: "sb-1", identifier: "dev-box" }],
          projects: [
            {
              name: "web",
              files: { "README.md": "hello" },
              tags: { v1: "main" },
              pull_requests: [{ number: 7, name: "Fix it" }],
            },
          ],
        },
      ],
      oauth_clients: [{ client_id: "ci", client_secret: "ci-secret", token_expires_in: 120 }],
    },
  });
  client = new WorkspaceAutomationClient({ baseUrl: emulator.baseUrl, token: emulator.token });
});
afterAll(() => emulator.close());

it("workspaces and the user's profile", async () => {
  expect(await client.workspaces.list().toArray()).toMatchObject([{ domain: "acme" }]);
  expect(await client.workspaces.get("acme")).toMatchObject({ domain: "acme", frozen: false });
  expect(await client.user.update({ title: "Lead" })).toMatchObject({ name: "Ann", title: "Lead" });
  expect(await client.user.get()).toMatchObject({ title: "Lead" });
  const [integration] = await client.integrations.list().toArray();
  expect(await client.integrations.get(integration!.id)).toMatchObject({ name: "chat-main", type: "CHAT" });
  await client.userEmails.create({ email: "ann@example.org" });
  await client.userEmails.delete("ann@example.org");
  expect(await client.userEmails.list().toArray()).toMatchObject([{ email: "ann@example.com" }]);
});

it("projects and their members", async () => {
  await client.projects.create("acme", { name: "shop", display_name: "Shop" });
  await client.projects.update("acme", "shop", { name: "store" });
  expect(await client.projects.get("acme", "store")).toMatchObject({ display_name: "Shop" });
  await failure(client.projects.create("acme", { name: "store" }), "conflict");
  const bob = (await client.members.list("acme").toArray()).find((m) => m.name === "Bob");
  const [set, other] = await client.permissionSets.list("acme").toArray();
  await client.projectMembers.create("acme", "store", { id: bob!.id, permission_set: { id: set!.id } });
  await client.projectMembers.update("acme", "store", bob!.id, { permission_set: { id: other!.id } });
  const member = await client.projectMembers.get("acme", "store", bob!.id);
  expect(member.permission_set?.id).toBe(other!.id);
  expect(await client.members.listProjects("acme", bob!.id).toArray()).toMatchObject([{ name: "store" }]);
  await client.projectMembers.delete("acme", "store", bob!.id);
  await client.projects.delete("acme", "store");
  await client.projects.delete("acme", "store");
  await failure(client.projects.get("acme", "store"), "not-found");
});

it("members, groups and permission sets", async () => {
  const carl = await client.members.create("acme", { email: "carl@example.com" });
  expect(await client.members.update("acme", carl.id, { admin: true })).toMatchObject({ admin: true });
  const group = await client.groups.create("acme", { name: "QA", description: "Testers" });
  expect(await client.groups.update("acme", group.id, { description: null })).toMatchObject({
    description: null,
  });
  await client.groupMembers.create("acme", group.id, { id: carl.id });
  expect(await client.groupMembers.get("acme", group.id, carl.id)).toMatchObject({ id: carl.id });
  await client.groupMembers.delete("acme", group.id, carl.id);
  expect(await client.groupMembers.list("acme", group.id).toArray()).toEqual([]);
  await client.groups.delete("acme", group.id);
  await client.members.delete("acme", carl.id);
  await failure(client.members.get("acme", carl.id), "not-found");
  const body = {
    name: "Run",
    description: "d",
    repository_access_level: "DENIED",
    pipeline_access_level: "RUN_ONLY",
  } as const;
  const set = await client.permissionSets.create("acme", body);
  expect(await client.permissionSets.update("acme", set.id, { ...body, name: "Runners" })).toMatchObject({
    name: "Runners",
    type: "CUSTOM",
  });
  await client.permissionSets.delete("acme", set.id);
});

it("pipelines, actions and variables", async () => {
  const body = { name: "deploy", ref_name: "main", ref_type: "BRANCH", trigger_mode: "MANUAL" } as const;
  const pipeline = await client.pipelines.create("acme", "web", body);
  expect(
    await client.pipelines.update("acme", "web", pipeline.id, { always_from_scratch: true }),
  ).toMatchObject({
    always_from_scratch: true,
  });
  const ping = {
    name: "Ping",
    type: "PING",
    trigger_time: "ON_EVERY_EXECUTION",
    destination: "example.com",
  } as const;
  const one = await client.actions.create("acme", "web", pipeline.id, ping);
  const two = await client.actions.create("acme", "web", pipeline.id, { ...ping, name: "Pong" });
  await client.actions.update("acme", "web", pipeline.id, one.id, { after_action_id: two.id });
  expect((await client.pipelines.get("acme", "web", pipeline.id)).actions).toMatchObject([
    { name: "Pong" },
    { name: "Ping" },
  ]);
  expect(await client.actions.get("acme", "web", pipeline.id, one.id)).toMatchObject({
    destination: "example.com",
  });
  await client.actions.delete("acme", "web", pipeline.id, one.id);
  await client.actions.delete("acme", "web", pipeline.id, one.id);

  const scoped = { key: "TIER", value: "1", encrypted: true, action: { id: two.id } };
  const variable = await client.variables.create("acme", scoped);
  expect((await client.variables.get("acme", variable.id)).value).toMatch(/^secure!/);
  await client.variables.update("acme", variable.id, { key: "TIER", value: "2", description: "d" });
  expect(await client.variables.list("acme", { actionId: two.id }).toArray()).toMatchObject([
    { description: "d" },
  ]);
  expect(await client.variables.list("acme").toArray()).toEqual([]);
  await client.variables.delete("acme", variable.id);
  await client.pipelines.delete("acme", "web", pipeline.id);
});

it("an action of a service without endpoints for single actions", async () => {
  const { id } = await client.pipelines.create("acme", "web", {
    name: "p",
    ref_name: "main",
    trigger_mode: "MANUAL",
  });
  const action = await client.actions.create("acme", "web", id, {
    name: "Ping",
    type: "PING",
    trigger_time: "ON_EVERY_EXECUTION",
    destination: "example.com",
  });
  emulator.settings.singleActionPaths = false;
  try {
    await failure(client.actions.get("acme", "web", id, action.id), "invalid-url");
    await failure(client.actions.delete("acme", "web", id, action.id), "invalid-url");
    await client.actions.delete("acme", "web", id, 999_999);
  } finally {
    emulator.settings.singleActionPaths = true;
  }
});

it("branches, tags, commits, files and pull requests", async () => {
  await client.branches.create("acme", "web", { name: "feature/x", commit: { revision: "main" } });
  const change = { content: base64("one\n"), message: "Add", branch: "feature/x" };
  const { commit } = await client.contents.create("acme", "web", { ...change, path: "docs/a b.txt" });
  await client.contents.update("acme", "web", "docs/a b.txt", {
    ...change,
    content: base64("two\n"),
    message: "Change",
  });
  const [file] = await client.contents
    .list("acme", "web", "docs/a b.txt", { revision: "feature/x" })
    .toArray();
  expect(file).toMatchObject({ content_type: "FILE", content: base64("two\n") });
  expect(await client.contents.list("acme", "web", "", { revision: "feature/x" }).toArray()).toHaveLength(2);
  expect(await client.commits.get("acme", "web", commit.revision)).toMatchObject({ message: "Add" });
  const comparison = await client.comparison.get("acme", "web", "main", "feature/x");
  expect(comparison).toMatchObject({ ahead: 2, behind: 0 });
  expect(comparison.commits).toHaveLength(2);
  const removed = await client.contents.delete("acme", "web", "docs/a b.txt", {
    message: "Remove",
    branch: "feature/x",
  });
  expect(removed?.message).toBe("Remove");
  const again = client.contents.delete("acme", "web", "docs/a b.txt", {
    message: "Remove",
    branch: "feature/x",
  });
  expect(await again).toBeUndefined();
  expect(await client.commits.list("acme", "web", { revision: "feature/x" }).toArray()).toHaveLength(4);
  await client.branches.delete("acme", "web", "feature/x", { force: true });
  await failure(client.branches.get("acme", "web", "feature/x"), "not-found");
  expect(await client.tags.get("acme", "web", "v1")).toMatchObject({ name: "v1" });
  expect(await client.tags.list("acme", "web").toArray()).toMatchObject([{ name: "v1" }]);
  expect(await client.pullRequests.list("acme", "web").toArray()).toMatchObject([{ name: "Fix it" }]);
  expect(await client.pullRequests.get("acme", "web", 7)).toMatchObject({ name: "Fix it" });
});

it("executions and sandboxes", async () => {
  const { id } = await client.pipelines.create("acme", "web", {
    name: "run",
    ref_name: "main",
    trigger_mode: "MANUAL",
  });
  const run = await client.executions.create("acme", "web", id, {
    to_revision: { revision: "HEAD" },
    comment: "now",
  });
  expect(run).toMatchObject({ status: "INPROGRESS", comment: "now" });
  expect(await client.executions.list("acme", "web", id).toArray()).toMatchObject([{ id: run.id }]);
  await emulator.clock.advance(60_000);
  expect((await client.executions.get("acme", "web", id, run.id)).status).toBe("SUCCESSFUL");
  const retried = await client.executions.update("acme", "web", id, run.id, { operation: "RETRY" });
  expect(retried).toMatchObject({ status: "INPROGRESS", finish_date: null });
  expect(await client.sandboxes.restart("acme", "sb-1")).toMatchObject({ id: "sb-1" });
});

describe("OAuth", () => {
  it("registers, updates and deletes a client", async () => {
    const registered = await client.oauth.register({
      client_name: "bot",
      redirect_uris: ["https://bot.example.com/back"],
      grant_types: ["client_credentials"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
    });
    const { client_id: id, registration_access_token: token } = registered;
    await client.oauth.update(id, token!, { description: "A bot" });
    expect(await client.oauth.get(id, token!)).toMatchObject({ client_name: "bot", description: "A bot" });
    await failure(client.oauth.get(id, "wrong"), "unauthorized");
    await client.oauth.delete(id, token!);
    await failure(client.oauth.get(id, token!));
  });

  it("returns tokens to a program and renews them in time", async () => {
    const server = new OAuthServer({ baseUrl: emulator.baseUrl, clientId: "ci", clientSecret: "ci-secret" });
    const clock = { now: () => emulator.clock.now(), sleep: () => Promise.resolve() };
    const token = clientCredentials(server, ["WORKSPACE", "USER_INFO"], { clock });
    const program = new WorkspaceAutomationClient({ baseUrl: emulator.baseUrl, token });
    expect(await program.user.get()).toMatchObject({ name: "Ann" });
    await emulator.clock.advance(10 * 60 * 1000);
    expect(await program.user.get()).toMatchObject({ name: "Ann" });
    const refused = await failure(program.variables.list("acme").toArray(), "denied");
    expect(refused.remedy).toMatch("VARIABLE_INFO");
  });

  it("renews a user's tokens with one-time refresh tokens, and revokes them", async () => {
    const server = new OAuthServer({ baseUrl: emulator.baseUrl, clientId: "ci", clientSecret: "ci-secret" });
    let kept: Tokens | undefined = await server.clientCredentials(["USER_INFO"]);
    const store = {
      load: () => Promise.resolve(kept),
      save: (tokens: Tokens) => Promise.resolve(void (kept = tokens)),
    };
    const clock = { now: () => emulator.clock.now(), sleep: () => Promise.resolve() };
    const user = () =>
      new WorkspaceAutomationClient({
        baseUrl: emulator.baseUrl,
        token: refreshingToken(server, store, { clock }),
      });
    const first = kept.refreshToken;
    await emulator.clock.advance(10 * 60 * 1000);
    expect(await user().user.get()).toMatchObject({ name: "Ann" });
    expect(kept.refreshToken).not.toBe(first);
    await server.revoke(kept.refreshToken!, "refresh_token");
    await server.revoke(kept.accessToken, "access_token");
    await failure(user().user.get(), "unauthorized");
  });

  it("a workspace with the API disabled causes an error", async () => {
    await emulator.setApiEnabled("acme", false);
    await failure(client.groups.list("acme").toArray(), "api-disabled");
    await emulator.setApiEnabled("acme", true);
  });
});
