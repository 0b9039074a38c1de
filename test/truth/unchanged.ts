/**
 * What is said of an unchanged workspace without Pulumi's engine is what the engine says: a random workspace is changed by hand, in its file
 * or not at all, and whenever a command does without the engine, it is run again with it.
 */
import { writeFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { EngineStack } from "../../automation/stack/engine-stack.js";
import { type Random, randomOf } from "../chaos/random.js";
import { type Ran, run } from "../cli/support.js";
import { type Setup, setUp, withoutProgress } from "../e2e/support.js";
import { catchUp, chooseService, useProfile } from "../services/chosen-service.js";
import { editAtRandom } from "./outside-edits.js";
import { laterWorkspace, randomWorkspace, textOf, type Workspace } from "./workspace.js";

const EMULATED = { echoMemberEmail: true, strictBodies: true, rateLimit: 1_000_000 };
const ALLOWED = ["--yes", "--allow-delete", "**", "--max-deletes", "1000", "--max-delete-share", "100"];

/** A setting for the engine, which is its default. With one, the engine is always asked. */
export const FOR_ENGINE = { PULUMI_PARALLEL: "16" };

const COMMANDS = [
  ["preview", "--format", "json"],
  ["preview", "--format", "md", "--details"],
  ["preview", "--exit-code"],
  ["drift", "--format", "json"],
  ["drift", "--added", "all"],
];

/** Runs commands in this process, and counts how often they start the engine. */
export function countStarts(): () => number {
  const start = vi.spyOn(EngineStack.prototype as unknown as { start: () => void }, "start");
  return () => start.mock.calls.length;
}

/** Removes what differs between two runs of a command: times, progress and the requests that are left in the hour. */
export function withoutTimes({ code, stdout, stderr }: Ran): Ran {
  const normal = (text: string) =>
    withoutProgress(text)
      .replaceAll(/"(generatedAt|resetAt|seconds|milliseconds|remaining)": ("[^"]*"|[\d.]+)/g, '"$1": 0')
      .replaceAll(/ *\d+\.\d s\b|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?/g, "(time)");
  return { code, stdout: normal(stdout), stderr: normal(stderr) };
}

interface Looked {
  /** What happened since the last `up`. */
  readonly events: readonly string[];
  /** Whether the command did without the engine. */
  readonly isShort: boolean;
}

/** @param looks how often a command looks at the workspace */
export async function compareAnswers(seed: number, looks: number): Promise<Looked[]> {
  const random = randomOf(seed);
  const starts = countStarts();
  const world = await setUp("version: 1\n", { ...chooseService(seed), ...EMULATED }, { PULUMI_STACK: "dev" });
  Object.assign(world.env, useProfile(world.emulator, world.folder));
  const command = async (argv: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    await catchUp(world.emulator);
    return run([...argv, "-f", world.file], { ...world.env, ...env });
  };
  let workspace = randomWorkspace(random, world.emulator.workspace);
  writeFileSync(world.file, textOf(workspace));
  expect(await command(["up", "--create-stack", ...ALLOWED])).toMatchObject({ code: 0 });
  const looked: Looked[] = [];
  let events: string[] = [];
  let hasLooked = false;
  while (looked.length < looks) {
    // The first look after an `up` is at what it has left.
    if (hasLooked) {
      const [event, changed] = await change(world, workspace, random);
      workspace = changed;
      events = [...events, event];
    }
    hasLooked = true;
    const argv = random.pick(COMMANDS);
    const before = starts();
    const answer = await command(argv);
    const isShort = starts() === before;
    const story = `seed ${seed}, ${argv.join(" ")}, after ${events.join("; ") || "nothing"}`;
    if (isShort) expect(withoutTimes(answer), story).toEqual(withoutTimes(await command(argv, FOR_ENGINE)));
    looked.push({ events, isShort });
    if (events.length === 0 || random.chance(0.5)) continue;
    // Not every random change can be applied.
    if ((await command(["up", ...ALLOWED])).code !== 0) return looked;
    events = [];
    hasLooked = false;
  }
  return looked;
}

/** Lets something happen to the workspace or its file. @returns what, and the contents of the file */
async function change(
  { emulator, file }: Setup,
  workspace: Workspace,
  random: Random,
): Promise<[event: string, changed: Workspace]> {
  const where = random.pick(["by hand", "in the file", "in an entry"]);
  if (where === "by hand") {
    const [made] = await editAtRandom(emulator, random, 1, { recreates: true });
    return [made?.text ?? where, workspace];
  }
  const copy = structuredClone(workspace);
  const later = where === "in the file" ? laterWorkspace(random, copy) : withOption(random, copy);
  writeFileSync(file, textOf(later));
  return [where, later];
}

/** Sets what the engine keeps next to an object, or a guard. */
function withOption(random: Random, workspace: Workspace): Workspace {
  const options = [
    { protect: true },
    { retain: true },
    { ignoreChanges: ["description"] },
    { description: "" },
  ];
  const entries = Object.values(workspace.groups);
  if (entries.length === 0 || random.chance(0.2))
    return { ...workspace, guards: { maxDeletes: random.between(1, 9) } } as Workspace;
  Object.assign(random.pick(entries), random.pick(options));
  return workspace;
}
