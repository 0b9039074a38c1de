/** Tests changes and the order of actions. */
import { describe, expect, test } from "vitest";
import { always, PP, prepared } from "./actions-support.js";
import { type Caller, make, message } from "./support.js";

describe("the order of actions", () => {
  const ping = (name: string, after_action_id?: number) => ({
    name,
    ...always,
    type: "PING",
    destination: "example.com",
    ...(after_action_id === undefined ? {} : { after_action_id }),
  });
  async function names(call: Caller, path: string) {
    return (await make(call, "GET", path)).actions.map(({ name }) => name).join("");
  }

  test("actions are appended, placed after another and moved, and a deletion leaves no gap", async () => {
    const { call, path, pipeline } = await prepared();
    const a = await make(call, "POST", path, ping("a"));
    const b = await make(call, "POST", path, ping("b"));
    const c = await make(call, "POST", path, ping("c", a.id));
    expect(await names(call, path)).toBe("acb");
    await make(call, "PATCH", `${path}/${a.id}`, { after_action_id: b.id });
    expect(await names(call, path)).toBe("cba");
    await make(call, "PATCH", `${path}/${b.id}`, { name: "B", after_action_id: b.id + 1 });
    expect(await names(call, path)).toBe("cBa");
    await make(call, "DELETE", `${path}/${b.id}`);
    await make(call, "POST", path, ping("d", c.id));
    expect(await names(call, path)).toBe("cda");
    expect((await make(call, "GET", `${PP}/${pipeline.id}`)).actions.map(({ name }) => name).join("")).toBe(
      "cda",
    );
    expect((await call("POST", path, ping("x", 99999))).status).toBe(400);
    expect((await call("PATCH", `${path}/${a.id}`, { after_action_id: a.id })).status).toBe(400);
  });

  test("the list can be filtered by trigger time", async () => {
    const { call, path } = await prepared();
    await make(call, "POST", path, ping("a"));
    await make(call, "POST", path, { ...ping("b"), trigger_time: "ON_FAILURE" });
    expect(await names(call, `${path}?trigger_time=ON_FAILURE`)).toBe("b");
    expect((await call("GET", `${path}?trigger_time=NEVER`)).status).toBe(400);
  });
});

describe("a single action", () => {
  test("an update changes only the fields in the request, clears them with null and is validated as a whole", async () => {
    const { call, path } = await prepared();
    const body = {
      name: "h",
      ...always,
      type: "HTTP",
      notification_url: "https://e.com",
      login: "u",
      password: "p",
      content: "c",
    };
    const { id } = await make(call, "POST", path, body);
    const one = `${path}/${id}`;
    expect(await make(call, "PATCH", one, { content: null })).toMatchObject({
      name: "h",
      login: "u",
      content: null,
    });
    expect((await call("PATCH", one, { notification_url: null })).status).toBe(400);
    expect((await call("PATCH", one, { notification_url: "" })).status).toBe(400);
    expect(message(await call("PATCH", one, { type: "PING" }))).toBe(
      "The type of an action cannot be changed.",
    );
    expect((await make(call, "PATCH", one, { trigger_time: "ON_FAILURE" })).trigger_time).toBe("ON_FAILURE");
  });

  test("an update may omit a required secret and can change the authentication mode", async () => {
    const { call, path } = await prepared();
    const { id } = await make(call, "POST", path, {
      name: "p",
      ...always,
      type: "PUSH",
      git_auth_mode: "PRIVATE_KEY",
      push_url: "g@h:x",
      server_key: "k",
    });
    expect(await make(call, "PATCH", `${path}/${id}`, { name: "q" })).toMatchObject({ name: "q" });
    const other = await call("PATCH", `${path}/${id}`, { git_auth_mode: "ENV_KEY" });
    expect(message(other)).toBe("Value of 'env_key' cannot be empty.");
    const moved = await make(call, "PATCH", `${path}/${id}`, { git_auth_mode: "ENV_KEY", env_key: "K" });
    expect(moved).toMatchObject({ git_auth_mode: "ENV_KEY", env_key: "K" });
  });

  test("its endpoints can be disabled, and return 404 for an action of another pipeline", async () => {
    const { emulator, call, path, pipeline } = await prepared();
    const { id } = await make(call, "POST", path, { name: "p", ...always, type: "PING", destination: "x" });
    const other = await make(call, "POST", PP, { name: "o", ref_name: "main", trigger_mode: "MANUAL" });
    expect((await call("GET", `${PP}/${other.id}/actions/${id}`)).status).toBe(404);
    emulator.settings.singleActionPaths = false;
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const response = await call(method, `${path}/${id}`);
      expect([response.status, message(response)]).toEqual([400, `Invalid url: ${path}/${id}`]);
    }
    expect((await make(call, "GET", `${PP}/${pipeline.id}`)).actions).toHaveLength(1);
  });

  test("embedded actions can be summaries, with the status under its other name", async () => {
    const { emulator, call, path, pipeline } = await prepared({ embeddedActions: "summary" });
    await make(call, "POST", path, { name: "p", ...always, type: "PING", destination: "x" });
    const [short] = (await make(call, "GET", `${PP}/${pipeline.id}`)).actions;
    expect(short).not.toHaveProperty("destination");
    expect((await make(call, "GET", path)).actions[0]).not.toHaveProperty("destination");
    emulator.settings.embeddedActions = "full";
    emulator.settings.embeddedActionStatusField = "status";
    const [full] = (await make(call, "GET", `${PP}/${pipeline.id}`)).actions;
    expect(full).toMatchObject({ destination: "x", status: "INITIAL" });
    expect(full).not.toHaveProperty("last_execution_status");
  });
});
