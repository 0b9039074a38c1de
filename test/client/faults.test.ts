/** Tests client/faults.ts. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientOptions, WorkspaceAutomationClient } from "../../client/index.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { creatingEndpoints, domain, project } from "./creating-endpoints.js";
import { failure, FakeClock } from "./helpers.js";

/*
 * Tests that every creating endpoint creates exactly one object, whichever way a response is lost. The
 * emulator breaks the first POST, and a second client without faults reads the result.
 */

let emulator: Emulator;
let calm: WorkspaceAutomationClient;

function client(options: Partial<ClientOptions> = {}): WorkspaceAutomationClient {
  const { baseUrl, token } = emulator;
  return new WorkspaceAutomationClient({ baseUrl, token, clock: new FakeClock(), ...options });
}

beforeAll(async () => {
  emulator = await startEmulator({
    rateLimit: 1_000_000,
    seed: {
      users: [{ email: "ann@example.com", name: "Ann" }],
      workspaces: [
        {
          domain,
          members: Array.from({ length: 25 }, (_, i) => ({ email: `member-${i}@example.com` })),
          projects: [
            {
              name: project,
              files: { "README.md": "hello" },
              pipelines: [{ name: "deploy", ref_name: "main", trigger_mode: "MANUAL" }],
            },
          ],
        },
      ],
    },
  });
  calm = client();
});

afterAll(() => emulator.close());

/** Lists ways to lose the response to the first POST. */
const losses: Record<string, () => WorkspaceAutomationClient> = {
  "the connection is reset before": () => {
    emulator.faults.add({ kind: "reset-before", method: "POST" });
    return client();
  },
  "the connection is reset after": () => {
    emulator.faults.add({ kind: "reset-after", method: "POST" });
    return client();
  },
  "the service answers 500 before": () => {
    emulator.faults.add({ kind: "status", status: 500, method: "POST" });
    return client();
  },
  "a gateway answers 502 after": () => client({ fetch: losingGateway() }),
  "the answer is cut off": () => {
    emulator.faults.add({ kind: "truncated", method: "POST" });
    return client();
  },
  "the answer is garbage": () => {
    emulator.faults.add({ kind: "garbage", method: "POST" });
    return client();
  },
  "the answer comes too late": () => {
    // The request is still pending when the client gives up, which takes real time.
    const { baseUrl, token } = emulator;
    return new WorkspaceAutomationClient({ baseUrl, token, fetch: slowGateway(), retry: { baseMs: 40 } });
  },
};

/** Returns a fetch through a gateway that delays the first POST beyond the client's timeout. */
function slowGateway(): typeof fetch {
  let held = false;
  return async (input, init) => {
    if (held || init?.method !== "POST") return fetch(input, init);
    held = true;
    void delay(60).then(() => fetch(input, { ...init, signal: null }));
    throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
  };
}

/** Returns a fetch through a gateway that loses the response to the first POST. */
function losingGateway(): typeof fetch {
  let lost = false;
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (lost || init?.method !== "POST") return answer;
    lost = true;
    await answer.arrayBuffer();
    return new Response("<html>Bad gateway</html>", { status: 502 });
  };
}

let serial = 0;

describe.each(Object.keys(losses))("when %s", (how) => {
  it.each(Object.keys(creatingEndpoints))("there is exactly one new %s", async (what) => {
    const creation = await creatingEndpoints[what]!(calm, `name_${++serial}`);
    const disturbed = losses[how]!();
    const created = await creation.create(disturbed, { existing: creation.existing });
    expect(created).toBeTypeOf("object");
    expect(await creation.made()).toHaveLength(1);
    expect(emulator.faults.pending).toEqual([]);
  });
});

describe("without the ids of existing objects", () => {
  const shown = Object.keys(creatingEndpoints).filter((what) => what !== "member");

  it.each(shown)("there is still exactly one new %s", async (what) => {
    const creation = await creatingEndpoints[what]!(calm, `name_${++serial}`);
    emulator.faults.add({ kind: "reset-after", method: "POST" });
    await creation.create(client(), {});
    expect(await creation.made()).toHaveLength(1);
  });

  it("there is exactly one new member if the service returns the email", async () => {
    emulator.settings.echoMemberEmail = true;
    const creation = await creatingEndpoints["member"]!(calm, `name_${++serial}`);
    emulator.faults.add({ kind: "reset-after", method: "POST" });
    const created = await creation.create(client(), {});
    emulator.settings.echoMemberEmail = false;
    expect(created).toMatchObject({ email: `name_${serial}@example.com` });
    expect(await creation.made()).toHaveLength(1);
  });
});

