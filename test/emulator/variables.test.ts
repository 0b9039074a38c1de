/** Tests variables. */
import { describe, expect, test } from "vitest";
import { as, type Caller, make, message, start, ws } from "./support.js";

async function withScopes(call: Caller) {
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  const pipelines = `${ws}/projects/web/pipelines`;
  const pipeline = await make(call, "POST", pipelines, {
    name: "p",
    ref_name: "main",
    trigger_mode: "MANUAL",
  });
  const action = await make(call, "POST", `${pipelines}/${pipeline.id}/actions`, {
    name: "a",
    type: "PING",
    trigger_time: "ON_EVERY_EXECUTION",
    destination: "example.com",
  });
  return { pipeline, action, pipelines };
}

describe("variables", () => {
  test("are listed by each of the four scopes separately", async () => {
    const { call } = await start();
    const { pipeline, action } = await withScopes(call);
    await make(call, "POST", `${ws}/variables`, { key: "W", value: "1" });
    await make(call, "POST", `${ws}/variables`, { key: "P", value: "1", project: { name: "web" } });
    await make(call, "POST", `${ws}/variables`, { key: "L", value: "1", pipeline: { id: pipeline.id } });
    await make(call, "POST", `${ws}/variables`, { key: "A", value: "1", action: { id: action.id } });
    const keys = async (query: string) =>
      (await make(call, "GET", `${ws}/variables${query}`)).variables.map(({ key }) => key);
    expect(await keys("")).toEqual(["W"]);
    expect(await keys("?projectName=web")).toEqual(["P"]);
    expect(await keys(`?pipelineId=${pipeline.id}`)).toEqual(["L"]);
    expect(await keys(`?projectName=web&pipelineId=${pipeline.id}`)).toEqual(["L"]);
    expect(await keys(`?actionId=${action.id}`)).toEqual(["A"]);
  });

  test("are refused in scopes that do not exist or do not match", async () => {
    const { call } = await start();
    const { pipeline, action } = await withScopes(call);
    await make(call, "POST", `${ws}/projects`, { name: "api" });
    const post = (more: object) => call("POST", `${ws}/variables`, { key: "K", value: "v", ...more });
    expect(message(await post({ project: { name: "nope" } }))).toBe("Project 'nope' does not exist.");
    expect((await post({ project: { name: "api" }, pipeline: { id: pipeline.id } })).status).toBe(400);
    expect((await post({ pipeline: { id: 99999 } })).status).toBe(400);
    expect((await post({ action: { id: 99999 } })).status).toBe(400);
    expect((await post({ pipeline: { id: action.id }, action: { id: action.id } })).status).toBe(400);
    expect((await post({ project: {} })).status).toBe(400);
    expect((await make(call, "GET", `${ws}/variables`)).variables).toEqual([]);
    for (const query of ["projectName=nope", "pipelineId=99999", "actionId=99999"]) {
      expect((await call("GET", `${ws}/variables?${query}`)).status).toBe(404);
    }
  });

  test("have an opaque value when encrypted, which changes only with the value", async () => {
    const { call } = await start();
    const made = await make(call, "POST", `${ws}/variables`, { key: "S", value: "hunter2", encrypted: true });
    const path = `${ws}/variables/${made.id}`;
    expect(made.value).toMatch(/^secure!/);
    expect(made.value).not.toContain("hunter2");
    expect((await make(call, "GET", path)).value).toBe(made.value);
    const same = await make(call, "PATCH", path, { key: "S", value: "hunter2", description: "pw" });
    expect(same.value).toBe(made.value);
    const changed = await make(call, "PATCH", path, { key: "S", value: "hunter3" });
    expect(changed.value).toMatch(/^secure!/);
    expect(changed.value).not.toBe(made.value);
    const other = await make(call, "POST", `${ws}/variables`, {
      key: "T",
      value: "hunter3",
      encrypted: true,
    });
    expect(other.value).not.toBe(changed.value);
    expect((await make(call, "PATCH", path, { key: "S", value: "plain", encrypted: false })).value).toBe(
      "plain",
    );
  });

  test("require key and value even in an update, and null clears the description", async () => {
    const { call } = await start();
    const made = await make(call, "POST", `${ws}/variables`, {
      key: "A",
      value: "1",
      description: "d",
      settable: true,
    });
    expect(made).toMatchObject({ ssh_key: false, settable: true, encrypted: false, description: "d" });
    const path = `${ws}/variables/${made.id}`;
    for (const [body, field] of [
      [{ key: "A" }, "value"],
      [{ value: "1" }, "key"],
      [{ key: "A", value: "" }, "value"],
      [{ key: "A", value: "1", settable: "yes" }, "settable"],
    ] as const) {
      for (const [method, target] of [
        ["POST", `${ws}/variables`],
        ["PATCH", path],
      ] as const) {
        expect(message(await call(method, target, body))).toBe(`Value of '${field}' cannot be empty.`);
      }
    }
    expect(await make(call, "PATCH", path, { key: "B", value: "2" })).toMatchObject({
      key: "B",
      description: "d",
      settable: true,
    });
    expect(await make(call, "PATCH", path, { key: "B", value: "2", description: null })).toMatchObject({
      description: null,
    });
    await make(call, "DELETE", path);
    expect((await call("GET", path)).status).toBe(404);
  });

  test("are accessible to admins only, and are deleted with their scope", async () => {
    const { emulator, call } = await start();
    const { pipeline, action, pipelines } = await withScopes(call);
    await make(call, "POST", `${ws}/members`, { email: "bob@example.com" });
    expect((await (await as(emulator, "bob@example.com"))("GET", `${ws}/variables`)).status).toBe(403);
    const ofAction = await make(call, "POST", `${ws}/variables`, {
      key: "A",
      value: "1",
      action: { id: action.id },
    });
    const ofPipeline = await make(call, "POST", `${ws}/variables`, {
      key: "L",
      value: "1",
      pipeline: { id: pipeline.id },
    });
    await make(call, "DELETE", `${pipelines}/${pipeline.id}/actions/${action.id}`);
    expect((await call("GET", `${ws}/variables/${ofAction.id}`)).status).toBe(404);
    expect((await call("GET", `${ws}/variables/${ofPipeline.id}`)).status).toBe(200);
    await make(call, "DELETE", `${pipelines}/${pipeline.id}`);
    expect((await call("GET", `${ws}/variables/${ofPipeline.id}`)).status).toBe(404);
  });
});
