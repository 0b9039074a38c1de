/** Tests each action type. */
import { describe, expect, test } from "vitest";
import { always, prepared } from "./actions-support.js";
import { callerOf, make, message } from "./support.js";

const build = { container_image_name: "node", container_image_tag: "22", execute_commands: ["npm test"] };
const vm = { host: "h", login: "root", port: "22" };
const ssh = { ...vm, commands: ["ls"] };

/**
 * Lists the rows of the spec's table: a complete body, its required fields, and the fields that are never
 * returned.
 */
const types = (integration: { id: number }) =>
  [
    [{ type: "BUILD", ...build }, Object.keys(build), []],
    [{ type: "PLATFORM_CLI", execute_commands: ["x"], integration }, ["execute_commands", "integration"], []],
    [
      { type: "HTTP", notification_url: "https://example.com", password: "hush1", timeout: 600 },
      ["notification_url"],
      ["password"],
    ],
    [{ type: "PING", destination: "example.com" }, ["destination"], []],
    [
      { type: "PUSH", push_url: "https://g/x", login: "u", password: "hush2", target_branch: "" },
      ["push_url"],
      ["password"],
    ],
    [
      {
        type: "PUSH",
        git_auth_mode: "PRIVATE_KEY",
        push_url: "g@h:x",
        server_key: "hush3",
        passphrase: "hush4",
      },
      ["push_url", "server_key"],
      ["server_key", "passphrase"],
    ],
    [
      { type: "PUSH", git_auth_mode: "ENV_KEY", push_url: "g@h:x", env_key: "KEY" },
      ["push_url", "env_key"],
      [],
    ],
    [
      { type: "CLOUD_VM", authentication_mode: "ENV_KEY", ...vm, env_key: "KEY" },
      ["host", "login", "port", "env_key"],
      [],
    ],
    [
      {
        type: "CLOUD_VM",
        authentication_mode: "PRIVATE_KEY_AND_PASS",
        ...vm,
        password: "hush5",
        server_key: "hush6",
      },
      ["host", "login", "password", "port", "server_key"],
      ["password", "server_key"],
    ],
    [{ type: "CHAT", channel: "C01", integration, attachments: ["a"] }, ["channel", "integration"], []],
    [{ type: "SMS", recipients: "+1\n+2" }, ["recipients"], []],
    [
      { type: "SSH_COMMAND", authentication_mode: "PASS", ...ssh, password: "hush7" },
      ["authentication_mode", "commands", "host", "login", "password", "port"],
      ["password"],
    ],
    [
      {
        type: "AGENT",
        ...build,
        integration: { identifier: "ai" },
        prompts: [{ type: "INLINE", value: "go" }],
        password: "hush8",
      },
      Object.keys(build),
      ["password"],
    ],
  ] as const;

