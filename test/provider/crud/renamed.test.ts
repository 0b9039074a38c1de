/** Tests a project that was renamed outside Pulumi, against the emulator. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DELETE_VARIABLE, FORMER_NAMES_VARIABLE, RENAMED_VARIABLE } from "../../../provider/index.js";
import { type State } from "../engine.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();

/** Holds the objects of a small project by type, and the variables by scope. */
let web: Record<"project" | "pipeline" | "action" | "member", State>;
let variables: Record<"project" | "pipeline" | "action", State>;

const inWeb = { project: "web", projectId: "acme/web" };

beforeEach(async () => {
  const { engine, api } = fresh;
  const project = await engine.create("Project", { name: "web" });
  const pipeline = await engine.create("Pipeline", {
    ...inWeb,
    name: "deploy",
    triggerMode: "MANUAL",
    refName: "main",
  });
  const pipelineId = Number(pipeline.outs["pipelineId"]);
  const action = await engine.create("Action", {
    project: "web",
    pipeline: pipelineId,
    name: "Ping",
    type: "PING",
    triggerTime: "ON_EVERY_EXECUTION",
    destination: "host",
  });
  const ann = await api.members.create("acme", { email: "ann@example.com" });
  const [set] = await api.permissionSets.list("acme").toArray();
  const member = await engine.create("ProjectMember", { ...inWeb, member: ann.id, permissionSet: set?.id });
  web = { project, pipeline, action, member };
  variables = {
    project: await engine.create("Variable", { key: "A", value: "1", ...inWeb }),
    pipeline: await engine.create("Variable", { key: "B", value: "2", pipeline: pipelineId }),
    action: await engine.create("Variable", {
      key: "C",
      value: "3",
      action: Number(action.outs["actionId"]),
    }),
  };
});

afterEach(() => {
  vi.unstubAllEnvs();
  delete process.env[RENAMED_VARIABLE];
});

const all = () => [...Object.values(web), ...Object.values(variables)];
const rename = () => fresh.api.projects.update("acme", "web", { name: "shop" });
const follow = () => (process.env[RENAMED_VARIABLE] = "web=shop");

describe("a project renamed outside Pulumi", () => {
  it("is recognized by its contents, which are not reported as deleted", async () => {
    await rename();
    fresh.emulator.journal.clear();
    const said =
      /project "web" was renamed to "shop" outside.*name: shop.*WORKSPACE_AUTOMATION_RENAMED=web=shop/s;
    await fresh.engine.run(async () => {
      await expect(fresh.engine.refresh(web.pipeline)).rejects.toThrow(said);
      await expect(fresh.engine.refresh(variables.project)).rejects.toThrow(said);
    });
    expect(fresh.emulator.journal.writes()).toEqual([]);
  });

  it("is recognized by an action alone, if a failed run has updated the pipeline already", async () => {
    await rename();
    await expect(fresh.engine.refresh(web.action)).rejects.toThrow(
      'project "web" was renamed to "shop" outside of Pulumi: its pipeline',
    );
  });

  it("is followed once its new name is given: only the name differs, and an update restores it", async () => {
    await rename();
    follow();
    const { engine } = fresh;
    for (const state of all().slice(1)) expect((await engine.refresh(state))?.inputs).toEqual(state.inputs);
    const seen = (await engine.refresh(web.project))!;
    expect(seen.inputs).toEqual({ ...web.project.inputs, name: "shop" });
    fresh.emulator.journal.clear();
    await engine.run(async () => {
      await engine.up(seen, web.project.inputs);
      await engine.up(web.pipeline, web.pipeline.inputs);
    });
    expect(fresh.emulator.journal.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PATCH /workspaces/acme/projects/shop",
    ]);
    delete process.env[RENAMED_VARIABLE];
    for (const state of all()) expect((await engine.refresh(state))?.outs).toEqual(state.outs);
  });

  it("keeps its new name if the program declares it, without a request for its contents", async () => {
    await rename();
    follow();
    const { engine } = fresh;
    const seen = (await engine.refresh(web.project))!;
    fresh.emulator.journal.clear();
    const inShop = { project: "shop", projectId: "acme/web" };
    const moved = await engine.run(async () => {
      await engine.up(seen, { name: "shop" });
      return engine.up(web.pipeline, { ...web.pipeline.inputs, ...inShop });
    });
    expect(fresh.emulator.journal.writes()).toEqual([]);
    delete process.env[RENAMED_VARIABLE];
    expect((await engine.refresh(moved))?.inputs).toEqual(moved.inputs);
  });

  it("keeps its managed contents when it is unmanaged itself, and requires the new name in the program", async () => {
    const { projectId: _none, ...unmanaged } = web.pipeline.outs;
    const pipeline: State = { ...web.pipeline, outs: unmanaged };
    await rename();
    follow();
    const { engine } = fresh;
    const seen = (await engine.refresh(pipeline))!;
    const { projectId: _too, ...declared } = pipeline.inputs;
    await expect(engine.diff(seen, declared)).rejects.toThrow(
      /"web" was renamed to "shop".*write "shop" in the program/s,
    );
    expect(await engine.diff(seen, { ...declared, project: "shop" })).toMatchObject({
      changes: false,
      replaces: [],
    });
  });
});

