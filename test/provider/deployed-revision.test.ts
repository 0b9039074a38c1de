/**
 * Tests `lastExecutionRevision` of a pipeline: an initial value that is sent once and may change with each
 * run.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { Engine, type State } from "./engine.js";

const first = "5f1d7a84db00d2fce00b31a7fc73224cbb3aae76";
const second = "0b31a7fc73224cbb3aae765f1d7a84db00d2fce0";

let emulator: Emulator;
let engine: Engine;
let api: WorkspaceAutomationClient;
let state: State;

beforeAll(async () => {
  emulator = await startEmulator({
    strictBodies: true,
    seed: {
      users: [{ email: "owner@example.com" }],
      workspaces: [{ domain: "acme", projects: [{ name: "web", files: { "README.md": "# Web\n" } }] }],
    },
  });
  const { baseUrl, token, workspace } = emulator;
  engine = new Engine(baseUrl, token, workspace);
  api = new WorkspaceAutomationClient({ baseUrl, token });
});
afterAll(() => emulator.close());

const scheduled = {
  ...{ project: "web", name: "nightly", refName: "main", triggerMode: "SCHEDULED" },
  ...{ startDate: "2030-01-31T08:00:00Z", delay: 60 },
};
const deployed = async () => {
  const pipeline = await api.pipelines.get("acme", "web", Number(state.outs["pipelineId"]));
  return pipeline.last_execution_revision;
};
const writes = () => emulator.journal.writes().length;

it("lastExecutionRevision is sent after the creation, which does not accept it", async () => {
  state = await engine.create("Pipeline", { ...scheduled, lastExecutionRevision: first });
  expect(await deployed()).toBe(first);
  const refreshed = await engine.refresh(state);
  expect(refreshed?.outs).toEqual(state.outs);
});

it("lastExecutionRevision is not drift when a run changed it", async () => {
  const id = Number(state.outs["pipelineId"]);
  await api.pipelines.update("acme", "web", id, {
    last_execution_revision: second,
    ...{ start_date: scheduled.startDate, delay: scheduled.delay },
  });
  const refreshed = await engine.refresh(state);
  expect(refreshed?.outs).toEqual(state.outs);
  const args = { ...scheduled, lastExecutionRevision: first };
  expect((await engine.diff(refreshed ?? state, args)).changes).toBe(false);
});

it("lastExecutionRevision is sent again when its declared value changes", async () => {
  const third = first.replaceAll("5", "6");
  state = await engine.up(state, { ...scheduled, lastExecutionRevision: third });
  expect(await deployed()).toBe(third);
});

it("lastExecutionRevision is neither sent nor cleared when it is removed from the program", async () => {
  const before = [writes(), await deployed()];
  state = await engine.up(state, scheduled);
  expect([writes(), await deployed()]).toEqual(before);
  expect(state.outs).not.toHaveProperty("lastExecutionRevision");
  expect((await engine.diff(state, scheduled)).changes).toBe(false);
});

it("lastExecutionRevision causes no change when the state has none", async () => {
  expect((await engine.diff(state, scheduled)).changes).toBe(false);
});
