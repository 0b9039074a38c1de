/** Tests the promises of docs/contributing/objects.md that span several types, against the emulator. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startEmulator } from "../../emulator/index.js";
import { Session } from "../../provider/connection/session.js";
import { DELETE_VARIABLE, getDefinition } from "../../provider/index.js";
import { changedBetween, Engine, providerIn, type State } from "./engine.js";
import { freshForEach } from "./fresh.js";

const fresh = freshForEach();

const actionArgs = (pipeline: State, name: string) => ({
  project: "web",
  pipeline: Number(pipeline.outs["pipelineId"]),
  name,
  type: "PING",
  triggerTime: "ON_EVERY_EXECUTION",
  destination: "host",
});

async function webWithPipeline(): Promise<{ project: State; pipeline: State }> {
  const project = await fresh.engine.create("Project", { name: "web" });
  const args = {
    project: "web",
    projectId: "acme/web",
    name: "deploy",
    triggerMode: "MANUAL",
    refName: "main",
  };
  return { project, pipeline: await fresh.engine.create("Pipeline", args) };
}

describe("one stack, one workspace", () => {
  it("refuses a connection to another workspace before the first read", async () => {
    const group = await fresh.engine.create("Group", { name: "QA" });
    const elsewhere = await startEmulator();
    const other = new Engine(elsewhere.baseUrl, elsewhere.token, elsewhere.workspace);
    try {
      await expect(other.refresh(group)).rejects.toThrow(
        /this stack manages objects of .*Choose the right connection/s,
      );
      await expect(other.diff(group, { name: "QA" })).rejects.toThrow(/this stack manages objects of/);
      await expect(other.delete(group)).rejects.toThrow(/this stack manages objects of/);
      expect(elsewhere.journal.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });
});

describe("two resources with the same name in a program", () => {
  it("create one object: the second is refused, even when both are created concurrently", async () => {
    const { baseUrl, token } = fresh.emulator;
    const session = new Session({ baseUrl, token, workspace: "acme", allowInsecure: false });
    const provider = providerIn(session, "Group");
    const results = await Promise.allSettled([
      provider.create({ name: "QA" }),
      provider.create({ name: "QA" }),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected"]);
    expect(await fresh.api.groups.list("acme").toArray()).toHaveLength(1);
  });
});

describe("a renamed project", () => {
  it("keeps its children, which follow the new name without a request and can be deleted in the same run", async () => {
    const { project, pipeline } = await webWithPipeline();
    const session = new Session({
      baseUrl: fresh.emulator.baseUrl,
      token: fresh.emulator.token,
      workspace: "acme",
      allowInsecure: false,
    });
    const provider = (type: string) => providerIn(session, type);

    await provider("Project").update(project.id, { ...project.outs }, { name: "shop" });
    fresh.emulator.journal.clear();
    const moved = { ...pipeline.inputs, project: "shop" };
    const diff = await provider("Pipeline").diff(pipeline.id, { ...pipeline.outs }, moved);
    expect(diff).toMatchObject({ changes: true, replaces: [] });
    await provider("Pipeline").update(pipeline.id, { ...pipeline.outs }, moved);
    expect(fresh.emulator.journal.writes()).toEqual([]);

    // The state of a resource that is deleted in this run still has the old project name.
    await provider("Pipeline").delete(pipeline.id, { ...pipeline.outs });
    expect(await fresh.api.pipelines.list("acme", "shop").toArray()).toEqual([]);
  });

  it("has its children replaced when it is a different project", async () => {
    const { pipeline } = await webWithPipeline();
    const other = { ...pipeline.inputs, project: "other", projectId: "acme/other" };
    expect((await fresh.engine.diff(pipeline, other)).replaces).toEqual(["project"]);
  });
});

describe("the origin of a project", () => {
  it("requires replaceProject before a change replaces the project", async () => {
    const args = { name: "lib", customRepoUrl: "ssh://git@a.example.com/lib", customRepoUser: "git" };
    const project = await fresh.engine.create("Project", args);
    const moved = { ...args, customRepoUrl: "ssh://git@b.example.com/lib" };
    await expect(fresh.engine.diff(project, moved)).rejects.toThrow(/replaceProject: allow/);
    expect((await fresh.engine.diff(project, { ...moved, replaceProject: "allow" })).replaces).toEqual([
      "customRepoUrl",
    ]);
  });

  it("does not replace the project when only the repository password changes", async () => {
    const args = {
      name: "lib",
      customRepoUrl: "https://a.example.com/lib",
      customRepoUser: "git",
      customRepoPass: "one",
    };
    const project = await fresh.engine.create("Project", args);
    fresh.emulator.journal.clear();
    const rotated = await fresh.engine.up(project, { ...args, customRepoPass: "two" });
    expect(rotated.id).toBe(project.id);
    expect(fresh.emulator.journal.writes()).toEqual([]);
  });
});

describe("the cron of a pipeline", () => {
  const cron = {
    project: "web",
    name: "nightly",
    triggerMode: "SCHEDULED",
    refName: "main",
    cron: "0 2 * * *",
  };

  it("can be changed only with cronUpdates", async () => {
    await fresh.engine.create("Project", { name: "web" });
    const pipeline = await fresh.engine.create("Pipeline", cron);
    const changed = { ...cron, cron: "0 3 * * *" };
    await expect(fresh.engine.diff(pipeline, changed)).rejects.toThrow(
      /cronUpdates: replace .*cronUpdates: patch/,
    );
    const replaced = await fresh.engine.diff(pipeline, { ...changed, cronUpdates: "replace" });
    expect(replaced).toEqual({
      ...{ changes: true, changed: ["cron"] },
      ...{ replaces: ["cron"], deleteBeforeReplace: true },
    });
    expect((await fresh.engine.diff(pipeline, { ...changed, cronUpdates: "patch" })).replaces).toEqual([]);
  });
});

describe("a pipeline with a cron whose schedule was removed outside Pulumi", () => {
  const args = {
    project: "web",
    name: "nightly",
    triggerMode: "SCHEDULED",
    refName: "main",
    cron: "0 2 * * *",
    paused: true,
  };

  async function taken(): Promise<State> {
    await fresh.engine.create("Project", { name: "web" });
    const pipeline = await fresh.engine.create("Pipeline", args);
    const id = Number(pipeline.outs["pipelineId"]);
    await fresh.api.pipelines.update("acme", "web", id, { trigger_mode: "MANUAL" });
    return (await fresh.engine.refresh(pipeline)) ?? pipeline;
  }

  it("is refused at preview, since no known request restores the cron", async () => {
    await expect(fresh.engine.diff(await taken(), args)).rejects.toThrow(
      /is MANUAL and has no schedule.*cronUpdates: replace .*cronUpdates: patch/,
    );
  });

  it("has no schedule any more, so its declaration may follow without a request", async () => {
    const seen = await taken();
    expect(Object.keys(seen.inputs)).not.toContain("cron");
    const { cron: _cron, paused: _paused, ...rest } = args;
    const followed = { ...rest, triggerMode: "MANUAL" };
    expect((await fresh.engine.diff(seen, followed)).changes).toBe(false);
  });

  it("gets its whole schedule back with cronUpdates: patch", async () => {
    const patched = { ...args, cronUpdates: "patch" };
    const seen = await taken();
    const sent = vi.spyOn(getDefinition("Pipeline"), "update");
    const state = await fresh.engine.up(seen, patched);
    expect(sent.mock.lastCall?.[1]).toEqual({ trigger_mode: "SCHEDULED", cron: args.cron, paused: true });
    sent.mockRestore();
    const settled = await fresh.engine.refresh(state);
    expect(settled && changedBetween(state, settled)).toEqual([]);
  });

  it("is replaced with cronUpdates: replace", async () => {
    const replaced = { ...args, cronUpdates: "replace" };
    expect((await fresh.engine.diff(await taken(), replaced)).replaces).toEqual(["cron"]);
  });

  it("with an interval gets the interval back, including fields that the service never returns", async () => {
    await fresh.engine.create("Project", { name: "web" });
    const { cron: _cron, ...rest } = args;
    const interval = { ...rest, startDate: "2030-01-01T00:00:00Z", delay: 60 };
    const pipeline = await fresh.engine.create("Pipeline", interval);
    const id = Number(pipeline.outs["pipelineId"]);
    await fresh.api.pipelines.update("acme", "web", id, { trigger_mode: "ON_EVERY_PUSH" });
    const seen = (await fresh.engine.refresh(pipeline)) ?? pipeline;
    const sent = vi.spyOn(getDefinition("Pipeline"), "update");
    await fresh.engine.up(seen, interval);
    expect(sent.mock.lastCall?.[1]).toEqual({
      trigger_mode: "SCHEDULED",
      start_date: "2030-01-01T00:00:00Z",
      delay: 60,
      paused: true,
    });
    sent.mockRestore();
  });
});

describe("the action order", () => {
  it("is restored with one request after a manual move", async () => {
    const { pipeline } = await webWithPipeline();
    const ids: number[] = [];
    for (const name of ["one", "two", "three"]) {
      ids.push(Number((await fresh.engine.create("Action", actionArgs(pipeline, name))).outs["actionId"]));
    }
    const args = { project: "web", pipeline: Number(pipeline.outs["pipelineId"]), actions: ids };
    fresh.emulator.journal.clear();
    const order = await fresh.engine.create("ActionOrder", args);
    expect(fresh.emulator.journal.writes()).toEqual([]);

    const [one, two, three] = ids as [number, number, number];
    await fresh.api.actions.update("acme", "web", args.pipeline, two, { after_action_id: three });
    const seen = await fresh.engine.refresh(order);
    expect(seen?.outs["actions"]).toEqual([one, three, two]);
    fresh.emulator.journal.clear();
    await fresh.engine.up(seen ?? order, args);
    expect(fresh.emulator.journal.writes()).toHaveLength(1);
    const live = await fresh.api.pipelines.get("acme", "web", args.pipeline);
    expect(live.actions?.map((action) => action.id)).toEqual(ids);
  });
});

describe("a service without endpoints for single actions", () => {
  beforeEach(() => {
    fresh.emulator.settings.singleActionPaths = false;
  });
  afterEach(() => vi.unstubAllEnvs());

  it("supports a refresh of an action, since the pipeline embeds its actions", async () => {
    const { pipeline } = await webWithPipeline();
    const action = await fresh.engine.create("Action", actionArgs(pipeline, "one"));
    const seen = await fresh.engine.refresh(action);
    expect(seen && changedBetween(action, seen)).toEqual([]);
  });

  it("refuses updates of an action", async () => {
    const { pipeline } = await webWithPipeline();
    const args = actionArgs(pipeline, "one");
    const action = await fresh.engine.create("Action", args);
    await expect(fresh.engine.up(action, { ...args, destination: "other" })).rejects.toThrow(/Invalid url/);
  });

  it("treats a failed action deletion as done only when no list contains the action", async () => {
    const { pipeline } = await webWithPipeline();
    const action = await fresh.engine.create("Action", actionArgs(pipeline, "one"));
    // The project is protected.
    vi.stubEnv(DELETE_VARIABLE, "web");
    await expect(fresh.engine.delete(action)).rejects.toThrow(/Invalid url/);
    await fresh.api.pipelines.delete("acme", "web", Number(pipeline.outs["pipelineId"]));
    await fresh.engine.delete(action);
    expect(await fresh.engine.refresh(action)).toBeUndefined();
  });
});
