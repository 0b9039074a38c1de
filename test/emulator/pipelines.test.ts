/** Tests pipelines. */
import { describe, expect, test } from "vitest";
import { as, make, message, seedMember, start, ws } from "./support.js";

const PP = `${ws}/projects/web/pipelines`;
const manual = { name: "deploy", ref_name: "main", trigger_mode: "MANUAL" };

async function withProject(options: Parameters<typeof start>[0] = {}) {
  const { emulator, call } = await start(options);
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  return { emulator, call };
}

describe("a new pipeline", () => {
  test("has not run and has no actions, and the list contains fewer fields", async () => {
    const { call } = await withProject();
    const made = await make(call, "POST", PP, manual);
    expect(made).toMatchObject({
      ...manual,
      ref_type: "BRANCH",
      last_execution_status: "INITIAL",
      last_execution_revision: null,
      always_from_scratch: false,
      do_not_create_commit_status: false,
      project: { name: "web" },
      creator: { name: "Olga Owner" },
      actions: [],
    });
    expect(await make(call, "GET", `${PP}/${made.id}`)).toEqual(made);
    const [listed] = (await make(call, "GET", PP)).pipelines;
    expect(Object.keys(listed)).toEqual([
      "url",
      "html_url",
      "id",
      "name",
      "trigger_mode",
      "ref_name",
      "last_execution_status",
      "last_execution_revision",
    ]);
  });

  test.each([
    [{ name: undefined }, "name"],
    [{ ref_name: "" }, "ref_name"],
    [{ trigger_mode: "SOMETIMES" }, "trigger_mode"],
    [{ ref_type: "TWIG" }, "ref_type"],
    [{ always_from_scratch: "true" }, "always_from_scratch"],
    [{ trigger_mode: "SCHEDULED" }, "start_date"],
    [{ trigger_mode: "SCHEDULED", start_date: "2030-01-01T00:00:00Z" }, "delay"],
    [{ trigger_mode: "SCHEDULED", delay: 10 }, "start_date"],
    [{ trigger_mode: "SCHEDULED", delay: 10, start_date: "tomorrow" }, "start_date"],
    [{ trigger_mode: "SCHEDULED", cron: "every day" }, "cron"],
    [{ trigger_mode: "SCHEDULED", cron: "0 0 0 2 * *" }, "cron"],
  ])("with %j is refused because of %s", async (more, field) => {
    const { call } = await withProject();
    const response = await call("POST", PP, { ...manual, ...more });
    expect([response.status, message(response)]).toEqual([400, `Value of '${field}' cannot be empty.`]);
  });

  test("with a cron expression may also have a start date or a delay", async () => {
    const { call } = await withProject();
    const cron = { ...manual, trigger_mode: "SCHEDULED", cron: "0 2 * * *" };
    const start_date = "2030-01-01T00:00:00Z";
    for (const more of [{}, { start_date }, { delay: 60 }, { start_date, delay: 60 }])
      expect([more, (await call("POST", PP, { ...cron, ...more })).status]).toEqual([more, 201]);
    const { id } = await make(call, "POST", PP, cron);
    for (const more of [{ start_date }, { delay: 60 }, { trigger_mode: "SCHEDULED", delay: 30 }])
      expect([more, (await call("PATCH", `${PP}/${id}`, more)).status]).toEqual([more, 200]);
    // Without the expression, both are required again.
    expect((await call("PATCH", `${PP}/${id}`, { cron: null, delay: 60 })).status).toBe(400);
  });

  test("has a schedule only with SCHEDULED: a cron expression, or a start date with a delay", async () => {
    const { call } = await withProject();
    const scheduled = { ...manual, trigger_mode: "SCHEDULED" };
    expect((await call("POST", PP, { ...scheduled, cron: "0 2 * * *", run_always: true })).status).toBe(201);
    const start_date = "2030-01-01T00:00:00Z";
    expect((await call("POST", PP, { ...scheduled, start_date, delay: 60, paused: true })).status).toBe(201);
    const refused = await call("POST", PP, { ...manual, cron: "0 2 * * *" });
    expect(message(refused)).toBe("'cron' is allowed only with trigger_mode SCHEDULED.");
  });
});

