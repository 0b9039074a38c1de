/** Names that mean nothing at the service: said when an object is made, with the names that there are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { definitions } from "../../provider/index.js";
import { Engine } from "./engine.js";

let emulator: Emulator;
let engine: Engine;

beforeAll(async () => {
  emulator = await startEmulator({ strictBodies: true });
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
});
afterAll(() => emulator.close());

describe("a name that the service does not know", () => {
  it("is answered with the nearest one, and with those that there are", async () => {
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
      /^there is no integration "chat-mian" in workspace acme\. Did you mean "chat-main"\? There are .*platform-cli.*: check the name, or create it first$/,
    );
  });

  it("is answered with what to do where there is nothing of the kind", async () => {
    const member = { group: "Nobodies", member: 1 };
    await expect(engine.create("GroupMember", member)).rejects.toThrow(
      'there is no group "Nobodies" in workspace acme. There is none at all: create it first',
    );
  });
});

describe("every reference of every type", () => {
  const references = definitions.flatMap(({ type, references }) =>
    Object.entries(references).map(([arg, reference]) => ({ type, arg, ...reference })),
  );

  it.each(references)("$type: $arg means a type that there is, or is looked up by name", ({ to, lookup }) => {
    expect(definitions.some(({ type }) => type === to) || lookup !== undefined).toBe(true);
  });
});
