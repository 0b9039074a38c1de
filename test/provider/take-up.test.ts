/** Runs that only take up what is there (`workspacectl import`): whatever the engine asks for, nothing is written. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { TAKE_UP_VARIABLE } from "../../provider/index.js";
import { Engine, type State } from "./engine.js";

let emulator: Emulator;
let engine: Engine;
let group: State;

beforeEach(async () => {
  emulator = await startEmulator();
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
  group = await engine.create("Group", { name: "QA", description: "Testers" });
  await engine.create("Variable", { key: "API_KEY", value: "in-clear", encrypted: true });
  emulator.journal.clear();
  process.env[TAKE_UP_VARIABLE] = "1";
});

afterEach(async () => {
  delete process.env[TAKE_UP_VARIABLE];
  expect(emulator.journal.writes()).toEqual([]);
  await emulator.close();
});

describe("taking up", () => {
  it("knows the object as it is, not as it is declared", async () => {
    const taken = await engine.create("Group", { name: "QA", description: "Something else" });
    expect(taken).toMatchObject({ id: group.id, outs: { description: "Testers" } });
  });

  it("takes a given value for what is encrypted, and remembers how it is shown", async () => {
    const taken = await engine.create("Variable", { key: "API_KEY", value: "in-clear", encrypted: true });
    expect(taken.outs).toMatchObject({
      value: "in-clear",
      observed: { value: expect.stringMatching(/^secure!/) as string },
    });
    expect(taken.secrets).toContain("value");
    delete process.env[TAKE_UP_VARIABLE];
    const seen = await engine.refresh(taken);
    expect(seen?.outs).toEqual(taken.outs);
  });

  it("refuses what is not there, what has no name, and every change", async () => {
    await expect(engine.create("Group", { name: "Ops" })).rejects.toThrow('there is no group "Ops"');
    const client = {
      ...{ clientName: "Dashboard", redirectUris: ["https://example.com"], grantTypes: ["refresh_token"] },
      ...{ responseTypes: ["code"], tokenEndpointAuthMethod: "client_secret_basic" },
    };
    await expect(engine.create("OAuthClient", client)).rejects.toThrow(
      "nothing tells one OAuth client from another",
    );
    await expect(engine.up(group, { name: "QA", description: "New" })).rejects.toThrow(
      "an import changes nothing",
    );
    await expect(engine.delete(group)).rejects.toThrow("an import changes nothing");
  });
});
