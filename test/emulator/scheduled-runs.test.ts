/** Tests runs by trigger and schedule. */
import { describe, expect, test } from "vitest";
import { add, PP, prepared } from "./executions-support.js";
import { type Caller, make, ws } from "./support.js";

describe("triggered runs", () => {
  async function modes(call: Caller, PE: string) {
    return (await make(call, "GET", `${PE}?per_page=100`)).executions.map(({ mode }) => mode);
  }

  test("start on a push to the pipeline's branch, once", async () => {
    const { call, PE } = await prepared([], { trigger_mode: "ON_EVERY_PUSH" });
    expect(await modes(call, PE)).toEqual([]);
    const { commit } = await add(call, "a");
    const { executions } = await make(call, "GET", PE);
    expect(executions).toMatchObject([{ mode: "ON_EVERY_PUSH", to_revision: { revision: commit.revision } }]);
    await make(call, "POST", `${ws}/projects/web/repository/branches`, { name: "other" });
    await add(call, "b", { branch: "other" });
    expect(await modes(call, PE)).toHaveLength(1);
  });

  test("start on a push to any branch that matches a wildcard", async () => {
    const { call, PE } = await prepared([], {
      trigger_mode: "ON_EVERY_PUSH",
      ref_type: "WILDCARD",
      ref_name: "feature/*",
    });
    for (const name of ["feature/a", "other"]) {
      await make(call, "POST", `${ws}/projects/web/repository/branches`, { name });
      await add(call, `file of ${name}`, { branch: name });
    }
    const { executions } = await make(call, "GET", PE);
    expect(executions).toMatchObject([{ branch: { name: "feature/a" } }]);
  });

  test("start at the times of a cron expression", async () => {
    const { call, clock, PE } = await prepared([], { trigger_mode: "SCHEDULED", cron: "30 2 * * *" });
    await clock.advance(2.4 * 3600_000);
    expect(await modes(call, PE)).toEqual([]);
    await clock.advance(0.2 * 3600_000);
    const { executions } = await make(call, "GET", PE);
    expect(executions).toMatchObject([{ mode: "SCHEDULED", start_date: "2030-01-01T02:30:00Z" }]);
    await clock.advance(3 * 24 * 3600_000);
    expect(await modes(call, PE)).toHaveLength(4);
  });

  test("start from the start date on with a cron expression", async () => {
    const schedule = { trigger_mode: "SCHEDULED", cron: "0 * * * *", start_date: "2030-01-01T03:00:00Z" };
    const { call, clock, PE } = await prepared([], schedule);
    await clock.advance(4.5 * 3600_000);
    expect((await make(call, "GET", PE)).executions.map(({ start_date: at }) => at)).toEqual([
      "2030-01-01T04:00:00Z",
      "2030-01-01T03:00:00Z",
    ]);
  });

  test("start at intervals of the delay from the start date on, unless paused", async () => {
    const schedule = { trigger_mode: "SCHEDULED", start_date: "2030-01-01T01:00:00Z", delay: 30 };
    const { call, clock, PE, id } = await prepared([], schedule);
    await clock.advance(59 * 60_000);
    expect(await modes(call, PE)).toHaveLength(0);
    await clock.advance(32 * 60_000);
    expect(await modes(call, PE)).toHaveLength(2);
    await make(call, "PATCH", `${PP}/${id}`, { paused: true });
    await clock.advance(24 * 3600_000);
    expect(await modes(call, PE)).toHaveLength(2);
    await make(call, "PATCH", `${PP}/${id}`, { paused: false });
    await clock.advance(31 * 60_000);
    expect(await modes(call, PE)).toHaveLength(3);
  });

  test("start with run_always only after the branch has changed", async () => {
    const { call, clock, PE } = await prepared([], {
      trigger_mode: "SCHEDULED",
      cron: "0 * * * *",
      run_always: true,
    });
    await clock.advance(5 * 3600_000);
    expect(await modes(call, PE)).toHaveLength(1);
    await add(call, "news");
    await clock.advance(5 * 3600_000);
    expect(await modes(call, PE)).toHaveLength(2);
  });

  test("stop with the deletion of the pipeline", async () => {
    const { emulator, call, clock, id } = await prepared([], {
      trigger_mode: "SCHEDULED",
      cron: "0 * * * *",
    });
    await make(call, "DELETE", `${PP}/${id}`);
    await clock.advance(5 * 3600_000);
    expect((await make(call, "GET", PP)).pipelines).toEqual([]);
    expect(emulator.clock.now()).toBe(Date.parse("2030-01-01T05:00:00Z"));
  });
});
