/**
 * Kills runs at random moments, with the state in a folder and in a bucket, and continues on another machine, where nothing of the first
 * one is left: with any command, or with a run that was waiting. Needs a build, and Go for the bucket. KILLS is the number of kills of each
 * place (default 5), SEED repeats them.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { exitCodes } from "../../automation/report/exit-codes.js";
import { listNamesIn } from "../../recovery/stores.js";
import { differences } from "../chaos/compare.js";
import { laterPlan, type Plan, randomPlan } from "../chaos/plan.js";
import { signal, tree } from "../chaos/processes.js";
import { type Random, randomOf } from "../chaos/random.js";
import { missingGo } from "./language-hosts.js";
import { type ObjectStore, objectStoreForTests } from "./s3.js";
import {
  connected,
  emulatorForTests,
  type Ended,
  isolated,
  start,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const skip = await missingGo();
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const kills = Array.from({ length: Number(process.env["KILLS"] ?? 5) }, (_, index) => seed + index);
const ALLOWED = ["--yes", "--allow-delete", "**"];
const commands = {
  up: ["up", "--create-stack", "--max-deletes", "1000", "--max-delete-share", "100", ...ALLOWED],
  destroy: ["destroy", "--include-protected", ...ALLOWED],
};
type Change = keyof typeof commands;
/** Commands between the kill and the run that completes it. */
const between: readonly (readonly string[])[] = [
  ["preview"],
  ["drift"],
  ["drift", "revert", "--all", "--yes"],
  ["drift", "accept", "--all", "--dry-run"],
  ["refresh"],
  ["import"],
  ["compare", "workspace.yaml"],
  ["stack", "repair", "--yes"],
  ["stack", "export"],
  ["stack", "unlock", "--yes", "--force"],
];
/** An import says which declared objects do not exist, and nothing may be there to accept or revert. */
const fine: readonly unknown[] = [exitCodes.ok, exitCodes.drift, exitCodes.incomplete];

interface Place {
  readonly env: NodeJS.ProcessEnv;
  /** Files of a folder below the place. */
  readonly files: (folder: string) => Promise<readonly string[]>;
}

let store: ObjectStore;
const places: Readonly<Record<string, () => Place>> = {
  "a folder": () => {
    const root = temporaryFolder();
    return {
      env: { PULUMI_BACKEND_URL: pathToFileURL(root).href },
      files: (folder) => Promise.resolve(listNamesIn(join(root, folder))),
    };
  },
  "a bucket": () => ({
    env: { ...store.env, PULUMI_BACKEND_URL: store.backend },
    files: (folder) => store.keys(`${folder}/`),
  }),
};

/** Machines that share nothing but the place of the state. */
class Machines {
  plan: Plan & { adopt?: boolean };

  private constructor(
    private readonly place: Place,
    readonly stack: string,
    random: Random,
    readonly emulator: Awaited<ReturnType<typeof emulatorForTests>>,
  ) {
    this.plan = randomPlan(random, emulator.workspace);
  }

  static async open(place: Place, stack: string, random: Random): Promise<Machines> {
    const emulator = await emulatorForTests({ strictBodies: true, latencyMs: 10, echoMemberEmail: true });
    return new Machines(place, stack, random, emulator);
  }

  start(change: Change) {
    const { folder, env } = this.machine();
    return start([...commands[change], "--stack", this.stack], folder, env);
  }

  run(argv: readonly string[], stack = this.stack): Promise<Ended> {
    const { folder, env } = this.machine();
    const side = argv[0] === "compare" ? [`stack:${stack}`] : ["--stack", stack];
    return workspacectl([...argv, ...side], folder, env);
  }

  async apply(stack = this.stack): Promise<void> {
    const { code, stderr } = await this.run(commands.up, stack);
    expect(code, stderr).toBe(0);
  }

  files(folder: string): Promise<readonly string[]> {
    return this.place.files(`.pulumi/${folder}/workspace-automation/${this.stack}`);
  }