describe("an action of each type in the spec", () => {
  test("requires its fields and never returns secrets", async () => {
    const { call, path, integration } = await prepared();
    for (const [fields, required, secrets] of types(integration)) {
      const body = { name: `a ${fields.type}`, ...always, ...fields };
      for (const field of [...required, "name", "type", "trigger_time"]) {
        const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
        const response = await call("POST", path, rest);
        expect([field, message(response)]).toEqual([field, `Value of '${field}' cannot be empty.`]);
      }
      const made = await call("POST", path, body);
      expect([fields.type, made.status]).toEqual([fields.type, fields.type === "AGENT" ? 200 : 201]);
      expect(made.text).not.toContain("hush");
      const shown = Object.fromEntries(
        Object.entries(body).filter(([name]) => !(secrets as readonly string[]).includes(name)),
      );
      expect(made.body).toMatchObject(shown);
      for (const secret of secrets) expect(made.body).not.toHaveProperty(secret);
      expect(made.body.pipeline.name).toBe("p");
      const read = await call("GET", `${path}/${made.body.id}`);
      expect(read.body).toMatchObject({ ...shown, last_execution_status: "INITIAL" });
      expect(read.text).not.toContain("hush");
    }
    expect((await call("GET", path)).text).not.toContain("hush");
    expect((await make(call, "GET", path)).actions).toHaveLength(13);
  });

  test("the response to the creation of an SMS action has its status in `status`", async () => {
    const { call, path } = await prepared();
    const made = await make(call, "POST", path, { name: "s", ...always, type: "SMS", recipients: "1" });
    expect(made.status).toBe("INITIAL");
    expect(made).not.toHaveProperty("last_execution_status");
  });

  test("a notification on failure requires run_only_on_first_failure", async () => {
    const { call, path, integration } = await prepared();
    const bodies = [
      { type: "HTTP", notification_url: "https://example.com" },
      { type: "CHAT", channel: "c", integration },
      { type: "SMS", recipients: "1" },
    ];
    for (const body of bodies) {
      const whole = { name: "n", trigger_time: "ON_FAILURE", ...body };
      expect(message(await call("POST", path, whole))).toBe(
        "Value of 'run_only_on_first_failure' cannot be empty.",
      );
      expect((await call("POST", path, { ...whole, run_only_on_first_failure: false })).status).toBe(201);
    }
    expect(
      (await call("POST", path, { name: "p", trigger_time: "ON_FAILURE", type: "PING", destination: "x" }))
        .status,
    ).toBe(201);
  });

  test("an AGENT action accepts more trigger times and requires the scope PIPELINE_WRITE", async () => {
    const { emulator, call, path } = await prepared();
    const agent = { name: "g", type: "AGENT", trigger_time: "ON_WARNING", ...build };
    expect((await call("POST", path, agent)).status).toBe(200);
    expect((await call("POST", path, { ...agent, type: "BUILD" })).status).toBe(400);
    const manager = callerOf(
      emulator,
      await emulator.createToken({ scopes: ["WORKSPACE", "EXECUTION_MANAGE"] }),
    );
    expect(message(await manager("POST", path, agent))).toContain("PIPELINE_WRITE");
    const writer = callerOf(
      emulator,
      await emulator.createToken({ scopes: ["WORKSPACE", "PIPELINE_WRITE"] }),
    );
    expect((await writer("POST", path, agent)).status).toBe(200);
    expect((await writer("POST", path, { ...agent, type: "BUILD", ...always })).status).toBe(403);
  });

  test.each([
    [{ type: "HTTP", notification_url: "u", timeout: 601 }, "timeout"],
    [{ type: "HTTP", notification_url: "u", timeout: "10" }, "timeout"],
    [{ type: "CLOUD_VM", authentication_mode: "MAGIC", ...vm }, "authentication_mode"],
    [{ type: "PUSH", git_auth_mode: "MAGIC", push_url: "x" }, "git_auth_mode"],
    [{ type: "SSH_COMMAND", authentication_mode: "PASS", ...ssh, password: "x", shell: "FISH" }, "shell"],
    [{ type: "SSH_COMMAND", authentication_mode: "PASS", ...ssh, password: "x", port: 22 }, "port"],
    [{ type: "BUILD", ...build, execute_commands: [] }, "execute_commands"],
    [{ type: "BUILD", ...build, execute_commands: [1] }, "execute_commands"],
    [{ type: "AGENT", ...build, prompts: [{ type: "SONG", value: "la" }] }, "prompts"],
  ])("%j is refused because of %s", async (body, field) => {
    const { call, path } = await prepared();
    expect(message(await call("POST", path, { name: "x", ...always, ...body }))).toBe(
      `Value of '${field}' cannot be empty.`,
    );
  });

  test("an integration of another user is refused", async () => {
    const { call, path } = await prepared();
    const response = await call("POST", path, {
      name: "c",
      ...always,
      type: "CHAT",
      channel: "c",
      integration: { id: 777 },
    });
    expect(message(response)).toBe("Integration 777 does not exist.");
  });

  test("an action of a type that is not in the spec keeps its fields, but not its password", async () => {
    const { call, path } = await prepared();
    const body = {
      name: "s",
      ...always,
      type: "SLEEP",
      sleep_in_sec: 5,
      nested: { aB: [1] },
      password: "hush",
      id: 1,
      status: "x",
    };
    const made = await call("POST", path, body);
    expect(made.body).toMatchObject({
      type: "SLEEP",
      sleep_in_sec: 5,
      nested: { aB: [1] },
      last_execution_status: "INITIAL",
    });
    expect(made.body.id).not.toBe(1);
    expect(made.text).not.toContain("hush");
    expect(made.body.status).toBeUndefined();
  });
});
