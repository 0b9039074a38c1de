/** Tests the Cancel method of both adapters while the service processes a request: no object is lost, and the journal has the outcome. */
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { type Intent, type Journal, noJournal } from "../../../recovery/journal.js";
import { startChangingService } from "../changing-service.js";
import { answer, type PluginClient, startPlugin } from "../plugin-client.js";
import { closing, engines, noReferences, serveProvider, textOf } from "../served-provider.js";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

/** The service, which keeps its response to the next write back until it is released. */
async function startHoldingService() {
  let [note, release] = [() => {}, () => {}];
  const arrived = new Promise<void>((resolve) => (note = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const service = await startChangingService(emulator, async (response, method) => {
    if (method === "GET") return response;
    note();
    await released;
    return response;
  });
  closing.push(service.close);
  return { ...service, arrived, release };
}

const cancel = (client: PluginClient) =>
  answer<unknown>((done) => client.grpc.cancel(new emptyProto.Empty(), done));

/** A journal that notes what became of each intent. */
function recordIntents() {
  const notes: string[] = [];
  const note = (text: string) => Promise.resolve(void notes.push(text));
  const intent: Intent = {
    id: undefined,
    before: undefined,
    mayAppearUntil: 0,
    made: () => note("made"),
    handOver: () => void note("handed over"),
    close: () => void note("closed"),
    forget: () => note("forgotten"),
  };
  const begin = (text: string) => note(text).then(() => intent);
  const journal: Journal = {
    ...noJournal,
    intend: () => begin("creation"),
    change: ({ op }) => begin(op),
  };
  return { journal, notes };
}

describe("the plugin that Pulumi starts", () => {
  it("completes a creation and an update after Cancel, with their outcome in the journal, and starts nothing more", async () => {
    for (const op of ["creation", "update"] as const) {
      const { journal, notes } = recordIntents();
      const held = await startHoldingService();
      const client = await startPlugin({ journal });
      closing.push(client.close);
      const { token, workspace } = emulator;
      await client.configure({ baseUrl: held.baseUrl, token, workspace });
      const group = op === "update" ? await makeGroup() : undefined;
      const olds = { ...group?.outs, address: `${held.baseUrl}workspaces/${workspace}` };
      const inputs = { name: `cancelled ${op}`, description: "new" };
      const running = group ? client.update("Group", group.id, olds, inputs) : client.create("Group", inputs);
      await Promise.race([held.arrived, running]);
      expect(notes).toEqual([op]);
      await cancel(client);
      held.release();
      expect((await running).outs).toMatchObject(inputs);
      expect(notes.at(-1)).toBe("handed over");
      await expect(client.create("Group", { name: "next" })).rejects.toThrow("was cancelled");
    }
  });

  async function makeGroup() {
    const client = await startPlugin();
    const { baseUrl, token, workspace } = emulator;
    await client.configure({ baseUrl, token, workspace });
    const group = await client.create("Group", { name: "cancelled update", description: "old" });
    client.close();
    return group;
  }
});

describe.each(engines)("the %s adapter of workspacectl", (engine) => {
  it("completes a creation after Cancel", async () => {
    const held = await startHoldingService();
    const { client } = await serveProvider(engine, held.baseUrl, emulator.token, noReferences, {});
    const inputs = { name: `held by ${engine}`, description: "whole", ...textOf(engine, "Group") };
    const running = client.create("Group", inputs);
    await Promise.race([held.arrived, running]);
    await cancel(client);
    held.release();
    const { id, outs } = await running;
    expect(id).toMatch(/^acme\/\d+$/);
    expect(outs).toMatchObject({ description: "whole" });
  });
});
