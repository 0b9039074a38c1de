/** What a kill can leave on disk, and what the next command makes of it. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { journalPath, readJournal } from "../../../../cli/engine/checkpoint/journal-file.js";
import { isUnsettled, settleJournal, withUnfinished } from "../../../../cli/engine/checkpoint/settle.js";
import { sha256 } from "../../../../cli/digest.js";
import type { StackLocation } from "../../../../cli/engine/stack/lock-files.js";
import { currentScope } from "../../../../cli/engine/stack/process-owner.js";
import { temporaryFolder, testIo } from "../../support.js";

const TYPE = "pulumi-nodejs:dynamic/workspace-automation:Group";
const urn = (name: string) => `urn:pulumi:dev::app::${TYPE}::${name}`;
const ROOT = "urn:pulumi:dev::app::pulumi:pulumi:Stack::app-dev";
const nothing = { dependencies: [], propertyDependencies: {}, formerly: [] };
const registered = { parent: ROOT, protect: false, retainOnDelete: false, ...nothing };
const creating = (name: string) => ({
  op: "creating",
  at: "t",
  urn: urn(name),
  inputs: { name },
  registered,
});
const created = (name: string) => ({ op: "created", at: "t", urn: urn(name), id: `id-${name}`, outputs: {} });

const salt = "v1:salt";
const empty = { secrets_providers: { type: "passphrase", state: { salt } }, metadata: {} };
const textOf = (latest: object) =>
  JSON.stringify({ version: 3, checkpoint: { stack: "organization/app/dev", latest } });

let location: StackLocation;
let base: string;
let stateFile: string;
let journal: string;
beforeEach(() => {
  const root = temporaryFolder();
  location = { backendUrl: pathToFileURL(root).href, project: "app", stack: "dev" };
  base = join(root, ".pulumi");
  stateFile = join(base, "stacks/app/dev.json");
  journal = journalPath(location) ?? "";
  for (const file of [stateFile, journal]) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(base, "meta.yaml"), "version: 1\n");
  writeFileSync(stateFile, textOf(empty));
  writeFileSync(`${stateFile}.attrs`, "{}");
});

function writeJournal(...lines: object[]): void {
  const header = { state: sha256(readFileSync(stateFile, "utf8")), salt };
  writeFileSync(journal, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function settled(): Promise<{ objects: string[]; open: string[]; said: string }> {
  const { io, written } = testIo();
  await settleJournal(location, io);
  const { checkpoint } = JSON.parse(readFileSync(stateFile, "utf8")) as {
    checkpoint: { latest: { resources?: { urn: string; id?: string }[] } };
  };
  const objects = (checkpoint.latest.resources ?? []).filter((one) => one.urn.includes(TYPE));
  const { lines = [] } = (existsSync(journal) && readJournal(journal)) || {};
  const nameOf = (one: { urn: string }) => one.urn.slice(urn("").length);
  return { objects: objects.map(nameOf), open: lines.map(nameOf), said: written().stderr };
}

describe("settling the journal of a killed run", () => {
  it("does nothing without one", async () => {
    expect(await settled()).toEqual({ objects: [], open: [], said: "" });
  });

  it("puts the steps into the state, and keeps what had no answer for the service to say", async () => {
    writeJournal(creating("a"), created("a"), creating("b"));
    const { said, ...result } = await settled();
    expect(result).toEqual({ objects: ["a"], open: ["b"] });
    expect(said).toContain("(1 created, 0 changed, 0 deleted) is now in the state");
    expect(readdirSync(dirname(stateFile))).toEqual(["dev.json"]);
    expect(readdirSync(join(base, "locks/organization/app/dev"))).toEqual([]);
    expect(await settled()).toEqual({ objects: ["a"], open: ["b"], said: "" });
    const { state, forget } = withUnfinished({ deployment: empty }, location);
    expect(state.deployment.pending_operations).toMatchObject([
      { type: "creating", resource: { urn: urn("b") } },
    ]);
    forget();
    expect(isUnsettled(location)).toBe(false);
  });

  it("counts nothing twice when it was itself killed between the state and the journal", async () => {
    writeJournal(creating("a"), created("a"), creating("b"));
    const before = readFileSync(journal);
    await settled();
    writeFileSync(journal, before);
    expect(await settled()).toEqual({ objects: ["a"], open: ["b"], said: "" });
  });

  it("leaves a state alone that another tool has written since, and asks for what that does not know", async () => {
    writeJournal(creating("a"), created("a"), creating("b"), created("b"), creating("c"), creating("d"), {
      ...{ op: "failed", at: "t" },
      urn: urn("d"),
    });
    const b = { urn: urn("b"), type: TYPE, custom: true, id: "id-b" };
    const text = textOf({ ...empty, resources: [b] });
    writeFileSync(stateFile, text);
    expect(await settled()).toEqual({ objects: ["b"], open: ["a", "c"], said: "" });
    expect(readFileSync(stateFile, "utf8")).toBe(text);
  });

  it("drops values of another passphrase than the state's", async () => {
    writeJournal(creating("a"), created("a"));
    writeFileSync(stateFile, textOf({ secrets_providers: { state: { salt: "v1:other" } } }));
    expect(await settled()).toEqual({ objects: [], open: [], said: "" });
  });

  it("removes a journal that a kill has cut off in its first line", async () => {
    writeFileSync(journal, '{"state":"12');
    expect(await settled()).toEqual({ objects: [], open: [], said: "" });
    expect(isUnsettled(location)).toBe(false);
  });

  it("waits while another process has locked the stack, and says so", async () => {
    writeJournal(creating("a"), created("a"));
    const locks = join(base, "locks/organization/app/dev");
    mkdirSync(locks, { recursive: true });
    writeFileSync(join(locks, "1.json"), JSON.stringify({ pid: process.pid, username: "ann" }));
    const { said, ...result } = await settled();
    expect(result).toEqual({ objects: [], open: ["a", "a"] });
    expect(said).toContain("Another run is using this stack");
  });

  it.runIf(currentScope() !== undefined)("releases the lock of one that was killed meanwhile", async () => {
    writeJournal(creating("a"), created("a"));
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    for (const [folder, text] of [
      ["locks/organization/app/dev", { pid, username: "ann" }],
      ["workspacectl/lock-holders", { ...currentScope(), pid, started: "1" }],
    ] as const) {
      mkdirSync(join(base, folder), { recursive: true });
      writeFileSync(join(base, folder, "1.json"), JSON.stringify(text));
    }
    expect(await settled()).toMatchObject({ objects: ["a"], open: [] });
  });

  it("refuses to go on without the state that the journal completes", async () => {
    writeJournal(creating("a"), created("a"));
    rmSync(stateFile);
    await expect(settleJournal(location, testIo().io)).rejects.toThrow("no longer a plain file");
    expect(existsSync(journal)).toBe(true);
  });
});
