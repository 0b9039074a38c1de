/** Tests the crash journal on its own and after interrupted creations. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asSecret } from "../../diff/values.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { Session } from "../../provider/connection/session.js";
import { findUnfinished } from "../../provider/index.js";
import { RunJournal } from "../../recovery/run-journal.js";
import { FolderStore } from "../../recovery/stores.js";
import { providerIn } from "../provider/engine.js";

let folder: string;
let emulator: Emulator;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
  emulator = await startEmulator({ strictBodies: true });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await emulator.close();
});

const opened = (env: Record<string, string> = {}) => new RunJournal(new FolderStore(folder), { env });
const texts = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
const interrupted = async (stack: string) =>
  (await opened().interrupted(`urn:pulumi:${stack}::app::`)).creations;
const subject = { type: "Group", address: "https://host/workspaces/acme", key: "key" };

/** Simulates a run of the provider: returns its journal and a factory of providers by type. */
function run(env: Record<string, string> = {}) {
  const journal = opened(env);
  const { baseUrl, token, workspace } = emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  const session = new Session(connection, { journal });
  const provider = (type: string) => providerIn(session, type);
  return { journal, provider };
}

/** Advances the clock until the engine has surely saved its state. */
function aWhileLater(work: () => void): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  work();
  vi.useRealTimers();
}

/** Pretends that the process was killed before the response, by removing the line that reports it. */
function loseResponses(): void {
  for (const name of readdirSync(folder)) {
    const lines = readFileSync(join(folder, name), "utf8").split("\n").slice(0, 2).join("\n");
    writeFileSync(join(folder, name), `${lines}\n`);
  }
}

/**
 * Pretends that the process that wrote the journal has died, by recording a process id that does not exist.
 */
async function crashed(): Promise<void> {
  const { writeFile } = await import("node:fs/promises");
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8").replaceAll(/"pid":\d+/g, '"pid":99999999');
    await writeFile(join(folder, name), text);
  }
}

