/** Tests client/retry.ts. */
import nock from "nock";
import { beforeEach, describe, expect, it } from "vitest";
import type { ProgressEvent } from "../../client/index.js";
import { endAfterFirstPage, failure, FakeClock, host, mockedClient, says, useNock } from "./helpers.js";

useNock();

const group = { id: 7, name: "QA", description: null };
const at = "/api/workspaces/acme/groups/7";

describe("GET, PATCH, PUT and DELETE are retried", () => {
  it("when the service fails, with growing pauses", async () => {
    nock(host).get(at).times(3).reply(503, says("Try later")).get(at).reply(200, group);
    const clock = new FakeClock();
    expect(await mockedClient({ clock }).groups.get("acme", 7)).toEqual(group);
    expect(clock.sleeps).toEqual([250, 500, 1000]);
  });

  it("when the connection is reset", async () => {
    nock(host)
      .patch(at)
      .replyWithError(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
    nock(host).patch(at).reply(200, group);
    expect(await mockedClient().groups.update("acme", 7, { name: "QA" })).toEqual(group);
  });

  it("up to the limit, after which the last error is thrown", async () => {
    nock(host).get(at).times(3).reply(500, says("Oops"));
    const error = await failure(mockedClient({ retry: { limit: 2 } }).groups.get("acme", 7), "server");
    expect(error.message).toBe(
      "GET /workspaces/acme/groups/7: 500 Oops. The service failed; try again later.",
    );
  });

  it("after a random part of each pause, so that concurrent callers do not retry together", async () => {
    nock(host).get(at).reply(500).get(at).reply(200, group);
    const clock = new FakeClock();
    await mockedClient({ clock, random: () => 0 }).groups.get("acme", 7);
    expect(clock.sleeps).toEqual([125]);
  });

  it("with a progress event", async () => {
    nock(host).get(at).reply(500).get(at).reply(200, group);
    const events: ProgressEvent[] = [];
    await mockedClient({ onProgress: (e) => events.push(e) }).groups.get("acme", 7);
    expect(events).toEqual([
      {
        type: "retry",
        method: "GET",
        path: "/workspaces/acme/groups/7",
        attempt: 2,
        attempts: 5,
        waitMs: 250,
        reason: "server",
      },
    ]);
  });

  it("but not once nothing may wait any more, and fails with the reason of the last attempt", async () => {
    nock(host).get(at).reply(500, says("Oops"));
    const hurry = AbortSignal.abort(new Error("the run was cancelled"));
    const error = await failure(mockedClient({ hurry }).groups.get("acme", 7), "server");
    expect(error.message).toContain("500 Oops");
  });

  it("but not when the service refuses a request", async () => {
    nock(host).get(at).reply(404, says("Not found"));
    await failure(mockedClient().groups.get("acme", 7), "not-found");
  });
});

describe("Retry-After", () => {
  const passed = (clock: FakeClock) => clock.now() - new FakeClock().now();
  /** Holds headers of an hourly limit that is not exhausted. */
  const plenty = {
    "x-rate-limit-limit": "1000000",
    "x-rate-limit-remaining": "900000",
    "x-rate-limit-reset": String(Date.UTC(2030, 0, 1, 1) / 1000),
  };
  const inSevenSeconds = new Date(Date.UTC(2030, 0, 1, 0, 0, 7)).toUTCString();

  it.each([
    [429, { "retry-after": "7" }],
    [429, { "retry-after": inSevenSeconds }],
    [429, { "retry-after": inSevenSeconds, date: new Date(Date.UTC(2030, 0, 1)).toUTCString(), ...plenty }],
    [503, { "retry-after": "7" }],
    [503, { "retry-after": inSevenSeconds }],
  ])("with %i %o causes a wait with a countdown, and then a retry", async (status, headers) => {
    nock(host).get(at).reply(status, says("Slowly"), headers).get(at).reply(200, group);
    const clock = new FakeClock();
    const events: ProgressEvent[] = [];
    expect(await mockedClient({ clock, onProgress: (e) => events.push(e) }).groups.get("acme", 7)).toEqual(
      group,
    );
    expect(passed(clock)).toBe(7000);
    expect(events).toHaveLength(7);
    expect(events[0]).toMatchObject({
      type: "rate-limit-wait",
      remainingMs: 7000,
      asked: true,
      mostMs: 300_000,
    });
  });

  it("makes every request wait, but does not exhaust the hourly limit", async () => {
    nock(host)
      .get(at)
      .reply(429, says("Slowly"), { "retry-after": "3", ...plenty });
    nock(host).get(at).times(3).reply(200, group);
    const clock = new FakeClock();
    const client = mockedClient({ clock });
    await Promise.all([1, 2, 3].map(() => client.groups.get("acme", 7)));
    expect(passed(clock)).toBe(3000);
    expect(client.rateLimit.remaining).not.toBe(0);
  });

  it.each([
    [429, {}],
    [403, plenty],
  ])("is optional: %i without it causes retries after growing pauses", async (status, headers) => {
    nock(host).get(at).times(3).reply(status, says("Rate limit exceeded."), headers);
    nock(host).get(at).reply(200, group);
    const clock = new FakeClock();
    await mockedClient({ clock }).groups.get("acme", 7);
    expect(passed(clock)).toBe(1000 + 2000 + 4000);
  });

  it.each(["86400", "Fri, 04 Jan 2030 00:00:00 GMT"])(
    "causes an error when the wait exceeds the maximum: %s",
    async (later) => {
      nock(host).get(at).reply(429, says("Tomorrow"), { "retry-after": later });
      const clock = new FakeClock();
      const error = await failure(mockedClient({ clock }).groups.get("acme", 7), "rate-limited");
      expect(error.message).toMatch(/the service asks for a pause until 2030-01-0[24].*Run it again after/);
      expect(clock.sleeps).toEqual([]);
    },
  );

  it("comes with the title of the page that asks for it", async () => {
    const page = "<html><head><title>Down for maintenance</title></head></html>";
    nock(host).get(at).reply(503, page, { "retry-after": "86400" });
    const error = await failure(
      mockedClient({ clock: new FakeClock() }).groups.get("acme", 7),
      "rate-limited",
    );
    expect(error.message).toMatch(
      /until \S+: a page with the title "Down for maintenance"\. Run it again after/,
    );
  });

  it("causes no more waits than the maximum allows", async () => {
    nock(host).get(at).times(4).reply(429, says("Slowly"), { "retry-after": "20" });
    const client = mockedClient({ rateLimit: { maxWaitMs: 60_000 } });
    const error = await failure(client.groups.get("acme", 7), "rate-limited");
    expect(error.message).toMatch(/429 Slowly.*try again later/);
  });

  const groups = "/api/workspaces/acme/groups";
  const executions = "/api/workspaces/acme/projects/web/pipelines/1/executions";
  const started = { id: 3, status: "INPROGRESS" };

  it.each([429, 503])(
    "with %i causes a POST to be sent again, since the service did not accept it",
    async (status) => {
      nock(host).post(groups).reply(status, says("Slowly"), { "retry-after": "1" });
      nock(host).post(groups).reply(201, group);
      nock(host).post(executions).reply(status, says("Slowly"), { "retry-after": "1" });
      nock(host).post(executions).reply(200, started);
      const client = mockedClient();
      expect(await client.groups.create("acme", { name: "QA" })).toEqual(group);
      const run = { to_revision: { revision: "HEAD" } };
      expect(await client.executions.create("acme", "web", 1, run)).toMatchObject(started);
    },
  );

  it("is required to repeat a POST after a 503, since the run may have been started", async () => {
    nock(host).post(executions).reply(503, says("Oops"));
    const run = { to_revision: { revision: "HEAD" } };
    await failure(mockedClient().executions.create("acme", "web", 1, run), "ambiguous");
  });
});

describe("DELETE", () => {
  it("succeeds for a deleted object", async () => {
    nock(host).delete(at).reply(404, says("Not found"));
    await expect(mockedClient().groups.delete("acme", 7)).resolves.toBe(false);
  });

  it("succeeds when the first response was lost and the second is a 404", async () => {
    nock(host).delete(at).reply(502).delete(at).reply(404, says("Not found"));
    await expect(mockedClient().groups.delete("acme", 7)).resolves.toBe(false);
  });
});

describe("DELETE of an action, which the spec does not document", () => {
  const actions = "/api/workspaces/acme/projects/web/pipelines/1/actions";
  const list = (...ids: number[]) => {
    nock(host)
      .get(`${actions}?page=1&per_page=100`)
      .reply(200, { actions: ids.map((id) => ({ id, name: "a", type: "PING" })) });
    endAfterFirstPage(actions, "actions");
  };

  it.each([
    [404, "Not found"],
    [400, "Invalid url: /workspaces/acme/projects/web/pipelines/1/actions/5"],
  ])("%i %s succeeds when the list no longer contains the action", async (status, message) => {
    nock(host).delete(`${actions}/5`).reply(status, says(message));
    list(4);
    await expect(mockedClient().actions.delete("acme", "web", 1, 5)).resolves.toBe(false);
  });

  it.each([
    [404, "Not found", "not-found"],
    [400, "Invalid url: /x", "invalid-url"],
  ] as const)("%i %s is an error while the list contains the action", async (status, message, code) => {
    nock(host).delete(`${actions}/5`).reply(status, says(message));
    list(4, 5);
    await failure(mockedClient().actions.delete("acme", "web", 1, 5), code);
  });
});

describe("POST", () => {
  const create = (options = {}) => mockedClient(options).groups.create("acme", { name: "QA" });
  const groups = "/api/workspaces/acme/groups";
  beforeEach(() => endAfterFirstPage(groups, "groups"));

  it("is retried when nothing was sent", async () => {
    nock(host)
      .post(groups)
      .replyWithError(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    nock(host).post(groups).reply(201, group);
    expect(await create()).toEqual(group);
  });

  it("reports the address when there was no connection", async () => {
    nock(host)
      .post(groups)
      .times(2)
      .replyWithError(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    const error = await failure(create({ retry: { limit: 1 } }), "network");
    expect(error.message).toMatch(`cannot reach ${host}: host not found (ENOTFOUND). Check the base address`);
    expect(error.mayHaveBeenApplied).toBe(false);
  });

  it("is looked up before a retry when the response was lost", async () => {
    nock(host).post(groups).reply(502);
    nock(host)
      .get(`${groups}?page=1&per_page=100`)
      .reply(200, { groups: [{ id: 1, name: "Dev" }, group] });
    nock(host)
      .get(`${groups}/7`)
      .reply(200, { ...group, description: "full" });
    expect(await create()).toMatchObject({ id: 7, description: "full" });
  });

  it("does not return an object that existed before", async () => {
    nock(host).post(groups).reply(502);
    nock(host)
      .get(`${groups}?page=1&per_page=100`)
      .times(3)
      .reply(200, { groups: [group] });
    nock(host).post(groups).reply(201, { id: 8, name: "QA" });
    nock(host)
      .get(`${groups}?page=1&per_page=100`)
      .reply(200, { groups: [group, { id: 8, name: "QA" }] });
    const client = mockedClient();
    const created = await client.groups.create("acme", { name: "QA" }, { existing: new Set([7]) });
    expect(created.id).toBe(8);
  });

  it("is an error with both ids when the first request is applied after the retry", async () => {
    nock(host).post(groups).reply(502);
    nock(host).get(`${groups}?page=1&per_page=100`).times(3).reply(200, { groups: [] });
    nock(host).post(groups).reply(201, { id: 8, name: "QA" });
    nock(host)
      .get(`${groups}?page=1&per_page=100`)
      .reply(200, { groups: [group, { id: 8, name: "QA" }] });
    expect((await failure(create(), "ambiguous")).candidates).toEqual([7, 8]);
  });

  it("returns the object of the first request when that is applied late and the retry is refused", async () => {
    nock(host).post(groups).reply(502);
    nock(host).get(`${groups}?page=1&per_page=100`).times(3).reply(200, { groups: [] });
    nock(host).post(groups).reply(409, says("Exists"));
    nock(host)
      .get(`${groups}?page=1&per_page=100`)
      .reply(200, { groups: [group] });
    nock(host).get(`${groups}/7`).reply(200, group);
    expect(await create()).toEqual(group);
  });
});

describe("AbortSignal", () => {
  it("of a call ends its waits with the signal's reason", async () => {
    nock(host).get(at).reply(503);
    const abort = new AbortController();
    const reason = new Error("the user had enough");
    const call = mockedClient({ onProgress: () => abort.abort(reason) });
    await expect(call.groups.get("acme", 7, { signal: abort.signal })).rejects.toBe(reason);
  });

  it("of a client ends all its calls", async () => {
    const client = mockedClient({ signal: AbortSignal.abort(new Error("over")) });
    await expect(client.user.get()).rejects.toThrow("over");
    await expect(client.groups.list("acme").toArray()).rejects.toThrow("over");
  });

  it("ends a pending request", async () => {
    nock(host).get(at).delay(10_000).reply(200, group);
    const abort = new AbortController();
    const call = mockedClient().groups.get("acme", 7, { signal: abort.signal });
    setImmediate(() => abort.abort(new Error("enough")));
    await expect(call).rejects.toThrow("enough");
    nock.abortPendingRequests();
  });
});
