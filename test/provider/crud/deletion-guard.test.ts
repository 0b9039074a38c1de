/** Tests that plain Pulumi does not delete the contents of a project that is absent from the program. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Session } from "../../../provider/connection/session.js";
import { DELETE_VARIABLE } from "../../../provider/index.js";
import { providerIn, type State } from "../engine.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();
let group: State;
let project: State;
let variable: State;

beforeEach(async () => {
  group = await fresh.engine.create("Group", { name: "QA" });
  project = await fresh.engine.create("Project", { name: "web" });
  variable = await fresh.engine.create("Variable", { project: "web", key: "NODE_ENV", value: "production" });
});
afterEach(() => vi.unstubAllEnvs());

/** The shortest action. */
const ping = { name: "Ping", type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "example.com" };

const variables = async () =>
  (await fresh.api.variables.list("acme", { projectName: "web" }).toArray()).length;

/** Runs a program with these resources that deletes the variable at its end. */
const deleteAfter = (...declared: [State, object?][]) =>
  fresh.engine.run(async () => {
    for (const [state, args] of declared) await fresh.engine.diff(state, { ...state.inputs, ...args });
    await fresh.engine.delete(variable);
  });

it("a run without any resource of a project deletes nothing in it, unless the project is named", async () => {
  await expect(deleteAfter([group])).rejects.toThrow(
    `variable "NODE_ENV" in project "web" is not deleted: the program declares nothing in that project any more`,
  );
  expect(await variables()).toBe(1);
  vi.stubEnv(DELETE_VARIABLE, "api, web");
  await deleteAfter([group]);
  expect(await variables()).toBe(0);
});

it("a refresh before the plan declares nothing", async () => {
  const refreshing = fresh.engine.run(async () => {
    for (const state of [project, variable, group]) await fresh.engine.refresh(state);
    await fresh.engine.diff(group, group.inputs);
    await fresh.engine.delete(variable);
  });
  await expect(refreshing).rejects.toThrow(`in project "web" is not deleted`);
  expect(await variables()).toBe(1);
});

it("a run deletes a removed resource of a project that is still in the program, even if the project is renamed", async () => {
  await deleteAfter([group], [project, { name: "shop" }]);
  expect(await variables()).toBe(0);
});

describe("a run without any resources", () => {
  /** Destroys with the state as text, which the provider may be unable to read. */
  const destroy = (one: State, readState: () => Promise<string | undefined>) => {
    const { baseUrl, token } = fresh.emulator;
    const session = new Session({ baseUrl, token, workspace: "acme", allowInsecure: false }, { readState });
    return providerIn(session, one.type).delete(one.id, { ...one.outs });
  };
  const stateWith = (...all: State[]) => {
    const type = "pulumi-nodejs:dynamic/workspace-automation:Project";
    const resources = all.map(({ outs }) => ({ type, outputs: outs }));
    return () => Promise.resolve(JSON.stringify({ checkpoint: { latest: { resources } } }));
  };
  const unreadable = () => Promise.resolve(undefined);
  const managed = () =>
    fresh.engine.create("Variable", { project: "web", projectId: "acme/web", key: "A", value: "1" });

  it("deletes nothing in a project that is protected in the state, unless the project is named", async () => {
    await expect(destroy(variable, stateWith(project))).rejects.toThrow(
      /project "web" is protected, so it is not deleted, and neither is the variable "NODE_ENV" in it.*deletionProtection: false/s,
    );
    expect(await variables()).toBe(1);
    vi.stubEnv(DELETE_VARIABLE, "web");
    await destroy(variable, stateWith(project));
    expect(await variables()).toBe(0);
  });

  it("finds the protected project of an action, and of a variable that names only the action", async () => {
    const place = {
      project: "web",
      name: "Deploy",
      triggerMode: "MANUAL",
      refType: "BRANCH",
      refName: "main",
    };
    const { pipelineId } = (await fresh.engine.create("Pipeline", place)).outs;
    const action = await fresh.engine.create("Action", { project: "web", pipeline: pipelineId, ...ping });
    const { actionId } = action.outs;
    const inAction = await fresh.engine.create("Variable", { action: actionId, key: "TIER", value: "gold" });
    for (const one of [action, inAction])
      await expect(destroy(one, stateWith(project))).rejects.toThrow('project "web" is protected');
    // Also where the state cannot be read: there, the run names the project.
    for (const named of ["", "api", String(actionId)]) {
      vi.stubEnv(DELETE_VARIABLE, named);
      for (const one of [action, inAction])
        await expect(destroy(one, unreadable)).rejects.toThrow("is unknown");
    }
    vi.stubEnv(DELETE_VARIABLE, "api, web");
    for (const one of [inAction, action]) await destroy(one, unreadable);
    expect(await fresh.api.actions.list("acme", "web", Number(pipelineId)).toArray()).toEqual([]);
  });

  it("deletes in a project that is not protected, or that the state does not manage", async () => {
    const lifted = await fresh.engine.up(project, { name: "web", deletionProtection: false });
    await destroy(variable, stateWith(lifted));
    await destroy(await managed(), stateWith());
    expect(await variables()).toBe(0);
  });

  it("deletes nothing while a protection is unknown, which a refresh changes", async () => {
    const inManaged = await managed();
    await expect(destroy(inManaged, unreadable)).rejects.toThrow(/is unknown, because.*Add --refresh/s);
    await destroy(group, unreadable);
    // No project of the stack.
    await destroy(variable, unreadable);
    const refreshed = (one: State) =>
      fresh.engine.run(async () => {
        for (const state of [one, inManaged]) await fresh.engine.refresh(state);
        await fresh.engine.delete(inManaged);
      });
    await expect(refreshed(project)).rejects.toThrow('project "web" is protected');
    await refreshed(await fresh.engine.up(project, { name: "web", deletionProtection: false }));
    expect(await variables()).toBe(0);
  });
});

