/** Plays random pushes, merges and schedules against the jobs of examples/ci for GitLab, in a model of its rules. */
import { describe, expect, it } from "vitest";
import { randomOf } from "../chaos/random.js";
import { component, readGitLab } from "./gitlab-file.js";
import { type Configuration, GitLab, type JobFile } from "./gitlab-model.js";

const seed = Number(process.env["CI_MODEL_SEED"] ?? 20261124);
const sequences = Number(process.env["CI_MODEL_SEQUENCES"] ?? 100);
const workspace = component;
const fleet = "fleet/gitlab/.gitlab-ci.yml";

function read(path: string): Configuration {
  const { stages, workflow, ...others } = readGitLab(path) as unknown as Configuration;
  const jobs = Object.entries(others).filter(([, job]) => typeof job === "object" && "stage" in job);
  return {
    stages,
    ...(workflow ? { workflow } : {}),
    jobs: Object.fromEntries(jobs),
  };
}

type Mode = "oldest_first" | "unordered";

/** Plays one sequence until nothing moves any more, and a person has started the newest `up`. @returns what went wrong */
function play(configuration: Configuration, number: number, mode: Mode): string[] {
  const random = randomOf(number);
  const gitLab = new GitLab(configuration, random, mode);
  let opened = 0;
  const manual = () => gitLab.jobs.filter(({ state }) => state === "manual");
  const merge = () => {
    gitLab.main = [...gitLab.main, gitLab.main.length + 1];
    gitLab.create("push", "main", gitLab.main);
  };
  const events = [
    () => gitLab.create("merge_request_event", `!${++opened}`, gitLab.main),
    () => opened > 0 && gitLab.create("merge_request_event", `!${random.between(1, opened)}`, gitLab.main),
    merge,
    () => gitLab.create("schedule", "main", gitLab.main),
    () => manual().length > 0 && gitLab.play(random.pick(manual())),
  ];
  for (let at = 0; at < 60; at++) {
    if (random.chance(0.4)) random.pick(events)();
    for (let steps = random.below(6); steps > 0; steps--) gitLab.step();
  }
  merge();
  while (gitLab.step());
  const newest = gitLab.pipelines.findLast(({ event }) => event === "push")?.jobs ?? [];
  const start = (name: string) => {
    for (const job of newest.filter((one) => one.name === name)) gitLab.play(job);
    while (gitLab.step());
  };
  const isApplied = () => newest.every(({ name, state }) => name !== "up" || state === "success");
  // A person starts the newest one, and repeats its plan if an older one has come between.
  for (const names of [["up"], ["plan", "up"]]) if (!isApplied()) names.forEach(start);
  const parts = Object.keys(configuration.jobs).includes("canary") ? ["canary", "rest"] : ["workspace"];
  const lost = parts.flatMap((part) =>
    gitLab.main.filter((change) => !gitLab.applied.get(part)?.includes(change)),
  );
  return [...gitLab.faults, ...(lost.length > 0 ? [`${lost.join(", ")} was merged and never applied`] : [])];
}

function firstFault(configuration: Configuration, mode: Mode = "oldest_first", like = /./): string {
  for (let at = 0; at < sequences; at++) {
    const fault = play(configuration, seed + at, mode).find((one) => like.test(one));
    if (fault !== undefined) return `CI_MODEL_SEED=${seed + at} CI_MODEL_SEQUENCES=1: ${fault}`;
  }
  return "none";
}

describe("the jobs of GitLab", () => {
  it.each([workspace, fleet])(`%s: hold their promises (seed ${seed})`, (path) => {
    expect(firstFault(read(path))).toBe("none");
  });

  const without = (configuration: Configuration, key: keyof JobFile): Configuration => {
    const jobs = Object.entries(configuration.jobs).map(
      ([name, { [key]: _, ...job }]) => [name, job] as const,
    );
    return { ...configuration, jobs: Object.fromEntries(jobs) };
  };
  const withGroup = (configuration: Configuration, name: string, resource_group: string): Configuration => ({
    ...configuration,
    jobs: { ...configuration.jobs, [name]: { ...configuration.jobs[name], resource_group } },
  });

  it("would break a promise with the usual cancellation, one group for everything, or no order", () => {
    const { workflow: _, ...usual } = read(fleet);
    expect(firstFault(usual, "oldest_first", /cancelled/)).toMatch(
      /(canary|rest) of .* is cancelled by a push/,
    );
    const grouped = withGroup(read(workspace), "preview", "workspace-us");
    expect(firstFault(grouped, "oldest_first", /waits/)).toMatch(/up of .* waits for preview/);
    expect(firstFault(read(fleet), "unordered", /undoes/)).toMatch(/rest of .* undoes/);
    const ungrouped = without(read(workspace), "resource_group");
    expect(firstFault(ungrouped, "oldest_first", /while/)).toMatch(/up of .* applies while up/);
  });
});
