/** Under plain Pulumi: what is in a project of which the program says nothing any more stays. */
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

const variables = async () =>
  (await fresh.api.variables.list("acme", { projectName: "web" }).toArray()).length;

/** A run that declares these, and deletes the variable at its end. */
const deleteAfter = (...declared: [State, object?][]) =>
  fresh.engine.run(async () => {
    for (const [state, args] of declared) await fresh.engine.diff(state, { ...state.inputs, ...args });
    await fresh.engine.delete(variable);
  });

it("nothing in a project is deleted by a run that declares other things only, unless it is named", async () => {
  await expect(deleteAfter([group])).rejects.toThrow(
    `variable in project "web" is not deleted: the program declares nothing of that project any more`,
  );
  expect(await variables()).toBe(1);
  vi.stubEnv(DELETE_VARIABLE, "api, web");
  await deleteAfter([group]);
  expect(await variables()).toBe(0);
});

it("what left a project that is declared, or that anything is declared in, is deleted, also while it is renamed", async () => {
  await deleteAfter([group], [project, { name: "shop" }]);
  expect(await variables()).toBe(0);
});

it("a run that declares nothing is a destroy", async () => {
  await deleteAfter();
  expect(await variables()).toBe(0);
});