describe("an existing pipeline", () => {
  test("is updated only in the fields of the request, one of which has another name here", async () => {
    const { call } = await withProject();
    const { id } = await make(call, "POST", PP, { ...manual, auto_clear_cache: true });
    const changed = await make(call, "PATCH", `${PP}/${id}`, {
      name: "d2",
      omit_status_sending: true,
      last_execution_revision: "abc",
    });
    expect(changed).toMatchObject({
      name: "d2",
      ref_name: "main",
      auto_clear_cache: true,
      do_not_create_commit_status: true,
      last_execution_revision: "abc",
    });
    expect((await make(call, "PATCH", `${PP}/${id}`, { auto_clear_cache: null })).name).toBe("d2");
    expect((await call("PATCH", `${PP}/${id}`, { name: null })).status).toBe(400);
  });

  test("requires a start date and a delay for a change to SCHEDULED, and loses them with another mode", async () => {
    const { call } = await withProject();
    const { id } = await make(call, "POST", PP, manual);
    const path = `${PP}/${id}`;
    expect(message(await call("PATCH", path, { trigger_mode: "SCHEDULED" }))).toBe(
      "Value of 'start_date' cannot be empty.",
    );
    const schedule = { start_date: "2030-01-01T00:00:00Z", delay: 5 };
    await make(call, "PATCH", path, { trigger_mode: "SCHEDULED", ...schedule });
    expect((await call("PATCH", path, { trigger_mode: "SCHEDULED" })).status).toBe(400);
    expect((await call("PATCH", path, { name: "still scheduled" })).status).toBe(200);
    expect((await call("PATCH", path, { start_date: schedule.start_date })).status).toBe(400);
    await make(call, "PATCH", path, { trigger_mode: "MANUAL" });
    expect((await call("PATCH", path, { paused: true })).status).toBe(400);
  });

  test("returns 404 after its deletion", async () => {
    const { call } = await withProject();
    const { id } = await make(call, "POST", PP, manual);
    await make(call, "DELETE", `${PP}/${id}`);
    expect(message(await call("GET", `${PP}/${id}`))).toBe(`Pipeline ${id} not found.`);
    expect((await make(call, "GET", PP)).pipelines).toEqual([]);
  });

  test("is listed in the order of name or id", async () => {
    const { call } = await withProject();
    for (const name of ["b", "c", "a"]) await make(call, "POST", PP, { ...manual, name });
    const names = async (query: string) =>
      (await make(call, "GET", `${PP}?${query}`)).pipelines.map(({ name }) => name);
    expect(await names("sort_by=name")).toEqual(["a", "b", "c"]);
    expect(await names("sort_by=id&sort_direction=DESC")).toEqual(["a", "c", "b"]);
    expect(await names("sort_by=name&per_page=2&page=2")).toEqual(["c"]);
  });
});

describe("access to pipelines", () => {
  test.each([
    ["DENIED", 403, 403, 403],
    ["READ_ONLY", 200, 403, 403],
    ["RUN_ONLY", 200, 403, 403],
    ["READ_WRITE", 200, 201, 200],
  ])("follows the access level %s", async (level, read, write, change) => {
    const { emulator, call } = await start({
      seed: seedMember({ pipeline: level }, [manual, { ...manual, name: "secret", hidden: true }]),
    });
    const { pipelines } = await make(call, "GET", PP);
    expect(pipelines).toHaveLength(2);
    const bob = await as(emulator, "bob@example.com");
    const list = await bob("GET", PP);
    expect(list.status).toBe(read);
    expect((await bob("POST", PP, manual)).status).toBe(write);
    expect((await bob("PATCH", `${PP}/${pipelines[0].id}`, { name: "x" })).status).toBe(change);
    // Pipelines that visibility settings hide are omitted for everyone but administrators.
    if (read === 200) {
      expect(list.body.pipelines.map(({ name }) => name)).toEqual(["deploy"]);
      expect((await bob("GET", `${PP}/${pipelines[1].id}`)).status).toBe(404);
    }
  });
});