describe("a project that may have been renamed", () => {
  it("is looked for among all that the token may read", async () => {
    const { emulator, engine } = fresh;
    const path = "/workspaces/acme/projects/shop/pipelines";
    await rename();
    emulator.faults.add({ kind: "status", method: "GET", path, status: 403 });
    expect(await engine.refresh(web.pipeline)).toBeUndefined();
    emulator.faults.add({ kind: "status", method: "GET", path, status: 400 });
    await expect(engine.refresh(web.pipeline)).rejects.toThrow("400");
    await expect(engine.refresh(web.pipeline)).rejects.toThrow('project "web" was renamed to "shop" outside');
  });

  it("is not looked for while it contains what the state has in it", async () => {
    const { api, emulator, engine } = fresh;
    await api.projects.create("acme", { name: "api" });
    const other = await engine.create("Pipeline", { ...web.pipeline.inputs, name: "test" });
    await api.actions.delete(
      "acme",
      "web",
      Number(web.pipeline.outs["pipelineId"]),
      Number(web.action.outs["actionId"]),
    );
    await api.variables.delete("acme", Number(variables.project.outs["variableId"]));
    emulator.journal.clear();
    await engine.run(async () => {
      expect(await engine.refresh(other)).toBeDefined();
      expect(await engine.refresh(web.action)).toBeUndefined();
      expect(await engine.refresh(variables.project)).toBeUndefined();
    });
    await api.pipelines.delete("acme", "web", Number(web.pipeline.outs["pipelineId"]));
    await engine.run(async () => {
      expect(await engine.refresh(other)).toBeDefined();
      expect(await engine.refresh(web.pipeline)).toBeUndefined();
    });
    expect(emulator.journal.requests.filter(({ path }) => path.includes("/api"))).toEqual([]);
  });
});