  async isMade(): Promise<boolean> {
    const states = await this.place.files(".pulumi/stacks/workspace-automation");
    return states.some((name) => name.endsWith(`${this.stack}.json`));
  }

  private machine() {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "pulumi-home"));
    writeFileSync(join(folder, "workspace.yaml"), stringify(this.plan, { aliasDuplicateObjects: false }));
    return { folder, env: isolated(folder, { ...connected(this.emulator), ...this.place.env }) };
  }
}

/** Prepares what the killed run finds. */
async function setScene(machines: Machines, killed: Change, random: Random): Promise<string> {
  const scene = killed === "destroy" ? "applied" : random.pick(["new", "new", "changed", "existing"]);
  if (scene === "new") return scene;
  await machines.apply(scene === "existing" ? `${machines.stack}-lost` : undefined);
  if (scene === "changed") machines.plan = laterPlan(random, machines.plan);
  if (scene === "existing") machines.plan = { ...machines.plan, adopt: true };
  return scene;
}

describe.each(Object.entries(places))(`kill -9 with the state in %s (seed ${seed})`, (where, placeFor) => {
  const isSkipped = where === "a bucket" && skip !== undefined;
  beforeAll(async () => {
    if (where === "a bucket" && !isSkipped) store = await objectStoreForTests();
  }, 600_000);

  it.skipIf(isSkipped).each(kills)("seed %i", { timeout: 600_000 }, async (one) => {
    const random = randomOf(one);
    const machines = await Machines.open(placeFor(), `kill-${one}`, random);
    const { journal } = machines.emulator;
    const killed = random.pick<Change>(["up", "up", "destroy"]);
    const last = random.pick<Change>(["up", "up", "destroy"]);
    const scene = await setScene(machines, killed, random);
    const [afterWrites, delayMs] = [random.below(20), random.below(60)];
    const isWaiting = random.chance(0.3);
    const next = isWaiting || random.chance(0.2) ? [] : [random.pick(between), random.pick(between)];
    const story = [scene, `${killed} killed after ${afterWrites}`, ...next.map((one) => one.join(" ")), last];

    journal.clear();
    const running = machines.start(killed);
    while (journal.writes().length < Math.min(afterWrites, 1) && running.exitCode == null) await sleep(2);
    const second = isWaiting ? machines.start(last) : undefined;
    while (journal.writes().length < afterWrites && running.exitCode == null) await sleep(2);
    await sleep(delayMs);
    signal(await tree(running.pid), "SIGKILL");
    await running;
    // A run that was killed before it created the stack has done nothing.
    const isMade = await machines.isMade();
    for (const argv of isMade ? next : []) {
      journal.clear();
      const { code, stdout, stderr } = await machines.run(argv);
      const told = `seed ${one}: ${story.join(", ")}\n${argv.join(" ")} ended with ${code}:\n${stdout}${stderr}`;
      expect.soft(fine, told).toContain(argv[0] === "import" && code === 1 ? 0 : code);
      if (argv[1] !== "revert") expect.soft(journal.writes(), told).toEqual([]);
    }
    if (last === "destroy" && !isMade && !second) return;
    const { exitCode, stdout, stderr } = await (second ?? machines.start(last));
    const told = `seed ${one}: ${story.join(", ")}${second ? " (waiting)" : ""}\n${stdout}${stderr}`;
    expect(exitCode, told).toBe(0);
    expect(await differences(machines.emulator, last === "up" ? machines.plan : undefined), told).toEqual([]);
    // A run that was killed after all its work may leave the record of a lock that is gone, until the next one that changes something.
    const hadWork = !/^(Nothing to delete|No changes)/m.test(stdout);
    const holders = hadWork ? ["workspacectl/lock-holders"] : [];
    for (const folder of ["workspacectl/journal", "locks/organization", ...holders])
      expect(await machines.files(folder), `${told}\n${folder}`).toEqual([]);
    if (last === "destroy") return;
    const preview = await machines.run(["preview"]);
    expect(preview.stdout, `${told}\n${preview.stderr}`).toContain("No changes");
    expect(preview.stdout, told).not.toContain("changed outside");
  });
});
