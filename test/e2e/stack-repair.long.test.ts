/** Loses a state in several ways, and rebuilds it with `stack repair`: the next preview is true. Needs a build; the bucket needs Go. */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "../../automation/report/exit-codes.js";
import type { Bucket } from "../../recovery/bucket.js";
import { openPlace } from "../../recovery/open-bucket.js";
import { StateAddress } from "../../trust/state-address.js";
import { signal, tree } from "../chaos/processes.js";
import { chooseStories, tellsAllStories } from "../stories.js";
import { missingGo } from "./language-hosts.js";
import { type ObjectStore, objectStoreForTests } from "./s3.js";
import { setUp, start, stateIn, temporaryFolder, workspacectl } from "./support.js";
import { hasPseudoTerminal, inTerminal } from "./terminal.js";

const FILE = `version: 1
workspace: acme
members: { ann@example.com: {} }
groups:
  QA: { description: Testers, members: [ann@example.com] }
variables: { TOKEN: { value: very-secret, encrypted: true } }
projects:
  web:
    displayName: Web
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: one.example.com }
          - { name: Pong, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: two.example.com }
`;
const OBJECTS = 9;
const STATE = ".pulumi/stacks/workspace-automation/dev.json";
const HISTORY = ".pulumi/history/";
const JOURNALS = ".pulumi/workspacectl/journal/workspace-automation/dev";

const skip = await missingGo();
let store: ObjectStore;
beforeAll(async () => {
  if (skip === undefined && tellsAllStories) store = await objectStoreForTests();
}, 600_000);

async function applied(more: NodeJS.ProcessEnv) {
  const setup = await setUp(FILE, { echoMemberEmail: true }, more);
  const up = await setup.run("up", "--yes", "--create-stack");
  expect(up.code, up.stderr).toBe(0);
  setup.emulator.journal.clear();
  const place = (await openPlace(new StateAddress(more["PULUMI_BACKEND_URL"] ?? ""), more)) as Bucket;
  return { ...setup, place };
}

type World = Awaited<ReturnType<typeof applied>>;

const losses: Readonly<Record<string, (place: Bucket) => Promise<void>>> = {
  "is empty": (place) => place.put(STATE, ""),
  "is cut": async (place) => place.put(STATE, ((await place.text(STATE)) ?? "").slice(0, 1_000)),
  "is missing": (place) => place.deleteAll([STATE, `${STATE}.attrs`]),
};

async function loseCopies(place: Bucket): Promise<void> {
  await place.deleteAll([`${STATE}.bak`, `${STATE}.bak.attrs`, ...(await place.list(HISTORY))]);
}

async function expectRepaired({ run, emulator, get }: World): Promise<void> {
  expect(emulator.journal.writes()).toEqual([]);
  expect((await run("preview")).stdout).toContain(`No changes: ${OBJECTS} objects as declared`);
  expect((await run("stack", "repair", "--yes")).stdout).toContain("There is nothing to repair");
  expect((await run("destroy", "--yes", "--include-protected", "--allow-delete", "**")).code).toBe(0);
  expect(await get("/groups")).toMatchObject({ groups: [] });
  expect(await get("/projects")).toMatchObject({ projects: [] });
}

describe.each(chooseStories(Object.entries(losses), 1))("a state that %s", (what, lose) => {
  it("is restored from its latest copy", { timeout: 600_000 }, async () => {
    const world = await applied(stateIn(temporaryFolder()));
    await lose(world.place);
    if (what !== "is missing") expect((await world.run("preview")).stderr).toContain("stack repair");
    const { code, stdout, stderr } = await world.run("stack", "repair", "--yes");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`${OBJECTS} objects`);
    expect(stdout).toContain("There is nothing to repair");
    await expectRepaired(world);
  });

  it("is rebuilt from the workspace, where there is no copy", { timeout: 600_000 }, async () => {
    const world = await applied(stateIn(temporaryFolder()));
    await lose(world.place);
    await loseCopies(world.place);
    const { code, stdout, stderr } = await world.run("stack", "repair", "--yes");
    expect(code, stderr + stdout).toBe(0);
    expect(stdout).toContain(
      `The workspace has ${OBJECTS} objects of the file that are missing from the state`,
    );
    expect(stdout).toContain(`Added to the state: ${OBJECTS} objects`);
    await expectRepaired(world);
  });
});

