/** Tests creations that a run abandons while the service works on them: the next run adopts the object, however late it appears. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { Session } from "../../provider/connection/session.js";
import { findUnfinished } from "../../provider/index.js";
import { RunJournal } from "../../recovery/run-journal.js";
import { FolderStore } from "../../recovery/stores.js";
import { providerIn } from "../provider/engine.js";

let folder: string;
let emulator: Emulator;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "abandoned-"));
  emulator = await startEmulator({ strictBodies: true });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await emulator.close();
});

const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/workspace-automation:Group::groups/QA";

function open(name: string, print: (line: string) => void = () => {}) {
  const journal = new RunJournal(new FolderStore(join(folder, name)), { env: {}, print });
  const { baseUrl, token, workspace } = emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  const session = new Session(connection, { journal });
  return { journal, connection, provider: (type: string) => providerIn(session, type) };
}

/** Ends a run after it has sent the request of a creation. @returns the journal, as the end of the process leaves it */
async function abandon(type: string, inputs: Record<string, unknown>, isKilled = false): Promise<string> {
  emulator.faults.add({ kind: "delay", method: "POST", delayMs: 400 });
  const engine = new AbortController();
  const creation = { urn: URN, inputs, secrets: [], finding: new Set(["name"]), abandoned: engine.signal };
  const { provider, journal } = open("first");
  const running = provider(type).create(inputs, creation);
  await expect.poll(() => emulator.journal.writes().length).toBe(1);
  if (!isKilled) {
    engine.abort(new Error("cancelled"));
    journal.end();
  }
  cpSync(join(folder, "first"), join(folder, "left"), { recursive: true });
  for (const name of readdirSync(join(folder, "left"))) {
    const file = join(folder, "left", name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/"pid":\d+/g, '"pid":99999999'));
  }
  // Where the process lives on, nothing reports the object to the engine.
  void running.catch(() => undefined);
  return "left";
}

it("is adopted by the next run, which looks for it while the service may still be creating it", async () => {
  const lines: string[] = [];
  const next = open(await abandon("Group", { name: "QA" }), (line) => lines.push(line));
  const { id } = await next.provider("Group").create({ name: "QA", description: "Testers" });
  expect(id).toMatch(/^acme\/\d+$/);
  expect(emulator.journal.writes().map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(lines).toEqual([
    expect.stringMatching(
      /^group "QA": the run before was stopped while .* creating it; looking for it for \d+ s$/,
    ),
  ]);
});

it("is found by the recovery of workspacectl", async () => {
  const { journal, connection } = open(await abandon("Group", { name: "QA" }));
  const inputs = { name: "QA" };
  const [finding] = await findUnfinished(connection, journal, [{ type: "Group", inputs }]);
  expect(finding?.found?.id).toMatch(/^acme\/\d+$/);
});

it("is adopted when it appears just before the second request, which the service refuses", async () => {
  const inputs = { name: "web", displayName: "Web" };
  const { journal, provider } = open(await abandon("Project", inputs, true));
  const intend = journal.intend.bind(journal);
  journal.intend = async (...of) => {
    const web = () => emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web" });
    await expect.poll(async () => (await web()).status).toBe(200);
    return intend(...of);
  };
  expect(await provider("Project").create(inputs)).toMatchObject({ id: "acme/web" });
  expect(emulator.journal.writes()).toMatchObject([{ status: 201 }, { status: 409 }]);
});

it("is not reported as done when its response arrives later, in a process that lives on", async () => {
  await abandon("Group", { name: "QA" });
  const file = join(folder, "first", readdirSync(join(folder, "first"))[0] ?? "");
  await expect.poll(() => readFileSync(file, "utf8")).toContain('"made"');
  expect(readFileSync(file, "utf8")).not.toContain('"closed"');
});

it("sends nothing when it was abandoned before its request", async () => {
  const creation = { urn: URN, inputs: {}, secrets: [], finding: new Set(["name"]) };
  const abandoned = AbortSignal.abort(new Error("cancelled"));
  const create = open("first")
    .provider("Group")
    .create({ name: "QA" }, { ...creation, abandoned });
  await expect(create).rejects.toThrow("cancelled");
  expect(emulator.journal.writes()).toEqual([]);
});
