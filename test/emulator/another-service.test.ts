/** Tests the settings by which the emulator is another service that the specification allows. */
import { expect, it } from "vitest";
import type { Emulator, EmulatorOptions } from "../../emulator/index.js";
import { as, type Caller, callerOf, make, start, ws } from "./support.js";

const open = (options: EmulatorOptions) => start({ strictBodies: false, ...options });
const keysOf = async (call: Caller, query: string) =>
  (await make(call, "GET", `${ws}/variables${query}`)).variables.map(({ key }) => key);
const namesOf = async (call: Caller) =>
  (await make(call, "GET", `${ws}/groups`)).groups.map(({ name }) => name);

async function addVariables(call: Caller, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => `K${index}`);
  for (const key of keys) await make(call, "POST", `${ws}/variables`, { key, value: "v" });
  return keys;
}

it("has pages in lists for which none are documented: when requested, always or never", async () => {
  const { emulator, call } = await open({});
  const keys = await addVariables(call, 25);
  const seen = async () => [await keysOf(call, ""), await keysOf(call, "?page=2")];
  expect(await seen()).toEqual([keys, keys.slice(20)]);
  emulator.settings.undocumentedPages = "always";
  expect(await seen()).toEqual([keys.slice(0, 20), keys.slice(20)]);
  emulator.settings.undocumentedPages = "ignored";
  expect(await seen()).toEqual([keys, keys]);
});

it("loses or repeats an item at the border of pages each second time", async () => {
  const { emulator, call } = await open({ pageShift: "skip" });
  const keys = await addVariables(call, 6);
  const read = async () => [
    ...(await keysOf(call, "?per_page=3")),
    ...(await keysOf(call, "?per_page=3&page=2")),
    ...(await keysOf(call, "?per_page=3&page=3")),
  ];
  expect(await read()).toEqual(keys.toSpliced(3, 1));
  expect(await read()).toEqual(keys);
  emulator.settings.pageShift = "repeat";
  expect(await read()).toEqual(keys.toSpliced(3, 0, "K2"));
  expect(await read()).toEqual(keys);
});

it("shows lists in another order each time, but not what is sorted or ordered by its meaning", async () => {
  const { emulator, call } = await open({ listOrder: "newest" });
  const keys = await addVariables(call, 5);
  expect(await keysOf(call, "")).toEqual(keys.toReversed());
  emulator.settings.listOrder = "changing";
  const [one, other] = [await keysOf(call, ""), await keysOf(call, "")];
  expect(one).not.toEqual(other);
  expect(one.toSorted()).toEqual(keys);
  expect(other.toSorted()).toEqual(keys);
  const { id } = await createPipeline(call);
  for (const name of ["a", "b", "c"]) await addAction(call, id, name);
  for (let read = 0; read < keys.length; read++) expect(await actionsOf(call, id)).toEqual(["a", "b", "c"]);
  const { body } = await emulator.edit({ method: "GET", path: `${ws}/variables` });
  expect((body as { variables: { key: string }[] }).variables.map(({ key }) => key)).toEqual(keys);
});

it("shows what was written after a number of reads, while requests that write know it at once", async () => {
  const { emulator, call } = await open({ lagRequests: 2 });
  const { id } = await make(call, "POST", `${ws}/groups`, { name: "a" });
  expect(await namesOf(call)).toEqual([]);
  expect((await call("GET", `${ws}/groups/${id}`)).status).toBe(404);
  expect(await namesOf(call)).toEqual(["a"]);
  await make(call, "PATCH", `${ws}/groups/${id}`, { name: "b" });
  expect([await namesOf(call), await namesOf(call), await namesOf(call)]).toEqual([["a"], ["a"], ["b"]]);
  expect((await call("DELETE", `${ws}/groups/${id}`)).status).toBe(204);
  expect((await call("DELETE", `${ws}/groups/${id}`)).status).toBe(404);
  expect((await call("GET", `${ws}/groups/${id}`)).status).toBe(200);
  emulator.settings.lagRequests = 0;
  expect((await call("GET", `${ws}/groups/${id}`)).status).toBe(404);
});

