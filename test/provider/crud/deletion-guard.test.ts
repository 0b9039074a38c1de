/** Tests that plain Pulumi does not delete the contents of a project that is absent from the program. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DELETE_VARIABLE } from "../../../provider/index.js";
import type { State } from "../engine.js";
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
    `variable in project "web" is not deleted: the program declares nothing in that project any more`,
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
  await expect(refreshing).rejects.toThrow(`variable in project "web" is not deleted`);
  expect(await variables()).toBe(1);
});

it("a run deletes a removed resource of a project that is still in the program, even if the project is renamed", async () => {
  await deleteAfter([group], [project, { name: "shop" }]);
  expect(await variables()).toBe(0);
});

it("a run without any resources is a destroy", async () => {
  await deleteAfter();
  expect(await variables()).toBe(0);
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
      `variable in project "web" is not deleted: the program declares nothing in that project any more`,
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
  await expect(deleteAfter([group])).rejects.toThrow('variable in project "web" is not deleted');
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