describe("the crash journal", () => {
  it("keeps an entry of a killed run until the object is in the state", async () => {
    await (await opened().intend(subject)).made("acme/1");
    await crashed();
    const next = opened();
    expect((await next.openIntent(subject))?.id).toBe("acme/1");
    next.known({ ...subject, type: "Variable", id: "acme/1" });
    expect(await next.openIntent(subject)).toBeDefined();
    next.known({ ...subject, id: "acme/1" });
    expect(await next.openIntent(subject)).toBeUndefined();
    expect(await opened().openIntent(subject)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is empty after a regular end, and keeps entries that were not handed over to the engine", async () => {
    const journal = opened();
    const [one, two] = [await journal.intend(subject), await journal.intend({ ...subject, key: "other" })];
    await one.made("acme/1");
    one.handOver();
    aWhileLater(() => journal.end());
    expect(texts().join("")).toContain("closed");
    two.handOver();
    aWhileLater(() => journal.end());
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps objects that were handed over just before the end, for a run that finds them missing from the state", async () => {
    const journal = opened();
    const intent = await journal.intend(subject);
    await intent.made("acme/1");
    intent.handOver();
    journal.end();
    await crashed();
    const next = opened();
    expect(await next.openIntent(subject)).toBeUndefined();
    expect((await next.openIntent(subject, true))?.id).toBe("acme/1");
    next.known({ ...subject, id: "acme/1" });
    expect(await opened().openIntent(subject, true)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("ignores creations of a concurrent run and of other projects", async () => {
    await opened().intend(subject);
    expect(await opened().openIntent(subject)).toBeUndefined();
    await crashed();
    expect(await opened({ PULUMI_NODEJS_PROJECT: "other" }).openIntent(subject)).toBeUndefined();
    expect(await opened().openIntent(subject)).toBeDefined();
  });

  it("is readable for its user only and contains no names", async () => {
    await run().provider("Variable").create({ key: "NAME", value: "planted-secret", encrypted: true });
    const [file = ""] = readdirSync(folder);
    expect(texts().join("")).toMatch(/"type":"Variable"/);
    expect(texts().join("")).not.toMatch(/NAME|planted-secret/);
    if (process.platform !== "win32") expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it("tolerates a truncated line and an unwritable folder", async () => {
    await opened().intend(subject);
    const { appendFile } = await import("node:fs/promises");
    await appendFile(join(folder, readdirSync(folder)[0] ?? ""), '{"closed":"k');
    await crashed();
    expect(await opened().openIntent(subject)).toBeDefined();
    const told: string[] = [];
    const journal = new RunJournal(new FolderStore("/dev/null/journal"), {
      env: {},
      print: (line) => told.push(line),
    });
    await (await journal.intend(subject)).made("acme/1");
    expect(told.join("\n")).toContain("cannot write the journal");
  });
});

describe("an interrupted creation", () => {
  it("is adopted by the next run and updated to the declared values", async () => {
    const first = await run().provider("Group").create({ name: "QA", description: "Testers" });
    await crashed();
    const second = await run().provider("Group").create({ name: "QA", description: "Release" });
    expect(second.id).toBe(first.id);
    expect(second.outs["description"]).toBe("Release");
    expect(emulator.journal.writes().map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  });

  it("is adopted when the run ended before the response", async () => {
    const { journal, provider } = run();
    await provider("Group").create({ name: "Other" });
    const [noted] = texts();
    const key = (JSON.parse(noted?.split("\n")[1] ?? "{}") as { key: string }).key;
    expect(key).toMatch(/^[\w-]{43}$/);
    journal.end();
    await crashed();
    emulator.faults.add({ kind: "delay", method: "POST", delayMs: 200 });
    const killed = run().provider("Group").create({ name: "QA" });
    killed.catch(() => {});
    while (texts().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await killed;
    loseResponses();
    await crashed();
    await run().provider("Group").create({ name: "QA" });
    expect(emulator.journal.writes().map(({ method }) => method)).toEqual(["POST", "POST"]);
  });

  it("is adopted for an action that shares its name with one that existed before", async () => {
    const { journal, provider } = run();
    await provider("Project").create({ name: "web" });
    const pipeline = { project: "web", name: "p", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" };
    const { outs } = await provider("Pipeline").create(pipeline);
    const args = { project: "web", pipeline: outs["pipelineId"], name: "A", type: "PING", destination: "a" };
    const create = (key: string, { provider: of } = run()) =>
      of("Action").create({ ...args, triggerTime: "ON_EVERY_EXECUTION", key });
    await create("A", { journal, provider });
    aWhileLater(() => journal.end());
    const killed = await create("A 2");
    loseResponses();
    await crashed();
    expect(await create("A 2")).toMatchObject({ id: killed.id });
  });

  it("is found for a member whose email the service hides", async () => {
    const first = await run().provider("WorkspaceMember").create({ email: "ann@example.com" });
    await crashed();
    const second = await run().provider("WorkspaceMember").create({ email: "ann@example.com", admin: true });
    expect(second.id).toBe(first.id);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    await expect(run().provider("WorkspaceMember").create({ email: "ann@example.com" })).rejects.toThrow(
      /already a member of workspace acme/,
    );
  });

  it("is found for a member whose response was lost, although this run has already invited another member", async () => {
    const lost = await run().provider("WorkspaceMember").create({ email: "ann@example.com" });
    loseResponses();
    await crashed();
    const { provider } = run();
    await provider("WorkspaceMember").create({ email: "bob@example.com" });
    expect((await provider("WorkspaceMember").create({ email: "ann@example.com" })).id).toBe(lost.id);
  });

  it("is reported as possible only for a single hidden member, who may be someone else", async () => {
    const { baseUrl, token, workspace } = emulator;
    const connection = { baseUrl, token, workspace, allowInsecure: false };
    const objects = [{ type: "WorkspaceMember", inputs: { email: "ann@example.com" } }];
    const { id } = await run().provider("WorkspaceMember").create({ email: "ann@example.com" });
    loseResponses();
    expect(await findUnfinished(connection, opened(), objects)).toEqual([{}]); // The run is still in progress.
    await crashed();
    expect(await findUnfinished(connection, opened(), objects)).toEqual([{ maybe: id.split("/")[1] }]);
    const body = { email: "bob@example.com" };
    await emulator.edit({ method: "POST", path: "/workspaces/acme/members", body });
    expect(await findUnfinished(connection, opened(), objects)).toEqual([{}]);
    expect((await run().provider("WorkspaceMember").create({ email: "cid@example.com" })).id).not.toBe(id);
  });

  it("leaves no question about an order, which is a part of its pipeline", async () => {
    const { baseUrl, token, workspace } = emulator;
    const connection = { baseUrl, token, workspace, allowInsecure: false };
    const find = async (type: string) => {
      const intent = await opened().intend({ ...subject, type, key: `nameless:${type}` });
      return findUnfinished(connection, opened(), [{ type, inputs: {}, intent }]);
    };
    expect(await find("ActionOrder")).toEqual([{}]);
    expect(await find("OAuthClient")).toEqual([{ unknown: expect.any(String) as string }]);
  });

  it("is reported without secrets and without undeclared values", async () => {
    const { baseUrl, token, workspace } = emulator;
    const connection = { baseUrl, token, workspace, allowInsecure: false };
    await run().provider("Group").create({ name: "QA", description: "hush" });
    await crashed();
    const encrypted = { ...(asSecret("") as object), value: undefined, ciphertext: "v1:abc" };
    const find = (inputs: Record<string, unknown>) =>
      findUnfinished(connection, opened(), [{ type: "Group", inputs: { name: "QA", ...inputs } }]);
    const [secret] = await find({ description: encrypted });
    expect(secret?.found?.outputs).toMatchObject({ name: "QA", description: encrypted });
    const [bare] = await find({});
    expect(bare?.found?.id).toMatch(/^acme\/\d+$/);
    expect(JSON.stringify([secret, bare])).not.toContain("hush");
  });

  it("is listed by its URN until it is closed", async () => {
    const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/workspace-automation:Group::groups/QA";
    const creation = { urn, inputs: { name: "QA" }, secrets: ["description"] };
    const finding = new Set(["name"]);
    await run()
      .provider("Group")
      .create({ name: "QA" }, { ...creation, finding });
    expect(await interrupted("dev")).toEqual([]); // The run is still in progress.
    await crashed();
    expect(await interrupted("other")).toEqual([]);
    const [found] = await interrupted("dev");
    expect(found).toMatchObject({ ...creation, type: "Group" });
    found?.intent.close();
    expect(await interrupted("dev")).toEqual([]);
  });

  it("is not listed after a regular end, since the name may belong to another object by now", async () => {
    const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/workspace-automation:Group::groups/QA";
    emulator.faults.add({ kind: "status", status: 500, method: "POST", count: 20 });
    const { provider, journal } = run();
    const creation = { urn, inputs: { name: "QA" }, secrets: [], finding: new Set(["name"]) };
    await provider("Group")
      .create({ name: "QA" }, creation)
      .catch(() => undefined);
    journal.end();
    await crashed();
    expect(await interrupted("dev")).toEqual([]);
  });

  it("is not confused with an unrelated object, unless adoption after a crash is enabled", async () => {
    await emulator.edit({ method: "POST", path: "/workspaces/acme/groups", body: { name: "QA" } });
    await expect(run().provider("Group").create({ name: "QA" })).rejects.toThrow(/--adopt-after-crash/);
    const env = { WORKSPACE_AUTOMATION_ADOPT_AFTER_CRASH: "1" };
    expect((await run(env).provider("Group").create({ name: "QA" })).id).toMatch(/^acme\/\d+$/);
  });

  it("is adopted only once: a second creation with the same name is refused, even in the same run", async () => {
    await run().provider("Group").create({ name: "QA" });
    await crashed();
    const { provider } = run();
    await provider("Group").create({ name: "QA" });
    const taken =
      /is also declared by another entry or resource of this run: remove one of the two declarations/;
    await expect(provider("Group").create({ name: "QA" })).rejects.toThrow(taken);
    await provider("Group").create({ name: "Other" });
    await expect(provider("Group").create({ name: "Other" })).rejects.toThrow(taken);
  });

  it("leaves no entry after the service refused it", async () => {
    emulator.faults.add({ kind: "status", method: "POST", status: 403, message: "No." });
    const { journal, provider } = run();
    await expect(provider("Group").create({ name: "QA" })).rejects.toThrow();
    journal.end();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("an adoption", () => {
  const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/workspace-automation:Group::groups/QA";
  const creation = { urn, inputs: { name: "QA" }, secrets: [], finding: new Set(["name"]) };
  const adopting = ({ provider }: ReturnType<typeof run>) =>
    provider("Group").create({ name: "QA", description: "Testers", adopt: true }, creation);
  beforeEach(() => emulator.edit({ method: "POST", path: "/workspaces/acme/groups", body: { name: "QA" } }));

  it("is recorded with its id before the engine has it, and counts as what the run did", async () => {
    const killed = run();
    const { id } = await adopting(killed);
    expect([...killed.journal.acknowledged().keys()]).toEqual([`${urn} ${id}`]);
    await crashed();
    const [found] = await interrupted("dev");
    expect(found).toMatchObject({ urn, inputs: { name: "QA" }, intent: { id } });
  });

  it("is left to the next run when the service refused a change of it", async () => {
    emulator.faults.add({ kind: "status", method: "PATCH", status: 403, message: "No." });
    await expect(adopting(run())).rejects.toThrow("No.");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of what a killed run has created replaces the intent of that run", async () => {
    for (let time = 0; time < 2; time++) {
      await adopting(run());
      await crashed();
      expect(await interrupted("dev")).toHaveLength(1);
    }
  });
});
