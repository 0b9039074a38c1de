/**
 * Kills runs whose state is in a bucket at random moments, and continues on another machine, where nothing of the first one is left. Needs
 * a build and Go. KILLS is the number of kills (default 10), SEED repeats them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { differences } from "../chaos/compare.js";
import { randomPlan, type Plan } from "../chaos/plan.js";
import { signal, tree } from "../chaos/processes.js";
import { randomOf } from "../chaos/random.js";
import { stringify } from "yaml";
import { missingGo } from "./language-hosts.js";
import { objectStoreForTests, type ObjectStore } from "./s3.js";
import { connected, emulatorForTests, isolated, start, temporaryFolder, workspacectl } from "./support.js";

const skip = await missingGo();
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const kills = Array.from({ length: Number(process.env["KILLS"] ?? 10) }, (_, index) => seed + index);
const ALLOWED = ["--yes", "--allow-delete", "**"];
const commands = {
  up: ["up", "--create-stack", "--max-deletes", "1000", "--max-delete-share", "100", ...ALLOWED],
  destroy: ["destroy", "--include-protected", ...ALLOWED],
  preview: ["preview"],
};

let store: ObjectStore;
beforeAll(async () => {
  if (skip === undefined) store = await objectStoreForTests();
}, 600_000);

describe.skipIf(skip !== undefined)(
  `kill -9 with a state in a bucket (seed ${seed})`,
  { timeout: 300_000 },
  () => {
    it.each(kills)("seed %i", async (one) => {
      const random = randomOf(one);
      const emulator = await emulatorForTests({ strictBodies: true, latencyMs: 10, echoMemberEmail: true });
      const plan: Plan = randomPlan(random, emulator.workspace);
      const stack = `kill-${one}`;
      /** A machine with nothing on it but the workspace file. */
      const machine = () => {
        const folder = temporaryFolder();
        writeFileSync(join(folder, "workspace.yaml"), stringify(plan, { aliasDuplicateObjects: false }));
        const env = isolated(folder, {
          ...connected(emulator),
          ...store.env,
          PULUMI_BACKEND_URL: store.backend,
        });
        const args = (command: keyof typeof commands) => [...commands[command], "--stack", stack];
        return {
          start: (command: keyof typeof commands) => start(args(command), folder, env),
          run: (command: keyof typeof commands) => workspacectl(args(command), folder, env),
        };
      };
      const killed = random.pick(["up", "destroy"] as const);
      if (killed === "destroy") expect(await machine().run("up")).toMatchObject({ code: 0 });
      emulator.journal.clear();
      const running = machine().start(killed);
      const after = random.below(20);
      while (emulator.journal.writes().length < after && running.exitCode == null) await sleep(2);
      await sleep(random.below(60));
      signal(await tree(running.pid), "SIGKILL");
      await running;

      if (random.chance(0.5)) expect((await machine().run("preview")).code).toBe(0);
      const last = random.pick(["up", "destroy"] as const);
      // A run that was killed before it created the stack has done nothing.
      const isMade = (await store.keys(`.pulumi/stacks/workspace-automation/${stack}.json`)).length > 0;
      if (last === "destroy" && !isMade) return;
      const ended = await machine().run(last);
      expect(ended.code, `${killed}, then ${last}: ${ended.stdout}${ended.stderr}`).toBe(0);
      expect(await differences(emulator, last === "up" ? plan : undefined)).toEqual([]);
      for (const left of ["workspacectl/journal", "workspacectl/lock-holders", "locks/organization"])
        expect(await store.keys(`.pulumi/${left}/workspace-automation/${stack}/`)).toEqual([]);
      if (last === "destroy") return;
      const { stdout } = await machine().run("preview");
      expect(stdout).toContain("No changes");
    });
  },
);
