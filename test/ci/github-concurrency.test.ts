/**
 * Plays random pushes, merges, schedules and approvals against the workflows of examples/ci, in a model of GitHub's rules: nothing
 * that is merged gets lost, no preview or drift is in the way of a run that applies, and only one applies at a time.
 */
import { describe, expect, it } from "vitest";
import { randomOf } from "../chaos/random.js";
import { GitHub } from "./github-model.js";
import { readWorkflow, type Workflow } from "./workflow.js";

const checks = ["github/workflows/check.yml", "github/workflows/preview.yml"];
const sets: Readonly<Record<string, readonly string[]>> = {
  "approval by an environment": [...checks, "github/workflows/up.yml", "github/workflows/drift.yml"],
  "approval by a merge": [...checks, "github/on-merge/up.yml", "github/workflows/drift.yml"],
  "a fleet": [...checks, "fleet/github/up.yml", "fleet/github/drift.yml"],
};
const seed = Number(process.env["CI_MODEL_SEED"] ?? 20261124);
const sequences = Number(process.env["CI_MODEL_SEQUENCES"] ?? 100);

type Alter = (path: string, workflow: Workflow) => Workflow;
const unaltered: Alter = (_, workflow) => workflow;

/** Plays one sequence until nothing moves any more. @returns what went wrong */
function play(of: string, number: number, alter = unaltered): string[] {
  const random = randomOf(number);
  const workflows = new Map((sets[of] ?? []).map((path) => [path, alter(path, readWorkflow(path))]));
  const gitHub = new GitHub(workflows, random, { approvals: of !== "approval by a merge" });
  const hasQueue = random.chance(0.3);
  const waiting = () => gitHub.runs.filter(({ state }) => state === "waiting");
  const events = [
    () => gitHub.open(),
    () =>
      gitHub.pulls.length > 0 &&
      gitHub.push(
        random.pick(gitHub.pulls.filter(({ isMerged }) => !isMerged).concat(gitHub.pulls.slice(-1))),
      ),
    () =>
      gitHub.pulls.length > 0 &&
      (hasQueue ? gitHub.enqueue(random.pick(gitHub.pulls)) : gitHub.merge(random.pick(gitHub.pulls))),
    () => gitHub.schedule(),
    () => gitHub.dispatch(),
    () => waiting().length > 0 && gitHub.approve(random.pick(waiting())),
    () => random.chance(0.1) && waiting().length > 0 && gitHub.reject(random.pick(waiting())),
  ];
  for (let at = 0; at < 60; at++) {
    if (random.chance(0.4)) random.pick(events)();
    for (let steps = random.below(6); steps > 0; steps--) gitHub.step();
  }
  while (gitHub.step() || waiting().length > 0) for (const run of waiting()) gitHub.approve(run);
  return [...gitHub.faults, ...leftOver(gitHub)];
}

/** Returns what a merge has not led to in the end, although nobody rejected it and no run says so. */
function leftOver(gitHub: GitHub): string[] {
  const faults: string[] = [];
  const isRed = gitHub.runs.some(
    ({ state, content, plan }) =>
      ["failure", "rejected"].includes(state) &&
      [content, plan?.to ?? []].some((to) => to.length === gitHub.main.length),
  );
  const parts = [...gitHub.workflows.keys()].some((path) => path.startsWith("fleet/"))
    ? ["canary", "rest"]
    : ["workspace"];
  for (const part of parts) {
    const lost = gitHub.main.filter((change) => !gitHub.applied.get(part)?.includes(change));
    if (lost.length > 0 && !isRed) faults.push(`${part}: ${lost.join(", ")} was merged and never applied`);
  }
  if (gitHub.queued.size > 0) faults.push("the merge queue waits for ever");
  const stuck = gitHub.runs.filter(({ state }) => state === "pending" || state === "waiting");
  if (stuck.length > 0) faults.push(`${stuck.length} runs wait for ever`);
  return faults;
}

/** Plays sequences until one shows a fault. @returns it, with the seed that shows it again */
function firstFault(of: string, alter?: Alter, like = /./): string {
  for (let at = 0; at < sequences; at++) {
    const fault = play(of, seed + at, alter).find((one) => like.test(one));
    if (fault !== undefined) return `CI_MODEL_SEED=${seed + at} CI_MODEL_SEQUENCES=1: ${fault}`;
  }
  return "none";
}

