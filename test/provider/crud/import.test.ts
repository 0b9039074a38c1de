/**
 * Tests a run of `workspacectl import`, which finds existing objects, reports missing ones and never writes.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator/index.js";
import { IMPORT_VARIABLE } from "../../../provider/index.js";
import { Engine } from "../engine.js";

const running: Emulator[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

async function workspace(options: EmulatorOptions = {}) {
  const emulator = await startEmulator(options);
  running.push(emulator);
  const engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
  const made = await engine.create("Variable", { key: "REGION", value: "us" });
  await engine.create("Project", { name: "web" });
  emulator.journal.clear();
  vi.stubEnv(IMPORT_VARIABLE, "1");
  return { emulator, engine, made };
}

describe("an import", () => {
  it("finds existing objects by name and refuses every change", async () => {
    const { emulator, engine, made } = await workspace();
    const taken = await engine.create("Variable", { key: "REGION", value: "eu" });
    expect(taken.id).toBe(made.id);
    expect(taken.outs["value"]).toBe("us");
    await expect(engine.up(taken, { key: "REGION", value: "eu" })).rejects.toThrow(
      "an import only adds existing objects to the stack",
    );
    await expect(engine.delete(taken)).rejects.toThrow("an import only adds existing objects to the stack");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("reports a missing object by its name, and a member whose email the service may hide", async () => {
    const { engine } = await workspace();
    const pipeline = {
      project: "web",
      name: "deploy",
      triggerMode: "MANUAL",
      refType: "BRANCH",
      refName: "main",
    };
    await expect(engine.create("Pipeline", pipeline)).rejects.toThrow(
      'there is no pipeline "deploy" of project "web" in workspace acme',
    );
    const person = { email: "nobody@example.com" };
    await expect(engine.create("WorkspaceMember", person)).rejects.toThrow(
      /there is no member "nobody@example.com" .*it hides the email of \d+\. Select one with "member: <number>"/,
    );
  });

  it("does not report a missing parent reference, since the missing parent itself is reported", async () => {
    const { engine } = await workspace();
    const args = { name: "A", type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "a" };
    expect(await engine.check("Action", args)).toEqual([]);
    vi.unstubAllEnvs();
    expect(await engine.check("Action", args)).toEqual(["pipeline: is required"]);
  });

  it("refuses a name that several objects have", async () => {
    const { emulator, engine } = await workspace();
    const path = "/workspaces/acme/projects/web/pipelines";
    const pipeline = {
      name: "deploy",
      ref_name: "main",
      ref_type: "BRANCH",
      trigger_mode: "MANUAL",
    };
    const ids: number[] = [];
    for (let n = 0; n < 2; n++) {
      const { body } = await emulator.edit({ method: "POST", path, body: pipeline });
      ids.push((body as { id: number }).id);
    }
    const args = {
      project: "web",
      name: "deploy",
      triggerMode: "MANUAL",
      refType: "BRANCH",
      refName: "main",
    };
    await expect(engine.create("Pipeline", args)).rejects.toThrow(
      `pipeline "deploy" of project "web" exists several times in workspace acme (numbers ${ids.join(", ")})`,
    );
  });

  it("says what to do about a name that does not exist", async () => {
    const { engine } = await workspace();
    await expect(engine.create("Group", { name: "QA" })).rejects.toThrow(
      /there is no group "QA" in workspace acme. Correct its name. If it is to be created, remove its import: "workspacectl up"/,
    );
  });

  it("takes an object without a name from its parent, and refuses what happens once", async () => {
    vi.unstubAllEnvs();
    const emulator = await startEmulator();
    running.push(emulator);
    const engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
    await engine.create("Project", { name: "web" });
    const inWeb = { project: "web", projectId: "acme/web" };
    const pipeline = await engine.create("Pipeline", {
      ...inWeb,
      name: "deploy",
      triggerMode: "MANUAL",
      refName: "main",
    });
    const { pipelineId } = pipeline.outs;
    const actions: unknown[] = [];
    for (const name of ["A", "B"]) {
      const action = await engine.create("Action", {
        project: "web",
        pipeline: pipelineId,
        name,
        type: "PING",
        triggerTime: "ON_EVERY_EXECUTION",
        destination: "host",
      });
      actions.push(action.outs["actionId"]);
    }
    vi.stubEnv(IMPORT_VARIABLE, "1");
    emulator.journal.clear();
    const order = { project: "web", pipeline: pipelineId, actions };
    const taken = await engine.create("ActionOrder", order);
    expect(taken.outs["actions"]).toEqual(actions);
    await expect(engine.create("ActionOrder", { ...order, pipeline: 99_999 })).rejects.toThrow(
      /there is no action order in workspace acme for the number 99999 of the import/,
    );
    await expect(
      engine.create("Execution", { project: "web", pipeline: pipelineId, refresh: false, revision: "HEAD" }),
    ).rejects.toThrow(/cannot be imported: no argument distinguishes one \w+ from another/);
    expect(emulator.journal.writes()).toEqual([]);
  });
});
