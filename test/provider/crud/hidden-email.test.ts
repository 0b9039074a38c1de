/** Imports a member from a service that hides e-mail addresses, and declares the member afterwards. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { asSecret } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { type PluginClient, startPlugin } from "../plugin-client.js";

const ann = { email: "ann@example.com", admin: true };
let emulator: Emulator;
let plugin: PluginClient;

beforeAll(async () => {
  emulator = await startEmulator({
    strictBodies: true,
    seed: {
      users: [{ email: "owner@example.com" }, { email: ann.email }],
      workspaces: [{ domain: "acme", members: [ann] }],
    },
  });
  plugin = await startPlugin();
  const { baseUrl, token, workspace } = emulator;
  await plugin.configure({ baseUrl, token: asSecret(token), workspace });
});
afterAll(async () => {
  plugin.close();
  await emulator.close();
});

it("add the declared address to the state without inviting anybody again", async () => {
  const imported = await plugin.read("WorkspaceMember", "acme/2");
  expect(imported.inputs).toEqual({ admin: true });

  const { changes, replaces } = await plugin.diff("WorkspaceMember", imported.id, imported.props, ann);
  expect({ changes, replaces }).toEqual({ changes: true, replaces: [] });
  const { outs } = await plugin.update("WorkspaceMember", imported.id, imported.props, ann);
  expect(outs).toMatchObject({ ...ann, memberId: 2 });
  expect(emulator.journal.writes()).toEqual([]);

  const refreshed = await plugin.read("WorkspaceMember", imported.id, outs);
  expect(await plugin.diff("WorkspaceMember", imported.id, refreshed.props, ann)).toMatchObject({
    changes: false,
  });
});

it("replace the member when the address in the state changes", async () => {
  const member = { ...ann, memberId: 2 };
  const { replaces } = await plugin.diff("WorkspaceMember", "acme/2", member, {
    ...ann,
    email: "eve@example.com",
  });
  expect(replaces).toEqual(["email"]);
});
