/**
 * Tests read-only mode, which shows secrets as fingerprints, continues past unreadable objects and never
 * writes.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprint } from "../../../diff/fingerprint.js";
import { type Emulator, type Scope, startEmulator } from "../../../emulator/index.js";
import { readOnlyModeFrom } from "../../../provider/connection/read-only-mode.js";
import { Session } from "../../../provider/connection/session.js";
import {
  type ManagedObject,
  openReadOnlySession,
  READ_ONLY_VARIABLE,
  type ReadOnlySession,
  type Search,
  type SeenFingerprints,
  unpackFingerprints,
} from "../../../provider/index.js";
import { providerIn } from "../engine.js";

let emulator: Emulator;
const looks: ReadOnlySession[] = [];

beforeEach(async () => {
  emulator = await startEmulator({ echoMemberEmail: true });
});
afterEach(async () => {
  Reflect.deleteProperty(process.env, READ_ONLY_VARIABLE);
  await Promise.all(looks.splice(0).map((one) => one.close()));
  await emulator.close();
});

const connection = (token = emulator.token) => ({
  baseUrl: emulator.baseUrl,
  token,
  workspace: emulator.workspace,
  allowInsecure: false,
});

function provider(type: string, token?: string) {
  const session = new Session(connection(token));
  return providerIn(session, type);
}

/** Creates a provider in read-only mode. */
function looking(type: string, token?: string) {
  process.env[READ_ONLY_VARIABLE] = "00ff";
  return provider(type, token);
}

/** Opens a read-only session that is closed after the test. */
function look(token?: string): ReadOnlySession {
  const opened = openReadOnlySession(connection(token));
  looks.push(opened);
  return opened;
}

const tokenWith = (...scopes: Scope[]) => emulator.createToken({ scopes });

async function post(path: string, body: object): Promise<number> {
  const answer = await emulator.edit({ method: "POST", path: `/workspaces/acme${path}`, body });
  return (answer.body as { id: number }).id;
}

describe("a fingerprint", () => {
  it("depends on key and value, but not on the order of properties, and does not reveal the value", () => {
    expect(fingerprint("00ff", { a: 1, b: "x" })).toBe(fingerprint("00ff", { b: "x", a: 1 }));
    expect(fingerprint("00ff", "a")).not.toBe(fingerprint("00ff", "b"));
    expect(fingerprint("00ff", "a")).not.toBe(fingerprint("00fe", "a"));
    expect(fingerprint("00ff", "hunter2")).toMatch(/^hmac:[0-9a-f]{12}$/);
  });

  it("is the same for a number and its text", () => {
    expect(fingerprint("00ff", 22)).toBe(fingerprint("00ff", "22"));
  });

  it("is enabled only when a key is given", () => {
    expect(readOnlyModeFrom({})).toBeUndefined();
    expect(readOnlyModeFrom({ [READ_ONLY_VARIABLE]: "" })).toBeUndefined();
  });
});

describe("a provider in read-only mode", () => {
  it("reports fingerprints of secrets in the state and in the remote object", async () => {
    const { id, outs } = await provider("Variable").create({ key: "HOOK", value: "https://u:one@host/" });
    await emulator.edit({
      method: "PATCH",
      path: `/workspaces/acme/variables/${id.split("/")[1]}`,
      body: { key: "HOOK", value: "https://u:two@host/" },
    });
    const { props } = await looking("Variable").read(id, outs);
    const { applied, live } = unpackFingerprints<SeenFingerprints>(props["fingerprints"]) as SeenFingerprints;
    expect(applied["value"]).toBe(fingerprint("00ff", "https://u:one@host/"));
    expect(live["value"]).toBe(fingerprint("00ff", "https://u:two@host/"));
    expect(applied["key"]).toBe(live["key"]);
  });

  it("reports fingerprints of inputs, and omits unknown values", async () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const { inputs } = await looking("Variable").check({}, { key: "HOOK", value: "v", project: unknown });
    const declared = unpackFingerprints<SeenFingerprints["live"]>(inputs["fingerprints"]) ?? {};
    expect(Object.keys(declared).sort()).toEqual(["key", "value"]);
  });

  it("continues with the state when an object may not be read, and reports the reason", async () => {
    const { id, outs } = await provider("Variable").create({ key: "REGION", value: "us" });
    const token = await tokenWith("WORKSPACE");
    await expect(provider("Variable", token).read(id, outs)).rejects.toThrow("VARIABLE_INFO");
    const { props, inputs } = await looking("Variable", token).read(id, outs);
    expect(props["unreadable"]).toContain("VARIABLE_INFO");
    expect(inputs).toMatchObject({ key: "REGION", value: "us" });
  });

  it("fails when nothing can be read at all", async () => {
    const { id, outs } = await provider("Group").create({ name: "QA" });
    await expect(looking("Group", "not-a-token").read(id, outs)).rejects.toThrow("401");
    await emulator.setApiEnabled("acme", false);
    await expect(looking("Group").read(id, outs)).rejects.toThrow("API is disabled");
  });

  it("reports a change instead of refusing it", async () => {
    const args = { key: "A", value: "x", valueManaged: false };
    const { id, outs } = await provider("Variable").create(args);
    await expect(provider("Variable").diff(id, outs, { ...args, settable: true })).rejects.toThrow(
      "valueManaged",
    );
    expect(await looking("Variable").diff(id, outs, { ...args, settable: true })).toMatchObject({
      changes: true,
    });
  });

  it("refuses every write", async () => {
    const { id, outs } = await provider("Group").create({ name: "QA" });
    const group = looking("Group");
    emulator.journal.clear();
    await expect(group.create({ name: "Ops" })).rejects.toThrow("this run is read-only");
    await expect(group.update(id, outs, { name: "Ops" })).rejects.toThrow("this run is read-only");
    await expect(group.delete(id, outs)).rejects.toThrow("this run is read-only");
    expect(emulator.journal.writes()).toEqual([]);
  });
});

