/** Generates random workspace files with every kind of object that a file can declare, and with values of any size. */
import { stringify } from "yaml";
import { getDefinition } from "../../provider/index.js";
import { type Action, laterPlan, type Plan, type Project, randomPlan } from "../chaos/plan.js";
import type { Random } from "../chaos/random.js";

/** Paths of files in repositories. */
export const FILES = ["README.md", "docs/how to.md", "run.sh", "large.txt"];

type Json = Record<string, unknown>;

/** A workspace file, with the sections that `chaos/plan.ts` does not generate. */
export type Workspace = Plan;

/** Schedules differ in how they are restored after somebody changed the trigger mode. */
const SCHEDULES: readonly Json[] = [
  { cron: "0 2 * * *" },
  { cron: "0 2 * * *", cronUpdates: "patch" },
  { cron: "0 2 * * *", cronUpdates: "replace", paused: true },
  { startDate: "2030-01-01T00:00:00Z", delay: 60 },
];

/** Types of actions, each with the arguments that its definition gives as an example. */
const actionExamples = Object.entries(getDefinition("Action").variants?.of ?? {}).map(
  ([name, { examples }]) => ({ name, create: examples.create }),
);

export function randomWorkspace(random: Random, domain: string): Workspace {
  return withAllKinds(random, randomPlan(random, domain));
}

/** Generates a later version: objects are added, removed, changed, reordered and renamed. */
export function laterWorkspace(random: Random, before: Workspace): Workspace {
  const later = withAllKinds(random, laterPlan(random, before));
  for (const project of Object.values(later.projects))
    for (const name of Object.keys(project.pipelines)) if (random.chance(0.2)) delete project.pipelines[name];
  return withNewNames(random, later);
}

/** Gives some objects of each kind that has a name another one, and says the former one. */
export function withNewNames(random: Random, workspace: Workspace, share = 0.2): Workspace {
  const renamed = <T extends object>(entries: Readonly<Record<string, T>>, more: string): Record<string, T> =>
    Object.fromEntries(
      Object.entries(entries).map(([name, entry]) =>
        random.chance(share) && !(`${name}${more}` in entries)
          ? [`${name}${more}`, { ...entry, previously: [name] }]
          : [name, entry],
      ),
    );
  const sets = renamed(workspace.permissionSets, " two");
  const nameOfSet = (name: string) =>
    Object.entries(sets).find(([, set]) => "previously" in set && String(set.previously) === name)?.[0] ??
    name;
  const ofProject = (project: Project): Project => ({
    ...project,
    members: Object.fromEntries(
      Object.entries(project.members).map(([email, member]) => [
        email,
        { ...member, permissionSet: nameOfSet(member.permissionSet) },
      ]),
    ),
    variables: renamed(project.variables, "_TWO"),
    pipelines: renamed(mapEntries(project.pipelines, ofPipeline), " two"),
  });
  const ofPipeline = (pipeline: Project["pipelines"][string]) => ({
    ...pipeline,
    variables: renamed(pipeline.variables, "_TWO"),
    actions: pipeline.actions.map((action) =>
      random.chance(share) ? { ...action, name: `${action.name} two`, previously: [action.name] } : action,
    ),
  });
  return {
    ...workspace,
    permissionSets: sets,
    groups: renamed(workspace.groups, " two"),
    variables: renamed(workspace.variables, "_TWO"),
    projects: renamed(mapEntries(workspace.projects, ofProject), "-two"),
  };
}

function mapEntries<T>(entries: Readonly<Record<string, T>>, map: (entry: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, map(entry)]));
}

export function textOf(workspace: Workspace): string {
  return stringify(workspace, { aliasDuplicateObjects: false });
}

function withAllKinds(random: Random, plan: Plan): Workspace {
  for (const group of Object.values(plan.groups))
    if (random.chance(0.2)) Object.assign(group, { exclusive: true });
  for (const project of Object.values(plan.projects)) addTo(project, random);
  if (random.chance(0.3)) growOne(random, plan);
  return plan;
}

function addTo(project: Project, random: Random): void {
  const { files = {}, branches = {} } = project as unknown as { files?: Json; branches?: Json };
  for (const path of random.some(FILES, 0.4))
    files[path] ??= random.chance(0.5) ? `# ${path}\n` : { content: `echo ${random.below(100)}\n` };
  // A branch begins at a commit.
  if (Object.keys(files).length > 0)
    for (const name of random.some(["develop", "release/1"], 0.4)) branches[name] ??= {};
  Object.assign(project, { files, branches });
  if (random.chance(0.15)) Object.assign(project, { exclusive: true });
  for (const pipeline of Object.values(project.pipelines).filter(({ cron }) => cron !== undefined)) {
    delete pipeline.cron;
    Object.assign(pipeline, random.pick(SCHEDULES));
  }
  for (const pipeline of Object.values(project.pipelines))
    for (const { name, create } of random.some(actionExamples, 0.25))
      if (pipeline.actions.every((action) => action.name !== name))
        pipeline.actions.push({ triggerTime: "ON_EVERY_EXECUTION", ...create, name } as Action);
}

/** Gives one value a size that the service takes, but that exceeds limits of what is between. */
function growOne(random: Random, plan: Plan): void {
  const size = random.pick([5_000, 60_000, 300_000, 1_000_000]);
  const text = `${random.below(1000)} `.padEnd(size, "long enough to be cut somewhere, ");
  const projects = Object.values(plan.projects);
  const actions = projects.flatMap(({ pipelines }) => Object.values(pipelines).flatMap((one) => one.actions));
  const places: (() => unknown)[] = [
    ...Object.values(plan.groups).map((group) => () => (group.description = text.trim())),
    ...Object.values(plan.variables).map((variable) => () => (variable.value = text.trim())),
    ...projects.map((project) => () => Object.assign(project, { files: { "large.txt": text } })),
    ...actions
      .filter(({ type }) => type === "BUILD")
      .map((action) => () => (action["executeCommands"] = [text.trim(), "true"])),
  ];
  random.pick(places)();
}