describe("two projects that exchanged their names outside Pulumi", () => {
  const said = (one: string, other: string) =>
    new RegExp(
      `project "${one}" .* was renamed to "${other}" outside .*another project has the name "${one}" now`,
    );
  const give = (name: string, to: string) => fresh.api.projects.update("acme", name, { name: to });
  let shop: Record<"project" | "pipeline" | "variable", State>;

  beforeEach(async () => {
    const { engine } = fresh;
    const project = await engine.create("Project", { name: "shop" });
    const inShop = { project: "shop", projectId: "acme/shop" };
    const pipeline = await engine.create("Pipeline", { ...web.pipeline.inputs, ...inShop });
    const variable = await engine.create("Variable", { key: "A", value: "1", ...inShop });
    shop = { project, pipeline, variable };
    await give("web", "other");
    await give("shop", "web");
    await give("other", "shop");
    fresh.emulator.journal.clear();
  });

  it("are not taken for each other: no pipeline, action or variable is deleted or created again", async () => {
    const { engine, emulator } = fresh;
    await engine.run(async () => {
      for (const state of [web.pipeline, web.action, variables.project])
        await expect(engine.refresh(state)).rejects.toThrow(said("web", "shop"));
      for (const state of [shop.pipeline, shop.variable])
        await expect(engine.refresh(state)).rejects.toThrow(said("shop", "web"));
    });
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("are recognized by a run without a refresh, as soon as it writes", async () => {
    const { engine, emulator } = fresh;
    vi.stubEnv(DELETE_VARIABLE, "*");
    await expect(engine.up(web.pipeline, { ...web.pipeline.inputs, name: "build" })).rejects.toThrow(
      said("web", "shop"),
    );
    await expect(engine.delete(web.pipeline)).rejects.toThrow(said("web", "shop"));
    const { api } = fresh;
    expect(await api.pipelines.list("acme", "shop").toArray()).toHaveLength(1);
    expect(emulator.journal.writes().filter(({ status }) => status < 400)).toEqual([]);
  });

  it("are recognized if there are three of them, and if the state has only one", async () => {
    const { engine } = fresh;
    await fresh.api.projects.create("acme", { name: "api" });
    await give("api", "other");
    await give("shop", "api");
    await give("other", "shop");
    await expect(engine.refresh(web.pipeline)).rejects.toThrow(said("web", "api"));
  });

  it("are compared as usual once each has its name again", async () => {
    const { engine } = fresh;
    await give("web", "other");
    await give("shop", "web");
    await give("other", "shop");
    await engine.run(async () => {
      for (const state of [...all(), ...Object.values(shop)])
        expect((await engine.refresh(state))?.outs).toEqual(state.outs);
    });
  });
});

describe("an object that was really deleted", () => {
  it("is reported as deleted: a pipeline of an existing project, and a deleted project with its contents", async () => {
    const { engine, api } = fresh;
    await api.projects.create("acme", { name: "other" });
    await api.pipelines.delete("acme", "web", Number(web.pipeline.outs["pipelineId"]));
    expect(await engine.refresh(web.pipeline)).toBeUndefined();
    await api.projects.delete("acme", "web");
    fresh.emulator.journal.clear();
    await engine.run(async () => {
      for (const state of all()) expect(await engine.refresh(state)).toBeUndefined();
    });
    // The other projects are searched once, whatever the number of deleted objects.
    const looked = fresh.emulator.journal.requests.filter(({ path }) => path.includes("/other/"));
    expect(looked.map(({ path }) => path)).toEqual(["/workspaces/acme/projects/other/pipelines"]);
  });
});

describe("a variable", () => {
  it("that is in another project now is neither reported as deleted nor deleted there", async () => {
    const { engine, api } = fresh;
    await rename();
    // A new project takes the old name.
    await api.projects.create("acme", { name: "web" });
    await expect(engine.refresh(variables.project)).rejects.toThrow(/another project has the name "web" now/);
    fresh.emulator.journal.clear();
    vi.stubEnv(DELETE_VARIABLE, "*");
    await engine.delete(variables.project);
    expect(fresh.emulator.journal.writes()).toEqual([]);
    const left = await api.variables.list("acme", { projectName: "shop" }).toArray();
    expect(left.map(({ key }) => key)).toEqual(["A"]);
  });

  it("whose scope may not be read is reported as unreadable, not as deleted", async () => {
    const { engine, emulator } = fresh;
    emulator.faults.add({ kind: "status", method: "GET", path: "/workspaces/acme/variables", status: 403 });
    await expect(engine.refresh(variables.project)).rejects.toThrow(/403/);
  });
});

describe("a project that a run renamed before it failed", () => {
  const later = (state: State): State["inputs"] => ({ ...state.inputs, project: "shop" });

  it("is followed by what has its former name in the state, as if it had been renamed there too", async () => {
    const { engine } = fresh;
    const project = await engine.up(web.project, { name: "shop" });
    vi.stubEnv(FORMER_NAMES_VARIABLE, "web=shop");
    for (const state of [web.pipeline, web.action, web.member, variables.project]) {
      const seen = (await engine.refresh(state))!;
      expect(seen.inputs).toEqual(later(state));
      expect(await engine.diff(seen, later(state))).toMatchObject({ changes: false });
    }
    expect((await engine.refresh(project))?.inputs).toEqual(project.inputs);
    await engine.up(web.action, { ...later(web.action), name: "Pong" });
    vi.stubEnv(DELETE_VARIABLE, "*");
    await engine.delete(web.member);
    expect(await fresh.api.projectMembers.list("acme", "shop").toArray()).not.toContainEqual(
      expect.objectContaining({ id: web.member.outs["memberId"] }),
    );
    expect(
      await fresh.api.actions.list("acme", "shop", Number(web.pipeline.outs["pipelineId"])).toArray(),
    ).toEqual([expect.objectContaining({ name: "Pong" })]);
  });

  it("is renamed once if the response is lost", async () => {
    const { engine, emulator } = fresh;
    emulator.faults.add({ kind: "reset-after", method: "PATCH", path: /projects\/web$/ });
    const project = await engine.up(web.project, { name: "shop" });
    expect(project.outs).toMatchObject({ name: "shop", projectName: "shop" });
    expect((await engine.refresh(project))?.outs).toEqual(project.outs);
  });
});
