/** Tests what a token that sees less may do with objects that it does not see. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asSecret } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { Session } from "../../../provider/connection/session.js";
import { findUnmanaged } from "../../../provider/discovery/unmanaged.js";
import { findTwins, getDefinition } from "../../../provider/index.js";
import { Engine, type State } from "../engine.js";

const [OLGA, CI] = ["olgas-token-0123456789", "ci-token-0123456789012"];
const run = { triggerMode: "ON_EVERY_PUSH", refType: "BRANCH", refName: "main" };
const stored = { trigger_mode: "ON_EVERY_PUSH", ref_type: "BRANCH", ref_name: "main", actions: [] };

let emulator: Emulator;
let administrator: Engine;
let member: Engine;
beforeEach(async () => {
  const pipelines = [
    { name: "deploy", hidden: true, ...stored },
    { name: "test", ...stored },
  ];
  emulator = await startEmulator({
    seed: {
      users: [
        { email: "olga@example.com", name: "Olga", tokens: [{ token: OLGA }] },
        { email: "ci@example.com", name: "CI", tokens: [{ token: CI }] },
      ],
      workspaces: [
        {
          domain: "acme",
          members: [{ email: "ci@example.com", admin: false }],
          projects: [
            {
              name: "web",
              display_name: "Web",
              members: [{ email: "ci@example.com", permission_set: "DEVELOPER" }],
              pipelines,
            },
          ],
        },
      ],
    },
  });
  administrator = new Engine(emulator.baseUrl, OLGA, "acme");
  member = new Engine(emulator.baseUrl, CI, "acme");
});
afterEach(() => emulator.close());

const adopted = (name: string): Promise<State> =>
  administrator.create("Pipeline", { project: "web", name, ...run, adopt: true });
const inPipeline = async (pipeline: State) =>
  administrator.create("Action", {
    project: "web",
    pipeline: pipeline.outs["pipelineId"],
    name: "Ping",
    type: "PING",
    triggerTime: "ON_EVERY_EXECUTION",
    destination: "a.example.com",
  });

describe("a token whose user is no administrator", () => {
  it("keeps a pipeline that it does not see, and what is in it", async () => {
    const deploy = await adopted("deploy");
    const action = await inPipeline(deploy);
    expect(await member.refresh(deploy)).toMatchObject({ id: deploy.id, outs: { name: "deploy" } });
    expect(await member.refresh(action)).toMatchObject({ id: action.id, outs: { name: "Ping" } });
  });

  it("neither changes nor deletes it", async () => {
    const deploy = await adopted("deploy");
    emulator.journal.clear();
    await expect(member.up(deploy, { ...deploy.inputs, refName: "next" })).rejects.toMatchObject({
      code: "perhaps-hidden",
    });
    await expect(member.delete(deploy)).rejects.toMatchObject({ code: "perhaps-hidden" });
    expect(emulator.journal.writes().map(({ method }) => method)).toEqual(["PATCH"]);
    expect(await administrator.refresh(deploy)).toBeDefined();
  });

  it("deletes nothing from a parent that it may not read", async () => {
    const action = await inPipeline(await adopted("test"));
    emulator.journal.clear();
    emulator.faults.add({ kind: "status", method: "GET", path: /web\/pipelines\/\d+$/, status: 403 });
    await expect(member.delete(action)).rejects.toMatchObject({ code: "denied" });
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("knows that something is deleted in what it sees", async () => {
    const test = await adopted("test");
    const action = await inPipeline(test);
    const path = `/workspaces/acme/projects/web/pipelines/${String(test.outs["pipelineId"])}/actions/${String(action.outs["actionId"])}`;
    expect(await emulator.edit({ method: "DELETE", path })).toMatchObject({ status: 204 });
    expect(await member.refresh(action)).toBeUndefined();
  });

  it("imports nothing that it does not see", async () => {
    const deploy = await adopted("deploy");
    const { pipelineId } = deploy.outs as { pipelineId: number };
    const plugin = new Engine(emulator.baseUrl, CI, "acme", "plugin");
    await expect(plugin.import("Pipeline", `acme/web/${pipelineId}`)).rejects.toThrow(/no administrator/);
  });
});

describe("an administrator's token", () => {
  it("takes two requests more, once per run, to know that pipelines are deleted", async () => {
    const all = [await adopted("deploy"), await adopted("test")];
    for (const one of all) await administrator.delete(one);
    emulator.journal.clear();
    await administrator.run(async () => {
      for (const one of all) expect(await administrator.refresh(one)).toBeUndefined();
    });
    const paths = emulator.journal.requests.map(({ path }) => path);
    expect(paths.filter((path) => /^.user$|[/]members[/]/.test(path))).toHaveLength(2);
  });
});

describe("a service that denies access to what does not exist", () => {
  it("leaves open whether an object was deleted, and the refusal says so", async () => {
    emulator.settings.missingStatus = 403;
    const deploy = await adopted("deploy");
    await administrator.delete(deploy);
    const refusal = administrator.refresh(deploy);
    await expect(refusal).rejects.toThrow(
      /403 .*list does not show the object either, so perhaps it was deleted/,
    );
    await expect(refusal).rejects.toMatchObject({ code: "denied", status: 403 });
  });

  it("says nothing of a deletion where the list shows the object", async () => {
    const test = await adopted("test");
    const path = new URL(
      `${emulator.baseUrl}/workspaces/acme/projects/web/pipelines/${String(test.outs["pipelineId"])}`,
    ).pathname;
    emulator.faults.add({ kind: "status", method: "GET", path, status: 403, message: "Access denied" });
    await expect(administrator.refresh(test)).rejects.toThrow(/^(?!.*perhaps it was deleted)/);
  });
});

describe("a variable in a project whose name a program marked as secret", () => {
  it("is neither unmanaged nor searched for twins", async () => {
    const connection = { baseUrl: emulator.baseUrl, token: OLGA, workspace: "acme", allowInsecure: false };
    const { id, outs } = await administrator.create("Variable", { key: "A", value: "a", project: "web" });
    const outputs = { ...outs, project: asSecret("web") };
    const web = {
      type: "Project",
      name: "projects/web",
      id: "acme/web",
      outputs: { name: "web", projectName: "web" },
    };
    const variable = { type: "Variable", name: "projects/web/variables/A", id, outputs };
    const includes = (type: string, holder: string) => type === "Variable" && holder === "Project";
    const session = new Session(connection, {});
    expect(await findUnmanaged(session, { managed: [web, variable], named: [], includes })).toMatchObject({
      found: [],
    });
    expect(await findUnmanaged(session, { managed: [web], named: [], includes })).toMatchObject({
      found: [{ key: "A" }],
    });
    await session.close();
    emulator.journal.clear();
    expect(await findTwins(connection, [{ definition: getDefinition("Variable"), state: outputs }])).toEqual(
      [],
    );
    expect(emulator.journal.requests).toEqual([]);
  });
});

describe("two objects of one name", () => {
  it("are found by one list of their parent", async () => {
    const connection = { baseUrl: emulator.baseUrl, token: OLGA, workspace: "acme", allowInsecure: false };
    const made = [
      await administrator.create("Group", { name: "QA" }),
      await administrator.create("Group", { name: "Ops" }),
    ];
    const objects = made.map(({ outs, inputs }) => ({
      definition: getDefinition("Group"),
      state: { ...inputs, ...outs },
    }));
    expect(await findTwins(connection, objects)).toEqual([]);
    const path = "/workspaces/acme/groups";
    await emulator.edit({ method: "POST", path, body: { name: "QA" } });
    emulator.journal.clear();
    const [qa, ...others] = await findTwins(connection, objects);
    expect(others).toEqual([]);
    expect(qa).toMatchObject({ called: 'group "QA"', id: String(made[0]?.outs["groupId"]) });
    expect(qa?.others).toHaveLength(1);
    expect(new Set(emulator.journal.requests.map((one) => one.path))).toEqual(new Set([path]));
  });

  it("are impossible for a project, whose name identifies it", async () => {
    const project = { definition: getDefinition("Project"), state: { name: "web", projectName: "web" } };
    const connection = { baseUrl: emulator.baseUrl, token: OLGA, workspace: "acme", allowInsecure: false };
    emulator.journal.clear();
    expect(await findTwins(connection, [project])).toEqual([]);
    expect(emulator.journal.requests).toEqual([]);
  });
});