describe("concurrent creations whose responses are all lost", () => {
  it("each return their own object", async () => {
    emulator.faults.add({ kind: "reset-after", method: "POST", count: 8 });
    const existing = new Set((await calm.groups.list(domain).toArray()).map((group) => group.id));
    const disturbed = client();
    const names = Array.from({ length: 8 }, (_, i) => `team-${i}`);
    const made = await Promise.all(
      names.map((name) => disturbed.groups.create(domain, { name }, { existing })),
    );
    expect(made.map((group) => group.name)).toEqual(names);
    expect((await calm.groups.list(domain).toArray()).length).toBe(existing.size + 8);
  });
});

describe("a lost response that cannot be resolved", () => {
  it("is an error with the ids when several objects match", async () => {
    const first = await calm.groups.create(domain, { name: "twins" });
    emulator.faults.add({ kind: "reset-after", method: "POST" });
    const error = await failure(client().groups.create(domain, { name: "twins" }), "ambiguous");
    const ids = (await calm.groups.list(domain).toArray()).filter((g) => g.name === "twins").map((g) => g.id);
    expect(ids).toHaveLength(2);
    expect(error.candidates).toEqual(expect.arrayContaining(ids));
    expect(error.message).toMatch(`several objects may be the group "twins": ${first.id}, `);
    expect(error.remedy).toMatch(/Keep one of them/);
  });

  it("is an error when the service hides the email and the existing members are unknown", async () => {
    emulator.faults.add({ kind: "reset-after", method: "POST" });
    const error = await failure(client().members.create(domain, { email: "eve@example.com" }), "ambiguous");
    expect(error.remedy).toBe(
      "Check whether the member eve@example.com exists: if it does, use it (adopt: true), and otherwise create it again.",
    );
  });

  it("is an error when the lookup fails too", async () => {
    emulator.faults.add({ kind: "reset-after", method: "POST" });
    emulator.faults.add({ kind: "status", status: 403, message: "Access denied", method: "GET" });
    const error = await failure(client().groups.create(domain, { name: "unseen" }), "ambiguous");
    expect(error.message).toMatch('the group "unseen" could not be looked up');
    expect(error.mayHaveBeenApplied).toBe(true);
  });
});

describe("an operation without a natural key is never sent twice", () => {
  const posts = () =>
    emulator.journal.requests.filter((e) => e.method === "POST" || e.method === "PATCH").length;

  it.each(["reset-before", "reset-after", "garbage"] as const)("starting an execution: %s", async (kind) => {
    const [pipeline] = await calm.pipelines.list(domain, project).toArray();
    emulator.faults.add({ kind, method: "POST" });
    const before = posts();
    const body = { to_revision: { revision: "HEAD" } };
    const error = await failure(client().executions.create(domain, project, pipeline!.id, body), "ambiguous");
    expect(posts()).toBe(before + 1);
    expect(error.remedy).toBe(
      `Check the newest executions of pipeline ${pipeline!.id}: if none was started just now, run it again.`,
    );
  });

  it("retrying an execution", async () => {
    emulator.faults.add({ kind: "reset-before", method: "PATCH" });
    const before = posts();
    const call = client().executions.update(domain, project, 1, 2, { operation: "RETRY" });
    expect((await failure(call, "ambiguous")).remedy).toMatch("Check execution 2");
    expect(posts()).toBe(before + 1);
  });

  it("restarting a sandbox", async () => {
    emulator.faults.add({ kind: "reset-before", method: "POST" });
    const before = posts();
    const error = await failure(client().sandboxes.restart(domain, "sb-1"), "ambiguous");
    expect(error.remedy).toMatch("Check sandbox sb-1");
    expect(posts()).toBe(before + 1);
  });

  it("registering an OAuth client", async () => {
    emulator.faults.add({ kind: "status", status: 502, method: "POST" });
    const before = posts();
    const call = client().oauth.register({
      client_name: "ci",
      redirect_uris: ["https://ci.example.com/callback"],
      grant_types: ["client_credentials"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
    });
    expect((await failure(call, "ambiguous")).remedy).toMatch("Its secret is not shown a second time");
    expect(posts()).toBe(before + 1);
  });
});