it("the project of a variable that names its pipeline or its action by number is found", async () => {
  const place = { project: "web", name: "Deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" };
  const pipeline = await fresh.engine.create("Pipeline", place);
  const { pipelineId } = pipeline.outs;
  const action = await fresh.engine.create("Action", { project: "web", pipeline: pipelineId, ...ping });
  const { actionId } = action.outs;
  for (const scope of [{ pipeline: pipelineId }, { action: actionId }]) {
    variable = await fresh.engine.create("Variable", { ...scope, key: "TIER", value: "gold" });
    await expect(deleteAfter([group])).rejects.toThrow(
      `in project "web" is not deleted: the program declares nothing in that project any more`,
    );
    await deleteAfter([group], [project]);
  }
});

it("a variable of the workspace belongs to no project", async () => {
  variable = await fresh.engine.create("Variable", { key: "REGION", value: "eu" });
  await deleteAfter([group]);
});

it("a run may delete in all projects", async () => {
  vi.stubEnv(DELETE_VARIABLE, "api,*");
  await deleteAfter([group]);
  expect(await variables()).toBe(0);
});

it("a variable of a pipeline that the token may not read is not looked for in its project", async () => {
  const place = { project: "web", name: "Deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" };
  const pipeline = await fresh.engine.create("Pipeline", place);
  variable = await fresh.engine.create("Variable", {
    pipeline: pipeline.outs["pipelineId"],
    key: "TIER",
    value: "gold",
  });
  const path = "/workspaces/acme/projects/web/pipelines";
  const refuse = (status: number) =>
    fresh.emulator.faults.add({ kind: "status", method: "GET", path, status });
  refuse(400);
  await expect(deleteAfter([group])).rejects.toThrow("400");
  fresh.emulator.faults.clear();
  refuse(403);
  await deleteAfter([group]);
});

it("the project of a variable that names its pipeline by number is found among several", async () => {
  await fresh.engine.create("Project", { name: "api" });
  await fresh.engine.create("Project", { name: "zoo" });
  const place = { project: "web", name: "Deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" };
  const { pipelineId } = (await fresh.engine.create("Pipeline", place)).outs;
  variable = await fresh.engine.create("Variable", { pipeline: pipelineId, key: "TIER", value: "gold" });
  await expect(deleteAfter([group])).rejects.toThrow('in project "web" is not deleted');
  vi.stubEnv(DELETE_VARIABLE, "web");
  await deleteAfter([group]);
});

it("a project is not deleted, whatever the host, until the state says that it may be, or the run names it", async () => {
  const projects = async () => (await fresh.api.projects.list("acme").toArray()).map(({ name }) => name);
  await expect(fresh.engine.deleteAsIs(project)).rejects.toThrow(
    'project "web" is protected, so it is not deleted',
  );
  const kept = await fresh.engine.up(project, { name: "web", deletionProtection: true });
  await expect(fresh.engine.deleteAsIs(kept)).rejects.toThrow("is protected");
  expect(await projects()).toEqual(["web"]);
  const lifted = await fresh.engine.up(project, { name: "web", deletionProtection: false });
  expect(lifted.outs).toMatchObject({ deletionProtection: false });
  await fresh.engine.deleteAsIs(lifted);
  expect(await projects()).toEqual([]);
  const other = await fresh.engine.create("Project", { name: "api" });
  vi.stubEnv(DELETE_VARIABLE, "web");
  await expect(fresh.engine.deleteAsIs(other)).rejects.toThrow("is protected");
  vi.stubEnv(DELETE_VARIABLE, "web, api");
  await fresh.engine.deleteAsIs(other);
  expect(await projects()).toEqual([]);
});

it("a state of an earlier release, without the argument, shows no difference, and no request is sent for a change of it", async () => {
  expect(await fresh.engine.diff(project, { name: "web" })).toMatchObject({ changes: false });
  expect(await fresh.engine.diff(project, { name: "web", deletionProtection: true })).toMatchObject({
    changes: false,
  });
  expect(await fresh.engine.diff(project, { name: "web", deletionProtection: false })).toMatchObject({
    changes: true,
    replaces: [],
  });
});