it("shows what is in a new object late, too, and a reset at once", async () => {
  const { emulator, call } = await open({ lagRequests: 2 });
  const { id } = await createPipeline(call);
  await addAction(call, id, "a");
  for (const path of ["", "/actions"])
    expect((await call("GET", `${ws}/projects/web/pipelines/${id}${path}`)).status).toBe(404);
  expect(await actionsOf(call, id)).toEqual(["a"]);
  await emulator.reset();
  expect((await call("GET", `${ws}/projects/web`)).status).toBe(404);
});

it("refuses with other statuses, and hides what the caller may not see", async () => {
  const { emulator, call } = await open({ deniedStatus: 404, unauthorizedStatus: 403, conflictStatus: 400 });
  const bob = await memberOf(emulator, call);
  expect((await bob("GET", `${ws}/permissions`)).body.errors).toEqual([{ message: "Not found." }]);
  expect((await callerOf(emulator, "nobody's")("GET", ws)).status).toBe(403);
  await make(call, "POST", `${ws}/projects`, { name: "one" });
  expect((await call("POST", `${ws}/projects`, { name: "one" })).status).toBe(400);
  emulator.setRemaining(0);
  expect((await call("GET", ws)).status).toBe(403);
});

it.each([404, 403] as const)("shows pipelines to their creators only, others get %i", async (status) => {
  const { emulator, call } = await open({ pipelineVisibility: "creator", hiddenPipelineStatus: status });
  const { id } = await createPipeline(call);
  const bob = await memberOf(emulator, call, "DEVELOPER");
  expect((await bob("GET", `${ws}/projects/web/pipelines/${id}`)).status).toBe(status);
  const own = await make(bob, "POST", `${ws}/projects/web/pipelines`, pipeline);
  const ids = async (caller: Caller) =>
    (await make(caller, "GET", `${ws}/projects/web/pipelines`)).pipelines.map((one) => one.id);
  expect([await ids(bob), await ids(call)]).toEqual([[own.id], [id, own.id]]);
});

it("stores addresses in lower case, and names trimmed and in a Unicode form", async () => {
  const { emulator, call } = await open({ emailCase: "lower", unicodeForm: "NFC", blanks: "trimmed" });
  emulator.settings.echoMemberEmail = true;
  expect((await make(call, "POST", `${ws}/members`, { email: "Ann@Example.com" })).email).toBe(
    "ann@example.com",
  );
  const [nfc, nfd] = ["Mü".normalize("NFC"), "Mü".normalize("NFD")];
  const group = await make(call, "POST", `${ws}/groups`, { name: ` ${nfd} `, description: nfd });
  expect(group).toMatchObject({ name: nfc, description: nfc });
  expect((await make(call, "POST", `${ws}/projects`, { name: nfd })).name).toBe(nfc);
  expect((await make(call, "GET", `${ws}/projects/${encodeURIComponent(nfd)}`)).name).toBe(nfc);
  const sent = { key: "A", value: ` ${nfd} `, project: { name: nfd } };
  expect((await make(call, "POST", `${ws}/variables`, sent)).value).toBe(` ${nfd} `);
  expect(await keysOf(call, `?projectName=${encodeURIComponent(nfd)}`)).toEqual(["A"]);
});

it("lets names exist once only, for the chosen types", async () => {
  const { call } = await open({
    uniqueNames: ["groups", "permission_sets", "pipelines", "actions", "variables"],
  });
  const { id } = await createPipeline(call);
  const action = { name: "a", type: "PING", trigger_time: "ON_FAILURE", destination: "h" };
  const levels = { repository_access_level: "READ_ONLY", pipeline_access_level: "READ_ONLY" };
  for (const [path, body, name] of [
    ["groups", { name: "a" }, "name"],
    ["permissions", { name: "a", description: "d", ...levels }, "name"],
    ["projects/web/pipelines", { ...pipeline, name: "a" }, "name"],
    [`projects/web/pipelines/${id}/actions`, action, "name"],
    ["variables", { key: "a", value: "v" }, "key"],
  ] as const) {
    await make(call, "POST", `${ws}/${path}`, body);
    const other = await make(call, "POST", `${ws}/${path}`, { ...body, [name]: "b" });
    expect((await call("POST", `${ws}/${path}`, body)).status).toBe(409);
    expect((await call("PATCH", `${ws}/${path}/${other.id}`, { ...body, [name]: "a" })).status).toBe(409);
    expect((await call("PATCH", `${ws}/${path}/${other.id}`, { ...body, [name]: "b" })).status).toBe(200);
  }
  await make(call, "POST", `${ws}/variables`, { key: "a", value: "v", project: { name: "web" } });
});