it.runIf(tellsAllStories)(
  "a lost state with an old copy gets what was created since, and differences are shown",
  { timeout: 600_000 },
  async () => {
    const world = await applied(stateIn(temporaryFolder()));
    const { run, place, file, edit, get } = world;
    const old = (await place.text(STATE)) ?? "";
    writeFileSync(file, FILE.replace("  QA:", "  Ops: { description: On call }\n  QA:"));
    expect((await run("up", "--yes")).code).toBe(0);
    await loseCopies(place);
    await place.put(`${STATE}.bak`, old);
    await place.put(STATE, "");
    // Nobody has created this one, and somebody has changed another.
    writeFileSync(file, FILE.replace("  QA:", "  New: {}\n  Ops: { description: On call }\n  QA:"));
    const { groups } = await get<{ groups: { id: number; name: string }[] }>("/groups");
    await edit("PATCH", `/groups/${groups.find(({ name }) => name === "QA")?.id}`, { description: "Hobby" });
    world.emulator.journal.clear();
    const { code, stdout, stderr } = await run("stack", "repair", "--yes");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(
      "The workspace has 1 object of the file that are missing from the state: groups/Ops.",
    );
    expect(world.emulator.journal.writes()).toEqual([]);
    expect((await run("preview")).stdout).toContain("Plan: 1 to create, 1 to update, 0 to delete, ");
  },
);

it(
  "a state that Pulumi refuses is repaired, or replaced by its latest copy",
  { timeout: 600_000 },
  async () => {
    const world = await applied(stateIn(temporaryFolder()));
    const damage = async (id?: string) => {
      const state = JSON.parse((await world.place.text(STATE)) ?? "") as State;
      const group = state.checkpoint.latest.resources.find(({ urn }) => urn.endsWith("::groups/QA"));
      if (group) state.checkpoint.latest.resources.push({ ...group, ...(id === undefined ? {} : { id }) });
      await world.place.put(STATE, JSON.stringify(state));
      await world.place.deleteAll([`${STATE}.attrs`]);
      const { code, stderr } = await world.run("preview");
      expect({ code, stderr }).toMatchObject({ code: 1 });
      expect(stderr).toContain("is damaged: it contains groups/QA 2 times");
      expect(stderr).toContain("stack repair");
    };
    await damage();
    const same = await world.run("stack", "repair", "--yes");
    expect(same.code, same.stderr).toBe(0);
    expect(same.stdout).toContain("It was repaired. A copy of the damaged state is ");
    expect((await world.run("preview")).stdout).toContain(`No changes: ${OBJECTS} objects as declared`);
    await damage("acme/4711");
    const other = await world.run("stack", "repair", "--yes");
    expect(other.code, other.stderr).toBe(0);
    expect(other.stdout).toContain("was restored");
    await expectRepaired(world);
  },
);

interface State {
  readonly checkpoint: { readonly latest: { readonly resources: { urn: string; id?: string }[] } };
}

it.runIf(tellsAllStories)(
  "a new, empty state in the place of a lost one is not taken for the real one",
  { timeout: 600_000 },
  async () => {
    const world = await applied(stateIn(temporaryFolder()));
    await world.place.deleteAll([STATE, `${STATE}.attrs`]);
    const init = await workspacectl(["pulumi", "--", "stack", "init", "dev"], world.folder, world.env);
    expect(init.code, init.stderr).toBe(0);
    const { code, stdout, stderr } = await world.run("stack", "repair", "--yes");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("has 0 objects");
    await expectRepaired(world);
  },
);

