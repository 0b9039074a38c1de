/** Tests the settings that a profile may contain, and that they are those which a probe measures. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { behaviorSchema as measured } from "../../assumptions/behavior.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { chooseBehavior, listDifferences } from "../../emulator/profile.js";
import {
  createSchema,
  defaultSettings,
  measuredSettings,
  serviceSettings,
  type SettingDeclaration,
  type Settings,
} from "../../emulator/settings.js";

let emulator: Emulator | undefined;
afterEach(() => emulator?.close());

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function open(
  options: EmulatorOptions,
): Promise<(method: string, path: string, body?: object) => Promise<Answer>> {
  emulator = await startEmulator(options);
  const { baseUrl, token } = emulator;
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}/workspaces/acme${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
}

function profile(behavior: object): string {
  const file = join(mkdtempSync(join(tmpdir(), "profile-")), "profile.json");
  writeFileSync(file, JSON.stringify({ version: 1, measuredAt: "2026-01-01T00:00:00Z", behavior }));
  return file;
}

it("the measured settings of a service are those that a probe measures, with the same values", () => {
  const shapes = (schema: z.ZodObject) =>
    Object.fromEntries(
      Object.entries(schema.shape).map(([name, field]) => {
        const { description: _, $schema: _schema, ...rest } = z.toJSONSchema(field as z.ZodType);
        return [name, rest];
      }),
    );
  expect(shapes(createSchema(measuredSettings))).toEqual(shapes(measured.partial()));
});

it("a random service differs in settings that it may have, and each seed repeats its own", () => {
  const all = Array.from({ length: 200 }, (_, seed) => chooseBehavior(seed));
  expect(all.map((_, seed) => chooseBehavior(seed))).toEqual(all);
  const schema = createSchema(serviceSettings);
  for (const behavior of all) {
    expect(schema.parse(behavior)).toEqual(behavior);
    expect(listDifferences({ ...defaultSettings, ...behavior } as Settings)).toEqual(behavior);
  }
  for (const [name, { others }] of Object.entries(
    serviceSettings as Readonly<Record<string, Pick<SettingDeclaration, "others">>>,
  )) {
    const chosen = all.map((behavior): unknown => behavior[name as keyof typeof behavior]);
    for (const other of others.filter((value) => !Array.isArray(value)))
      expect(chosen, name).toContainEqual(other);
  }
});

it("behaves like the random service of a seed, except for what the options say", async () => {
  const seed = Array.from({ length: 100 }, (_, one) => one).find(
    (one) => chooseBehavior(one).maxPerPage === 10,
  );
  await open({ profileSeed: seed!, blanks: "kept" });
  expect(emulator?.settings).toMatchObject({ ...chooseBehavior(seed!), blanks: "kept" });
});

it("takes its settings from a profile, and options before them", async () => {
  await open({ profile: profile({ maxPerPage: 30, embeddedActions: "summary" }), maxPerPage: 40 });
  expect(emulator?.settings).toMatchObject({
    maxPerPage: 40,
    embeddedActions: "summary",
    listedActions: "summary",
    missingStatus: 404,
  });
});

it("refuses a file that is no profile", async () => {
  await expect(startEmulator({ profile: profile({ maxPerPage: 0 }) })).rejects.toThrow(
    /is no profile of a service/,
  );
  await expect(startEmulator({ profile: "no-such.json" })).rejects.toThrow(/no-such.json cannot be read/);
});

it("refuses a page that is too large", async () => {
  const send = await open({ largePages: "refused", maxPerPage: 30 });
  expect((await send("GET", "/members?per_page=31")).status).toBe(400);
  expect((await send("GET", "/members?per_page=30")).status).toBe(200);
  expect((await send("GET", "/variables?per_page=31")).status).toBe(400);
});

it.each([400, 403, 404] as const)("responds with %i when an object does not exist", async (missingStatus) => {
  const send = await open({ missingStatus });
  const { status, body } = await send("GET", "/groups/99");
  const message = missingStatus === 403 ? "Access denied." : "Group 99 not found.";
  expect({ status, body }).toEqual({ status: missingStatus, body: { errors: [{ message }] } });
});

it("clears a text by an empty one, and changes nothing with null", async () => {
  const send = await open({ clearedBy: "empty" });
  const { body } = await send("POST", "/variables", { key: "A", value: "1", description: "d" });
  const change = (description: string | null) =>
    send("PATCH", `/variables/${String(body["id"])}`, { key: "A", value: "1", description });
  expect((await change(null)).body["description"]).toBe("d");
  expect((await change("")).body["description"]).toBeNull();
});

it("shows another mask of an encrypted value with each response", async () => {
  const send = await open({ encryptedValues: "changing" });
  const { body } = await send("POST", "/variables", { key: "A", value: "1", encrypted: true });
  const again = await send("GET", `/variables/${String(body["id"])}`);
  expect(again.body["value"]).toMatch(/^secure!/);
  expect(again.body["value"]).not.toBe(body["value"]);
});

it.each([true, false])(
  "shows the schedule of a pipeline: %s, and ignores another cron",
  async (showSchedule) => {
    const send = await open({ showSchedule, cronUpdates: false });
    await send("POST", "/projects", { name: "web" });
    const schedule = { trigger_mode: "SCHEDULED", cron: "0 2 * * *" };
    const made = await send("POST", "/projects/web/pipelines", { name: "p", ref_name: "main", ...schedule });
    expect("cron" in made.body).toBe(showSchedule);
    const path = `/projects/web/pipelines/${String(made.body["id"])}`;
    const changed = await send("PATCH", path, { cron: "0 3 * * *" });
    expect([changed.status, changed.body["cron"]]).toEqual([200, showSchedule ? "0 2 * * *" : undefined]);
    if (emulator) emulator.settings.strictBodies = true;
    expect((await send("PATCH", path, { cron: "0 3 * * *" })).status).toBe(400);
  },
);

it("leaves an action in its position", async () => {
  const send = await open({ movableActions: false });
  await send("POST", "/projects", { name: "web" });
  const pipeline = await send("POST", "/projects/web/pipelines", {
    name: "p",
    ref_name: "main",
    trigger_mode: "MANUAL",
  });
  const path = `/projects/web/pipelines/${String(pipeline.body["id"])}/actions`;
  const add = (name: string) =>
    send("POST", path, { name, type: "PING", trigger_time: "ON_FAILURE", destination: "h" });
  const [first, second] = [await add("a"), await add("b")];
  await send("PATCH", `${path}/${String(first.body["id"])}`, { after_action_id: second.body["id"] });
  const { body } = await send("GET", path);
  expect((body["actions"] as { name: string }[]).map(({ name }) => name)).toEqual(["a", "b"]);
});