it("keeps what is used, and otherwise lets its users go", async () => {
  const { emulator, call } = await open({ keptWhileUsed: ["groups", "members"] });
  await createPipeline(call);
  const levels = { repository_access_level: "READ_ONLY", pipeline_access_level: "READ_ONLY" };
  const set = await make(call, "POST", `${ws}/permissions`, { name: "s", description: "d", ...levels });
  const { id } = await make(call, "POST", `${ws}/members`, { email: "ann@example.com" });
  await make(call, "POST", `${ws}/projects/web/members`, { id, permission_set: { id: set.id } });
  const group = await make(call, "POST", `${ws}/groups`, { name: "g" });
  await make(call, "POST", `${ws}/groups/${group.id}/members`, { id });
  for (const path of [`groups/${group.id}`, `members/${id}`])
    expect((await call("DELETE", `${ws}/${path}`)).status).toBe(409);
  expect((await call("DELETE", `${ws}/permissions/${set.id}`)).status).toBe(204);
  const member = await make(call, "GET", `${ws}/projects/web/members/${id}`);
  expect(member.permission_set.type).toBe("READ_ONLY");
  emulator.settings.keptWhileUsed = [];
  expect((await call("DELETE", `${ws}/groups/${group.id}`)).status).toBe(204);
});

it("puts a new action first, and keeps the position that was asked for", async () => {
  const { call } = await open({ newActionPosition: "first" });
  const { id } = await createPipeline(call);
  const first = await addAction(call, id, "a");
  await addAction(call, id, "b");
  await addAction(call, id, "c", { after_action_id: first.id });
  expect(await actionsOf(call, id)).toEqual(["b", "a", "c"]);
});

it("returns dates, new members, new projects and keys in other forms", async () => {
  const { emulator, call } = await open({
    unnamedMembers: "omitted",
    fractionalSeconds: true,
    projectCreators: "everyone",
    defaultBranch: "master",
    sshKeyValues: "masked",
  });
  // The description of the API has the name, so the usual call would refuse the response.
  const invitation = { method: "POST", path: `${ws}/members`, body: { email: "ann@example.com" } } as const;
  expect("name" in ((await emulator.edit(invitation)).body as object)).toBe(false);
  const project = await make(call, "POST", `${ws}/projects`, { name: "web" });
  expect(project).toMatchObject({ default_branch: "master" });
  expect(project.create_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
  const { members } = await make(call, "GET", `${ws}/projects/web/members`);
  expect(members.map(({ id }) => id)).toHaveLength(1);
  const key = await make(call, "POST", `${ws}/variables`, { key: "K", value: "PRIVATE", ssh_key: true });
  expect(key.value).toMatch(/^secure!/);
  expect((await make(call, "GET", `${ws}/variables/${key.id}`)).value).toBe(key.value);
  expect(emulator.settings.encryptedValues).toBe("stable");
});

const pipeline = { name: "p", ref_name: "main", trigger_mode: "MANUAL" };

async function createPipeline(call: Caller) {
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  return make(call, "POST", `${ws}/projects/web/pipelines`, pipeline);
}

async function memberOf(emulator: Emulator, call: Caller, set?: "DEVELOPER"): Promise<Caller> {
  const { id } = await make(call, "POST", `${ws}/members`, { email: "bob@example.com" });
  if (set !== undefined) {
    const sets = (await make(call, "GET", `${ws}/permissions`)).permission_sets;
    const permission_set = { id: sets.find(({ type }) => type === set)?.id };
    await make(call, "POST", `${ws}/projects/web/members`, { id, permission_set });
  }
  return as(emulator, "bob@example.com");
}

const addAction = (call: Caller, id: number, name: string, more: object = {}) =>
  make(call, "POST", `${ws}/projects/web/pipelines/${id}/actions`, {
    name,
    type: "PING",
    trigger_time: "ON_FAILURE",
    destination: "h",
    ...more,
  });

const actionsOf = async (call: Caller, id: number) =>
  (await make(call, "GET", `${ws}/projects/web/pipelines/${id}/actions`)).actions.map(({ name }) => name);
