/** Performs one run of the harness: a random workspace, a failure while it is applied, and checks afterwards. */
import { chooseService } from "../services/chosen-service.js";
import { differences } from "./compare.js";
import {
  type Disaster,
  killWhileRecovering,
  randomDisaster,
  randomKill,
  runInto,
  told,
} from "./disasters.js";
import { laterPlan, type Plan, randomPlan } from "./plan.js";
import { type Random, randomOf } from "./random.js";
import { Stage, type Tool } from "./stage.js";

export interface Outcome {
  readonly seed: number;
  /** The events of the run. */
  readonly story: string;
  /** The violations. Empty if all checks pass. */
  readonly problems: readonly string[];
}

/**
 * @param seed reproduces the run
 * @param index number of the run in a series: the kinds of failure alternate
 * @param kills only kill -9, and only of runs of workspacectl that keep a journal
 */
export async function chaosRun(seed: number, index: number = seed, kills: boolean = false): Promise<Outcome> {
  const random = randomOf(seed);
  const echoMemberEmail = random.chance(0.5);
  const service = chooseService(seed, ["echoMemberEmail", "strictBodies"]);
  const stage = await Stage.open({
    ...service,
    strictBodies: true,
    latencyMs: random.between(1, 15),
    echoMemberEmail,
    embeddedActions: random.pick(["full", "full", "summary"]),
  });
  let story = "before the disaster";
  const end = (problems: readonly string[]): Outcome => {
    return { seed, story: `${story}; the service differs in ${JSON.stringify(service)}`, problems };
  };
  try {
    const scene = await setScene(random, stage);
    const disasterFor = (tool: Tool) =>
      kills ? randomKill(random, scene.writes) : randomDisaster(random, index, tool, scene.writes);
    const tool = kills ? "workspacectl" : random.pick<Tool>(["workspacectl", "workspacectl", "pulumi"]);
    stage.checkpoint = kills || index % 4 > 0 ? "journal" : "every";
    if (kills ? random.chance(0.3) : index % 5 === 4) {
      const disaster = disasterFor("workspacectl");
      story = `destroy (${stage.checkpoint}) of ${scene.what}, ${told(disaster)}`;
      return end(await destroyInto(disaster, stage, scene.plan, random, kills));
    }
    const disaster = disasterFor(tool);
    // Members with hidden addresses and unknown numbers cannot be recognized without an `up`.
    const destroys = tool === "workspacectl" && echoMemberEmail && random.chance(0.4);
    const after = random.chance(0.8) ? tool : random.pick<Tool>(["workspacectl", "pulumi"]);
    story = `${tool} up (${stage.checkpoint}) of ${scene.what}, ${told(disaster)}, then ${destroys ? "destroy" : `${after} up`}`;
    const problems = await runInto(disaster, stage, tool);
    if (kills && random.chance(0.3)) await killWhileRecovering(random, stage);
    if (destroys) return end([...problems, ...(await tearDown(stage))]);
    const stopped = disaster.kind === "interrupt" && disaster.times === 2;
    problems.push(...(await mend(stage, scene.plan, after, stopped)));
    if (problems.length === 0 && random.chance(0.3)) problems.push(...(await tearDown(stage)));
    return end(problems);
  } catch (error) {
    return end([(error as Error).message]);
  } finally {
    await stage.close();
  }
}

interface Scene {
  readonly plan: Plan;
  readonly what: string;
  /** Approximate number of writes of the next `up`. */
  readonly writes: number;
}

/** Prepares either an empty workspace or an earlier version of it. */
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

/** Destroys a workspace with a failure, and then either destroys the rest or restores everything. */
async function destroyInto(
  disaster: Disaster,
  stage: Stage,
  plan: Plan,
  random: Random,
  kills: boolean,
): Promise<string[]> {
  await upOrFail(stage, "workspacectl");
  const problems = await runInto(disaster, stage, "workspacectl", "destroy");
  if (kills && random.chance(0.3)) await killWhileRecovering(random, stage);
  const rest = random.chance(0.5) ? await tearDown(stage) : await mend(stage, plan, "workspacectl", false);
  return [...problems, ...rest];
}

/** Applies again, which must succeed and lead to the declared workspace. */
async function mend(stage: Stage, plan: Plan, tool: Tool, stopped: boolean): Promise<string[]> {
  // Plain Pulumi does not release the lock of a dead process, which its user must do.
  // A truncated file of its backend makes it fail: workspacectl removes that file.
  if (tool === "pulumi")
    await stage.pulumi("cancel", "--yes", "--stack", "chaos").catch(() => stage.workspacectl("preview"));
  // After an immediate stop, Pulumi may lose its latest results. Only the state shows it, and plain Pulumi does not
  // check there.
  if (tool === "pulumi" && stopped) await stage.workspacectl("preview");
  await upOrFail(stage, tool);
  const problems = await differences(stage.emulator, plan);
  stage.emulator.journal.clear();
  const { code, output } = await stage.workspacectl("preview");
  if (code !== 0 || !output.includes("No changes") || output.includes("changed outside"))
    problems.push(`the state is not the workspace:\n${output}`);
  if (stage.journal !== undefined) problems.push("the journal of the run is still there");
  // Plain Pulumi never removes pending operations. The preview above has just done so.
  const pending = stage.pending();
  if (pending > 0) problems.push(`${pending} pending operations are still in the state`);
  if (stage.emulator.journal.writes().length > 0) problems.push("a preview wrote to the workspace");
  return problems;
}

/** Destroys the workspace, which must leave no objects behind. */
async function tearDown(stage: Stage): Promise<string[]> {
  const { code, output } = await stage.destroy();
  if (code !== 0) return [`destroy failed:\n${output}`];
  return (await differences(stage.emulator, undefined)).map((line) => `after destroy: ${line}`);
}

/** Counts the declared objects of a plan. */
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
