/** Tests switching between the two arguments for the content of a file. */
import { expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { startEmulator } from "../../emulator/index.js";
import { Engine } from "../provider/engine.js";

it("a repository file can change from bytes to text and back", async () => {
  const seed = {
    users: [{ email: "owner@example.com" }],
    workspaces: [{ domain: "acme", projects: [{ name: "web", files: { "README.md": "# Web\n" } }] }],
  };
  const emulator = await startEmulator({ strictBodies: true, seed });
  try {
    const { baseUrl, token, workspace } = emulator;
    const engine = new Engine(baseUrl, token, workspace);
    const api = new WorkspaceAutomationClient({ baseUrl, token });
    const held = async () => (await api.contents.list("acme", "web", "logo.txt").toArray())[0]?.content;
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const file = { project: "web", path: "logo.txt" };

    let state = await engine.create("RepositoryFile", { ...file, contentBase64: base64("bytes") });
    expect(await held()).toBe(base64("bytes"));
    state = await engine.up(state, { ...file, content: "text" });
    expect(await held()).toBe(base64("text"));
    state = await engine.up(state, { ...file, contentBase64: base64("other bytes") });
    expect(await held()).toBe(base64("other bytes"));
    expect((await engine.refresh(state))?.outs).toEqual(state.outs);
  } finally {
    await emulator.close();
  }
});