it.runIf(tellsAllStories)(
  "a state that is lost with a killed run gets what the journal knows",
  { timeout: 600_000 },
  async () => {
    const where = stateIn(temporaryFolder());
    const { run, emulator, folder, env, file, get } = await setUp(FILE, { echoMemberEmail: true }, where);
    emulator.faults.add({ kind: "delay", method: "POST", path: /pipelines$/, delayMs: 60_000 });
    const running = start(["up", "--yes", "--create-stack", "-f", file], folder, env);
    const created = () => emulator.journal.writes().filter(({ status }) => status === 201);
    while (created().length < 5 && running.exitCode == null) await sleep(5);
    signal(await tree(running.pid), "SIGKILL");
    await running;
    emulator.faults.clear();
    const place = (await openPlace(new StateAddress(where["PULUMI_BACKEND_URL"] ?? ""), where)) as Bucket;
    await place.deleteAll([STATE, `${STATE}.attrs`, `${JOURNALS}/state-at-start.json`]);
    await loseCopies(place);
    // Only the journal knows this one.
    writeFileSync(file, FILE.replace(/ {2}QA:.*\n/, "  Ops: {}\n"));
    emulator.journal.clear();
    const { code, stdout, stderr } = await run("stack", "repair", "--yes");
    expect(code, stderr + stdout).toBe(0);
    expect(stderr).toContain("5 created or adopted objects are now in the state");
    expect(emulator.journal.writes()).toEqual([]);
    expect((await run("preview")).stdout).toContain("Plan: 5 to create, 1 to update, 2 to delete, ");
    expect((await run("up", "--yes", "--allow-delete", "**")).code).toBe(0);
    expect(await get("/groups")).toMatchObject({ groups: [{ name: "Ops" }] });
  },
);

describe.skipIf(!hasPseudoTerminal)("on a terminal", () => {
  it("each step is asked for, and a refusal changes nothing", { timeout: 600_000 }, async () => {
    const { place, folder, env, file } = await applied(stateIn(temporaryFolder()));
    await loseCopies(place);
    const cut = ((await place.text(STATE)) ?? "").slice(0, 1_000);
    await place.put(STATE, cut);
    const repair = (...typed: readonly (readonly [string, string])[]) =>
      inTerminal(["stack", "repair", "-f", file], folder, env, { columns: 120, typed });
    const [rebuild, add] = ["Rebuild it from what the workspace has?", "Add them to the state?"];
    const refused = await repair([rebuild, "n"]);
    expect([refused.code, await place.text(STATE)]).toEqual([exitCodes.declined, cut]);
    const half = await repair([rebuild, "y"], [add, "n"]);
    expect(half.code).toBe(exitCodes.declined);
    const repaired = await repair([add, "y"]);
    expect(repaired.screen).toContain(`Added to the state: ${OBJECTS} objects`);
  });
});

it.skipIf(skip !== undefined || !tellsAllStories)(
  "a state in a bucket is repaired in the same way",
  { timeout: 600_000 },
  async () => {
    const world = await applied({ ...store.env, PULUMI_BACKEND_URL: store.backend });
    await losses["is cut"]?.(world.place);
    const restored = await world.run("stack", "repair", "--yes");
    expect(restored.stdout, restored.stderr).toContain("was restored.");
    await losses["is empty"]?.(world.place);
    await loseCopies(world.place);
    const added = await world.run("stack", "repair", "--yes");
    expect(added.stdout, added.stderr).toContain(`Added to the state: ${OBJECTS} objects`);
    await expectRepaired(world);
  },
);

it("a stack that never was is not invented", { timeout: 600_000 }, async () => {
  const { run, place } = await applied(stateIn(temporaryFolder()));
  const { code, stderr } = await run("stack", "repair", "--yes", "--stack", "typo");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("stack typo (named with --stack) does not exist yet"),
  ]);
  expect(await place.text(STATE.replace("dev", "typo"))).toBeUndefined();
});