describe("the workflows of GitHub", () => {
  it.each(Object.keys(sets))(`hold their promises: %s (seed ${seed})`, (of) => {
    expect(firstFault(of)).toBe("none");
  });

  it("apply something at all, several times in a sequence", () => {
    const random = randomOf(seed);
    const gitHub = new GitHub(new Map(sets["a fleet"]!.map((path) => [path, readWorkflow(path)])), random, {
      approvals: false,
    });
    for (let at = 0; at < 5; at++) {
      gitHub.open();
      while (gitHub.step());
      gitHub.merge(gitHub.pulls.at(-1)!);
      while (gitHub.step());
    }
    expect(gitHub.applied).toEqual(
      new Map([
        ["canary", [1, 2, 3, 4, 5]],
        ["rest", [1, 2, 3, 4, 5]],
      ]),
    );
  });

  it("apply what was merged while a hundred and fifty runs wanted to wait", () => {
    const paths = ["fleet/github/up.yml"];
    const gitHub = new GitHub(new Map(paths.map((path) => [path, readWorkflow(path)])), randomOf(seed), {
      approvals: false,
    });
    gitHub.main = [1];
    for (let at = 0; at < 150; at++) gitHub.dispatch();
    expect(gitHub.runs.filter(({ state }) => state === "cancelled")).toHaveLength(49);
    while (gitHub.step());
    expect([...gitHub.applied.values(), gitHub.faults]).toEqual([[1], [1], []]);
  });

  const isUp = (path: string) => path.endsWith("up.yml");
  const grouped = (workflow: Workflow, concurrency: Workflow["concurrency"]) => ({
    ...workflow,
    concurrency,
  });
  const inText = (workflow: Workflow, from: string | RegExp, to: string) =>
    JSON.parse(JSON.stringify(workflow).replace(from, to)) as Workflow;

  const mistakes: readonly [string, string, Alter, RegExp][] = [
    [
      "one group for previews, drift and updates",
      "approval by an environment",
      (path, workflow) => (path.endsWith("check.yml") ? workflow : grouped(workflow, "workspace-us")),
      /up.yml .* is cancelled by .*preview.yml/,
    ],
    [
      "one group for drift and updates",
      "a fleet",
      (path, workflow) =>
        /up|drift/.test(path) ? grouped(workflow, { group: "fleet", queue: "max" }) : workflow,
      /up.yml .* waits for .*drift.yml/,
    ],
    [
      "a group that keeps one waiting run",
      "a fleet",
      (path, workflow) => (isUp(path) ? grouped(workflow, "up-us") : workflow),
      /up.yml .* is cancelled by .*up.yml/,
    ],
    [
      "an update that a newer one cancels",
      "a fleet",
      (path, workflow) =>
        isUp(path) ? grouped(workflow, { group: "fleet-up", "cancel-in-progress": true }) : workflow,
      /up.yml .* is cancelled by .*up.yml/,
    ],
    [
      "no group",
      "a fleet",
      (path, workflow) => (isUp(path) ? grouped(workflow, undefined) : workflow),
      /applies while/,
    ],
    [
      "the commit of the event in place of the newest",
      "a fleet",
      (path, workflow) => (isUp(path) ? inText(workflow, '"ref":"main",', "") : workflow),
      /undoes \d/,
    ],
    [
      "no check for a merge queue",
      "approval by an environment",
      (path, workflow) =>
        path.endsWith("check.yml") ? inText(workflow, /,?"merge_group":null/, "") : workflow,
      /the merge queue waits for ever/,
    ],
    [
      "a preview that a check of an older commit cancels",
      "approval by an environment",
      (path, workflow) =>
        path.endsWith("preview.yml")
          ? inText(
              workflow,
              "github.event.workflow_run.conclusion == 'success' && github.event.workflow_run.pull_requests[0].number || github.run_id",
              "github.event.workflow_run.event",
            )
          : workflow,
      /preview.yml .* is cancelled by .*preview.yml/,
    ],
  ];

  it.each(mistakes)("would break a promise with %s", (_, of, alter, fault) => {
    expect(firstFault(of, alter, fault)).toMatch(fault);
  });
});
