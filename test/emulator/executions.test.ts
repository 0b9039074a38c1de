/** Tests emulator/executions.ts. */
import { describe, expect, test } from "vitest";
import { add, head, ping, PP, prepared, states } from "./executions-support.js";
import { as, make, message, seedMember, start, ws } from "./support.js";

describe("a run", () => {
  test("starts with all actions in progress, executes them in order and succeeds", async () => {
    const { clock, run, read, pipelineNow, revision, call, PE } = await prepared([ping("a"), ping("b")]);
    const execution = await run();
    expect(execution).toMatchObject({
      status: "INPROGRESS",
      start_date: "2030-01-01T00:00:00Z",
      finish_date: null,
      mode: "MANUAL",
      refresh: false,
      comment: null,
      branch: { name: "main", default: true },
      from_revision: null,
      to_revision: { revision },
      creator: { name: "Olga Owner" },
      pipeline: { name: "p", last_execution_status: "INPROGRESS" },
    });
    expect(states(execution)).toEqual(["a INPROGRESS 0", "b INPROGRESS 0"]);
    await clock.advance(500);
    expect(states(await read(execution))).toEqual(["a INPROGRESS 50", "b ENQUEUED 0"]);
    await clock.advance(500);
    expect(states(await read(execution))).toEqual(["a SUCCESSFUL 100", "b INPROGRESS 0"]);
    await clock.advance(1000);
    expect(await read(execution)).toMatchObject({
      status: "SUCCESSFUL",
      finish_date: "2030-01-01T00:00:02Z",
    });
    expect(await pipelineNow()).toMatchObject({
      last_execution_status: "SUCCESSFUL",
      last_execution_revision: revision,
      actions: [{ last_execution_status: "SUCCESSFUL" }, { last_execution_status: "SUCCESSFUL" }],
    });
    const { executions } = await make(call, "GET", PE);
    expect(executions[0]).not.toHaveProperty("action_executions");
    expect(executions[0]).not.toHaveProperty("pipeline");
  });

  test("is returned in its initial state, however slow the response and however short the actions", async () => {
    const { emulator, call } = await start({ actionSeconds: 0.02 });
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    await add(call, "README.md");
    const { id } = await make(call, "POST", PP, { name: "p", ref_name: "main", trigger_mode: "MANUAL" });
    for (const name of ["a", "b"]) await make(call, "POST", `${PP}/${id}/actions`, ping(name));
    for (let i = 0; i < 5; i++) {
      emulator.settings.actionSeconds = i % 2 === 0 ? 0 : 0.02;
      const execution = await make(call, "POST", `${PP}/${id}/executions`, head);
      expect(states(execution)).toEqual(["a INPROGRESS 0", "b INPROGRESS 0"]);
      expect(execution).toMatchObject({ status: "INPROGRESS", finish_date: null });
      expect(execution.pipeline.last_execution_status).toBe("INPROGRESS");
      const path = `${PP}/${id}/executions/${execution.id}`;
      await expect.poll(async () => (await make(call, "GET", path)).status).toBe("SUCCESSFUL");
      const again = await make(call, "PATCH", path, { operation: "RETRY" });
      expect(states(again)).toEqual(["a INPROGRESS 0", "b INPROGRESS 0"]);
      expect(again).toMatchObject({ status: "INPROGRESS", finish_date: null });
      await expect.poll(async () => (await make(call, "GET", path)).status).toBe("SUCCESSFUL");
    }
  });

  test("skips further actions after a failure and executes those for failures", async () => {
    const { emulator, clock, id, run, read, pipelineNow } = await prepared([
      ping("a"),
      ping("b"),
      ping("c"),
      ping("alarm", { trigger_time: "ON_FAILURE" }),
      ping("relief", { trigger_time: "ON_BACK_TO_SUCCESS" }),
    ]);
    await emulator.setOutcomes(id, [{ status: "FAILED", action: "b" }]);
    const failed = await run();
    await clock.advance(10_000);
    const after = await read(failed);
    expect(states(after)).toEqual([
      "a SUCCESSFUL 100",
      "b FAILED 100",
      "c NOT_EXECUTED 0",
      "alarm SUCCESSFUL 100",
      "relief NOT_EXECUTED 0",
    ]);
    expect(after.status).toBe("FAILED");
    expect(await pipelineNow()).toMatchObject({
      last_execution_status: "FAILED",
      last_execution_revision: null,
    });
    const good = await run();
    await clock.advance(10_000);
    expect(states(await read(good)).slice(3)).toEqual(["alarm NOT_EXECUTED 0", "relief SUCCESSFUL 100"]);
    const still = await run();
    await clock.advance(10_000);
    expect(states(await read(still)).at(-1)).toBe("relief NOT_EXECUTED 0");
  });

  test("sends a notification for the first failure only", async () => {
    const sms = {
      name: "sms",
      type: "SMS",
      recipients: "1",
      trigger_time: "ON_FAILURE",
      run_only_on_first_failure: true,
    };
    const { emulator, clock, id, run, read } = await prepared([ping("a"), sms]);
    await emulator.setOutcomes(id, [{ status: "FAILED" }, { status: "FAILED" }]);
    const observed = [];
    for (let i = 0; i < 2; i++) {
      const execution = await run();
      await clock.advance(10_000);
      observed.push(states(await read(execution)).at(-1));
    }
    expect(observed).toEqual(["sms SUCCESSFUL 100", "sms NOT_EXECUTED 0"]);
  });

  test("can be cancelled and retried; cancelling an ended run or retrying a current one has no effect", async () => {
    const { clock, call, PE, run, read, pipelineNow } = await prepared([ping("a"), ping("b")]);
    const execution = await run();
    await clock.advance(300);
    const patch = (operation: string) => make(call, "PATCH", `${PE}/${execution.id}`, { operation });
    const cancelled = await patch("CANCEL");
    expect(cancelled).toMatchObject({ status: "TERMINATED", finish_date: "2030-01-01T00:00:00Z" });
    expect(states(cancelled)).toEqual(["a TERMINATED 100", "b NOT_EXECUTED 0"]);
    expect((await pipelineNow()).last_execution_status).toBe("TERMINATED");
    await clock.advance(10_000);
    expect((await read(execution)).status).toBe("TERMINATED");
    expect((await patch("CANCEL")).status).toBe("TERMINATED");
    expect(await patch("RETRY")).toMatchObject({ status: "INPROGRESS", finish_date: null });
    await clock.advance(1500);
    expect(states(await patch("RETRY"))).toEqual(["a SUCCESSFUL 100", "b INPROGRESS 50"]);
    await clock.advance(1500);
    expect((await read(execution)).status).toBe("SUCCESSFUL");
    expect(message(await call("PATCH", `${PE}/${execution.id}`, { operation: "PAUSE" }))).toBe(
      "Value of 'operation' cannot be empty.",
    );
  });

  test("requires an existing revision", async () => {
    const { call, PE, revision } = await prepared([]);
    expect(message(await call("POST", PE, {}))).toBe("Value of 'to_revision' cannot be empty.");
    expect(message(await call("POST", PE, { to_revision: {} }))).toBe(
      "Value of 'to_revision' cannot be empty.",
    );
    expect(message(await call("POST", PE, { to_revision: { revision: "beef" } }))).toBe(
      "Revision 'beef' does not exist.",
    );
    expect((await call("POST", PE, { ...head, branch: { name: "nope" } })).status).toBe(400);
    expect((await call("POST", PE, { ...head, tag: { name: "nope" } })).status).toBe(400);
    const run = await make(call, "POST", PE, { to_revision: { revision }, comment: "c", refresh: true });
    expect(run).toMatchObject({ comment: "c", refresh: true, to_revision: { revision } });
    expect((await call("GET", `${PE}/999999`)).status).toBe(404);
  });

  test("has no revision in a project without commits", async () => {
    const { call } = await start();
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    const { id } = await make(call, "POST", PP, { name: "p", ref_name: "main", trigger_mode: "MANUAL" });
    expect(await make(call, "POST", `${PP}/${id}/executions`, head)).toMatchObject({
      status: "INPROGRESS",
      to_revision: null,
    });
  });

  test("is listed newest first, in pages", async () => {
    const { call, PE, run } = await prepared([ping("a")]);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift((await run()).id);
    expect((await make(call, "GET", `${PE}?per_page=2`)).executions.map(({ id }) => id)).toEqual(
      ids.slice(0, 2),
    );
    expect((await make(call, "GET", `${PE}?per_page=2&page=2`)).executions.map(({ id }) => id)).toEqual(
      ids.slice(2),
    );
  });

  test.each([
    ["READ_ONLY", 200, 403],
    ["RUN_ONLY", 200, 200],
  ])("follows the permissions of a member with %s", async (level, read, write) => {
    const { emulator } = await start({
      seed: seedMember({ pipeline: level }, [
        { name: "p", ref_name: "main", trigger_mode: "MANUAL", actions: [] },
      ]),
    });
    const bob = await as(emulator, "bob@example.com");
    const [pipeline] = (await make(bob, "GET", PP)).pipelines;
    expect((await bob("GET", `${PP}/${pipeline.id}/executions`)).status).toBe(read);
    expect((await bob("POST", `${PP}/${pipeline.id}/executions`, head)).status).toBe(write);
  });
});