describe("the search for unmanaged objects", () => {
  const nothing: Search = { managed: [], named: [], includes: (_type, parent) => parent === "workspace" };
  const find = async (search: Partial<Search>) => {
    emulator.journal.clear();
    const searched = await look().findUnmanaged({ ...nothing, ...search });
    expect(emulator.journal.writes()).toEqual([]);
    return searched;
  };
  const names = async (search: Partial<Search>) =>
    (await find(search)).found.map(({ type, parent, key }) => `${type} ${parent ?? "-"} ${key}`);

  it("lists objects, except those that the service created: the owner and the built-in permission sets", async () => {
    await post("/groups", { name: "Hackers" });
    await post("/variables", { key: "TOKEN", value: "in-clear", encrypted: true });
    const { found } = await find({});
    expect(found.map(({ type, key }) => `${type} ${key}`)).toEqual(["Group Hackers", "Variable TOKEN"]);
    expect(JSON.stringify(found)).not.toContain("in-clear");
  });

  it("omits objects in the state and those that the file declares as external or as imports", async () => {
    const id = await post("/groups", { name: "Mine" });
    await post("/groups", { name: "Theirs" });
    await post("/groups", { name: "Nobody's" });
    const managed: ManagedObject = {
      type: "Group",
      name: "groups/Mine",
      id: `acme/${id}`,
      outputs: { groupId: id, name: "Mine" },
    };
    expect(await names({ managed: [managed], named: [{ type: "Group", key: "Theirs" }] })).toEqual([
      "Group - Nobody's",
    ]);
  });

  it("finds a second object with the name of a renamed object in the state", async () => {
    const id = await post("/variables", { key: "REGION", value: "us" });
    const managed: ManagedObject = {
      type: "Variable",
      name: "variables/REGION",
      id: `acme/${id}`,
      // Its remote object is renamed below, and another object gets its name.
      outputs: { variableId: id, key: "REGION" },
    };
    await emulator.edit({
      method: "PATCH",
      path: `/workspaces/acme/variables/${id}`,
      body: { key: "OLD_REGION", value: "us" },
    });
    await post("/variables", { key: "REGION", value: "eu" });
    expect(await names({ managed: [managed] })).toEqual(["Variable - REGION"]);
  });

  it("finds objects in parents of the state, with email addresses for members, but not in exclusive groups", async () => {
    await emulator.edit({
      method: "POST",
      path: "/workspaces/acme/members",
      body: { email: "eve@example.com" },
    });
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/members" });
    const eve = (body as { members: { id: number; email: string }[] }).members.find(
      ({ email }) => email === "eve@example.com",
    );
    const group = await post("/groups", { name: "QA" });
    await post(`/groups/${group}/members`, { id: eve?.id });
    await emulator.edit({ method: "POST", path: "/workspaces/acme/projects", body: { name: "web" } });
    const pipeline = await post("/projects/web/pipelines", {
      name: "d",
      trigger_mode: "MANUAL",
      ref_name: "main",
      ref_type: "BRANCH",
    });
    await post(`/projects/web/pipelines/${pipeline}/actions`, {
      name: "Spy",
      type: "PING",
      trigger_time: "ON_EVERY_EXECUTION",
      destination: "x.example",
    });
    const managed: ManagedObject[] = [
      { type: "Group", name: "groups/QA", id: `acme/${group}`, outputs: { groupId: group, name: "QA" } },
      { type: "Project", name: "projects/web", id: "acme/web", outputs: { projectName: "web", name: "web" } },
      {
        type: "Pipeline",
        name: "projects/web/pipelines/d",
        id: `acme/web/${pipeline}`,
        outputs: { pipelineId: pipeline, project: "web", name: "d" },
      },
    ];
    expect(await names({ managed, includes: (_type, parent) => parent !== "workspace" })).toEqual([
      "GroupMember groups/QA eve@example.com",
      "Action projects/web/pipelines/d Spy",
    ]);
    const exclusive = managed.map((one) => ({ ...one, outputs: { ...one.outputs, exclusive: true } }));
    expect(await names({ managed: exclusive, includes: (type) => type === "GroupMember" })).toEqual([]);
  });

  it("reads each list once and reports lists that it could not read", async () => {
    const token = await tokenWith("WORKSPACE", "USER_INFO");
    emulator.journal.clear();
    const { unlisted } = await look(token).findUnmanaged(nothing);
    expect(unlisted.map(({ type }) => type)).toEqual(["Variable"]);
    const lists = emulator.journal.requests
      // Proves the end of the longest list.
      .filter(({ query }) => !query.endsWith("per_page=1"))
      .map(({ path }) => path)
      .filter((path) => !/members\/\d+$/.test(path));
    expect(new Set(lists).size).toBe(lists.length);
  });
});

describe("a permission check", () => {
  it("reports the types that the token may not read, by one object of each", async () => {
    const variable = await provider("Variable").create({ key: "A", value: "x" });
    const group = await provider("Group").create({ name: "QA" });
    const managed = [
      { type: "Variable", name: "variables/A", id: variable.id, outputs: variable.outs },
      { type: "Group", name: "groups/QA", id: group.id, outputs: group.outs },
    ];
    const denied = await look(await tokenWith("WORKSPACE")).checkReadPermissions(managed);
    expect(denied).toMatchObject([
      { type: "Variable", reason: expect.stringContaining("VARIABLE_INFO") as string },
    ]);
    expect(await look().checkReadPermissions(managed)).toEqual([]);
  });
});
