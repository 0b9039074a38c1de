/** Tests unknown names, which are reported when an object is created, together with the existing names. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { definitions, getDefinition } from "../../provider/index.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { Engine } from "./engine.js";

let emulator: Emulator;
let engine: Engine;

beforeAll(async () => {
  emulator = await startEmulator({ strictBodies: true });
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
});
afterAll(() => emulator.close());

describe("a name that does not exist in the service", () => {
  it("is reported with the closest name and all existing names", async () => {
    const action = {
      project: "web",
      pipeline: 1,
      name: "Tell",
      type: "CHAT",
      triggerTime: "ON_EVERY_EXECUTION",
      channel: "C1",
      integration: "chat-mian",
    };
    await expect(engine.create("Action", action)).rejects.toThrow(
      /^action "Tell" of pipeline \d+: there is no integration "chat-mian" in workspace acme\. Did you mean "chat-main"\? Existing: .*platform-cli.*\. Check the name, or declare it in the file or program$/,
    );
  });

  it("is reported with advice if the workspace has no such object at all", async () => {
    const member = { group: "Nobodies", member: 1 };
    await expect(engine.create("GroupMember", member)).rejects.toThrow(
      'there is no group "Nobodies" in workspace acme. None exist yet: declare it in the file or program, or create it in the service',
    );
  });
});

describe("a name that already exists", () => {
  const variable = { key: "API_KEY", value: "a" };

  it("is reported with its scope and only the known parts of the key", async () => {
    await engine.create("Variable", variable);
    await expect(engine.create("Variable", variable)).rejects.toThrow(
      /^variable "API_KEY" already exists in workspace acme \(number \d+\): /,
    );
    const project = await engine.create("Project", { name: "keys" });
    const inProject = { ...variable, project: "keys" };
    await engine.create("Variable", inProject);
    await expect(engine.create("Variable", inProject)).rejects.toThrow(
      /^variable "API_KEY" of project "keys" already exists in workspace acme/,
    );
    const pipeline = await engine.create("Pipeline", {
      project: "keys",
      projectId: project.id,
      name: "deploy",
      triggerMode: "MANUAL",
      refType: "BRANCH",
      refName: "main",
    });
    const inPipeline = { ...inProject, pipeline: Number(pipeline.id.split("/").at(-1)) };
    await engine.create("Variable", inPipeline);
    await expect(engine.create("Variable", inPipeline)).rejects.toThrow(
      /^variable "API_KEY" of project "keys", pipeline \d+ already exists in workspace acme/,
    );
  });

  it("is replaced by the id in messages when only the id is given", () => {
    expect(getDisplayName(getDefinition("WorkspaceMember"), { member: 7 })).toBe("member 7");
    expect(getDisplayName(getDefinition("WorkspaceMember"), {})).toBe("member");
  });
});

describe("every reference of every type", () => {
  const references = definitions.flatMap(({ type, references }) =>
    Object.entries(references).map(([arg, reference]) => ({ type, arg, ...reference })),
  );

  it.each(references)("$type: $arg refers to an existing type or is looked up by name", ({ to, lookup }) => {
    expect(definitions.some(({ type }) => type === to) || lookup !== undefined).toBe(true);
  });
});
