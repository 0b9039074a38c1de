/** Generates random workspace files with all kinds of objects. */
import type { Random } from "./random.js";

export interface Variable {
  value: string;
  encrypted?: boolean;
  description?: string;
}

export type Variables = Record<string, Variable>;

export interface Action extends Record<string, unknown> {
  name: string;
  type: string;
  triggerTime: string;
  variables?: Variables;
}

export interface Pipeline {
  triggerMode: string;
  refName: string;
  refType: string;
  cron?: string;
  autoClearCache?: boolean;
  variables: Variables;
  actions: Action[];
}

export interface Project {
  displayName: string;
  members: Record<string, { permissionSet: string }>;
  variables: Variables;
  pipelines: Record<string, Pipeline>;
}

/** The value of a workspace file. */
export interface Plan {
  version: 1;
  workspace: string;
  members: Record<string, { admin?: boolean }>;
  permissionSets: Record<
    string,
    { description: string; repositoryAccessLevel: string; pipelineAccessLevel: string }
  >;
  groups: Record<string, { description: string; members: string[] }>;
  variables: Variables;
  projects: Record<string, Project>;
}

const WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma"];

export function randomPlan(random: Random, workspace: string): Plan {
  const emails = named(random, 1, 4, (word) => `${word}@example.com`);
  const sets = named(random, 1, 3, (word) => `set ${word}`);
  return {
    version: 1,
    workspace,
    members: entries(emails, () => (random.chance(0.3) ? { admin: true } : {})),
    permissionSets: entries(sets, () => ({
      description: `for ${random.pick(WORDS)}`,
      repositoryAccessLevel: random.pick(["READ_ONLY", "READ_WRITE"]),
      pipelineAccessLevel: random.pick(["READ_ONLY", "RUN_ONLY", "READ_WRITE"]),
    })),
    groups: entries(
      named(random, 0, 3, (word) => `Group ${word}`),
      () => ({ description: `who does ${random.pick(WORDS)}`, members: random.some(emails, 0.5) }),
    ),
    variables: randomVariables(random, 3),
    projects: entries(
      named(random, 1, 2, (word) => `project-${word}`),
      () => randomProject(random, emails, sets),
    ),
  };
}

/** Generates a later version of the workspace, with added, removed and changed objects. */
export function laterPlan(random: Random, plan: Plan): Plan {
  const next = randomPlan(random, plan.workspace);
  const merged = structuredClone(plan);
  for (const section of ["groups", "permissionSets", "members", "variables", "projects"] as const) {
    const [olds, news] = [merged[section], next[section]] as Record<string, never>[];
    for (const name of Object.keys(news ?? {}))
      if (olds && (random.chance(0.5) || !(name in olds))) olds[name] = news?.[name] as never;
  }
  for (const name of Object.keys(merged.groups)) if (random.chance(0.2)) delete merged.groups[name];
  for (const name of Object.keys(merged.variables)) if (random.chance(0.2)) delete merged.variables[name];
  for (const project of Object.values(merged.projects))
    for (const pipeline of Object.values(project.pipelines))
      if (random.chance(0.5)) pipeline.actions = random.shuffled(pipeline.actions);
  return withoutDangling(merged);
}

/** Removes references to objects that the plan does not declare. */
function withoutDangling(plan: Plan): Plan {
  for (const group of Object.values(plan.groups))
    group.members = group.members.filter((email) => email in plan.members);
  for (const project of Object.values(plan.projects))
    project.members = Object.fromEntries(
      Object.entries(project.members).filter(
        ([email, { permissionSet }]) => email in plan.members && permissionSet in plan.permissionSets,
      ),
    );
  return plan;
}

function randomProject(random: Random, emails: readonly string[], sets: readonly string[]): Project {
  return {
    displayName: `The ${random.pick(WORDS)} shop`,
    members: entries(random.some(emails, 0.5), () => ({ permissionSet: random.pick(sets) })),
    variables: randomVariables(random, 2),
    pipelines: entries(
      named(random, 0, 2, (word) => `Pipeline ${word}`),
      () => randomPipeline(random),
    ),
  };
}

function randomPipeline(random: Random): Pipeline {
  const scheduled = random.chance(0.2);
  return {
    triggerMode: scheduled ? "SCHEDULED" : random.pick(["MANUAL", "ON_EVERY_PUSH"]),
    refType: "BRANCH",
    refName: random.pick(["main", "develop"]),
    ...(scheduled ? { cron: "0 2 * * *" } : {}),
    ...(random.chance(0.3) ? { autoClearCache: true } : {}),
    variables: randomVariables(random, 2),
    actions: named(random, 0, 4, (word) => `Step ${word}`).map((name) => randomAction(random, name)),
  };
}

function randomAction(random: Random, name: string): Action {
  const variables = random.chance(0.3) ? { variables: randomVariables(random, 2) } : {};
  const always = { name, triggerTime: "ON_EVERY_EXECUTION", ...variables };
  const host = `${random.pick(WORDS)}.example.com`;
  return random.pick<Action>([
    { ...always, type: "PING", destination: host },
    {
      ...always,
      type: "BUILD",
      containerImageName: "node",
      containerImageTag: "22",
      executeCommands: ["npm ci", `npm run ${random.pick(WORDS)}`],
    },
    { ...always, type: "HTTP", notificationUrl: `https://${host}/`, method: "POST", content: "{}" },
    {
      ...always,
      type: "SSH_COMMAND",
      authenticationMode: "PASS",
      host,
      login: "deploy",
      password: "not-so-secret",
      port: 22,
      commands: ["true"],
    },
    {
      ...always,
      triggerTime: "ON_FAILURE",
      runOnlyOnFirstFailure: true,
      type: "CHAT",
      integration: "chat-main",
      channel: "C01",
      content: "It failed.",
    },
  ]);
}

function randomVariables(random: Random, most: number): Variables {
  return entries(
    named(random, 0, most, (word) => word.toUpperCase()),
    () => ({
      value: `value-${random.below(1000)}`,
      ...(random.chance(0.3) ? { encrypted: true } : {}),
      ...(random.chance(0.3) ? { description: "said here" } : {}),
    }),
  );
}

function named(random: Random, least: number, most: number, name: (word: string) => string): string[] {
  return random.shuffled(WORDS).slice(0, random.between(least, most)).map(name);
}

function entries<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}
