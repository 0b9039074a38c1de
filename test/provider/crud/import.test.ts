/**
 * Tests a run of `workspacectl import`, which finds existing objects, reports missing ones and never writes.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { IMPORT_VARIABLE } from "../../../provider/index.js";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/index.js";
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
      "an import changes nothing",
    );
    await expect(engine.delete(taken)).rejects.toThrow("an import changes nothing");
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
});
