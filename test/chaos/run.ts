/** One run of the harness: a random workspace, a disaster while it is brought up, and what has to hold afterwards. */
import { differences } from "./compare.js";
import { randomDisaster, runInto, told, type Disaster } from "./disasters.js";
import { laterPlan, randomPlan, type Plan } from "./plan.js";
import { randomOf, type Random } from "./random.js";
import { Stage, type Tool } from "./stage.js";

export interface Outcome {
  readonly seed: number;
  /** What was done to it. */
  readonly story: string;
  /** What does not hold; empty when all is well. */
  readonly problems: readonly string[];
}

/**
 * @param seed repeats the run
 * @param index which run of a series it is: classes of disaster take turns
 */
export async function chaosRun(seed: number, index: number = seed): Promise<Outcome> {
  const random = randomOf(seed);
  const echoMemberEmail = random.chance(0.5);
  const stage = await Stage.open({
    strictBodies: true,
    latencyMs: random.between(1, 15),
    echoMemberEmail,
    embeddedActions: random.pick(["full", "full", "summary"]),
  });
  let story = "before the disaster";
  try {
    const scene = await setScene(random, stage);
    const tool = random.pick<Tool>(["workspacectl", "workspacectl", "pulumi"]);
    if (index % 5 === 4) {
      const disaster = randomDisaster(random, index, "workspacectl", scene.writes);
      story = `destroy of ${scene.what}, ${told(disaster)}`;
      return { seed, story, problems: await destroyInto(disaster, stage, scene.plan, random) };
    }
    const disaster = randomDisaster(random, index, tool, scene.writes);
    // Members whose addresses are hidden, and whose number no answer told, cannot be recognized without an `up`.
    const destroys = tool === "workspacectl" && echoMemberEmail && random.chance(0.4);
    const after = random.chance(0.8) ? tool : random.pick<Tool>(["workspacectl", "pulumi"]);
    story = `${tool} up of ${scene.what}, ${told(disaster)}, then ${destroys ? "destroy" : `${after} up`}`;
    const problems = await runInto(disaster, stage, tool);
    if (destroys) return { seed, story, problems: [...problems, ...(await tearDown(stage))] };
    const stopped = disaster.kind === "interrupt" && disaster.times === 2;
    problems.push(...(await mend(stage, scene.plan, after, stopped)));
    if (problems.length === 0 && random.chance(0.3)) problems.push(...(await tearDown(stage)));
    return { seed, story, problems };
  } catch (error) {
    return { seed, story, problems: [(error as Error).message] };
  } finally {
    await stage.close();
  }
}

interface Scene {
  readonly plan: Plan;
  readonly what: string;
  /** About how many writes the next up takes. */
  readonly writes: number;
}

/** Either nothing is there yet, or an earlier version of the workspace is. */
async function setScene(random: Random, stage: Stage): Promise<Scene> {
  const plan = randomPlan(random, stage.emulator.workspace);
  stage.declare(plan);
  if (random.chance(0.6)) return { plan, what: `${objects(plan)} new objects`, writes: objects(plan) };
  await upOrFail(stage, "workspacectl");
  const later = laterPlan(random, plan);
  stage.declare(later);
  return { plan: later, what: `${objects(later)} objects, some new`, writes: Math.ceil(objects(later) / 2) };
}

async function upOrFail(stage: Stage, tool: Tool): Promise<void> {
  const { code, output } = await stage.up(tool);
  if (code !== 0) throw new Error(`${tool} up failed:\n${output}`);
}

/** A destroy that meets a disaster; then either the rest goes, or all comes back. */
async function destroyInto(disaster: Disaster, stage: Stage, plan: Plan, random: Random): Promise<string[]> {
  await upOrFail(stage, "workspacectl");
  const problems = await runInto(disaster, stage, "workspacectl", "destroy");
  const rest = random.chance(0.5) ? await tearDown(stage) : await mend(stage, plan, "workspacectl", false);
  return [...problems, ...rest];
}

/** The next up: it has to end well, and everything has to be as declared. */
async function mend(stage: Stage, plan: Plan, tool: Tool, stopped: boolean): Promise<string[]> {
  // Plain Pulumi does not release a lock of a dead process: its user is told to.
  // A file that its backend had cut off makes it fail: taking that away is ours.
  if (tool === "pulumi")
    await stage.pulumi("cancel", "--yes", "--stack", "chaos").catch(() => stage.workspacectl("preview"));
  // Stopped at once, Pulumi may lose what it was just given, and only the state tells: plain Pulumi does not look there.
  if (tool === "pulumi" && stopped) await stage.workspacectl("preview");
  await upOrFail(stage, tool);
  const problems = await differences(stage.emulator, plan);
  stage.emulator.journal.clear();
  const { code, output } = await stage.workspacectl("preview");
  if (code !== 0 || !output.includes("No changes") || output.includes("Changed outside"))
    problems.push(`the state is not the workspace:\n${output}`);
  // Plain Pulumi leaves them there for ever; our preview has just settled them.
  const pending = stage.pending();
  if (pending > 0) problems.push(`${pending} pending operations are still in the state`);
  if (stage.emulator.journal.writes().length > 0) problems.push("a preview wrote to the workspace");
  return problems;
}

/** Nothing may be left that nobody knows. */
async function tearDown(stage: Stage): Promise<string[]> {
  const { code, output } = await stage.destroy();
  if (code !== 0) return [`destroy failed:\n${output}`];
  return (await differences(stage.emulator, undefined)).map((line) => `after destroy: ${line}`);
}

/** How many objects a plan declares. */
function objects(plan: Plan): number {
  const size = (value: object) => Object.keys(value).length;
  let count = size(plan.members) + size(plan.permissionSets) + size(plan.groups) + size(plan.variables);
  for (const group of Object.values(plan.groups)) count += group.members.length;
  for (const project of Object.values(plan.projects)) {
    count += 1 + size(project.members) + size(project.variables);
    for (const { variables, actions } of Object.values(project.pipelines)) {
      count += 1 + size(variables) + actions.length;
      for (const action of actions) count += size(action.variables ?? {});
    }
  }
  return count;
}
