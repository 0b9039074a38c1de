/** Compares what a file is said to run with what the emulator runs. */
import fc from "fast-check";
import { expect } from "vitest";
import { stringify } from "yaml";
import { Clock, startEmulator } from "../../../emulator/index.js";
import { readDeclarations, withoutSecrets } from "../../../workspace-file/load/load.js";
import { collectObjects } from "../../../workspace-file/load/objects-in-file.js";
import { listRuns, type PipelineRun, type StartEvent } from "../../../workspace-file/runs/list-runs.js";
import { base64, head } from "../../emulator/executions-support.js";
import { type Caller, callerOf, make, ws } from "../../emulator/support.js";

const BRANCHES = ["main", "release", "feature/a", "feature/x/b"];
const REPOSITORY = `${ws}/projects/web/repository`;
const PP = `${ws}/projects/web/pipelines`;

interface Action {
  readonly name: string;
  readonly type: "PING" | "SMS" | "AGENT";
  readonly triggerTime: string;
  readonly first: boolean;
  readonly disabled: boolean;
}

interface Pipeline {
  readonly name: string;
  readonly triggerMode: string;
  readonly refType: string | undefined;
  readonly refName: string;
  readonly runAlways: boolean | undefined;
  readonly paused: boolean | undefined;
  readonly actions: readonly Action[];
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const action = fc.record({
  type: oneOf<Action["type"]>("PING", "SMS", "AGENT"),
  triggerTime: oneOf("ON_EVERY_EXECUTION", "ON_EVERY_EXECUTION", "ON_FAILURE", "ON_BACK_TO_SUCCESS"),
  first: fc.boolean(),
  disabled: oneOf(false, false, true),
});
const pipeline = fc.record({
  triggerMode: oneOf("ON_EVERY_PUSH", "ON_EVERY_PUSH", "SCHEDULED", "MANUAL"),
  refType: oneOf("BRANCH", "WILDCARD", "WILDCARD", "TAG", "PULL_REQUEST", "NONE", undefined),
  refName: oneOf(
    ...BRANCHES,
    "*",
    "**",
    "feature/*",
    "*/b",
    "feature/*/b",
    "f*a",
    "r*",
    "[mr]*",
    "v1",
    "mai?",
  ),
  runAlways: oneOf(undefined, false, true),
  paused: oneOf(undefined, false, true),
  actions: fc.array(action, { maxLength: 5 }),
});
const pipelines = fc.array(pipeline, { minLength: 1, maxLength: 4 }).map((list) =>
  list.map((one, index): Pipeline => ({
    ...one,
    name: `p${index}`,
    actions: one.actions.map((each, at) => ({ ...each, name: `a${at}` })),
  })),
);

/** Checks generated workspaces. */
export async function checkAgainstEmulator(parameters: fc.Parameters<[Pipeline[]]>): Promise<void> {
  await fc.assert(fc.asyncProperty(pipelines, compare), parameters);
}

async function compare(list: Pipeline[]): Promise<void> {
  const clock = new Clock({ start: new Date("2030-01-01T00:10:00Z"), frozen: true });
  const emulator = await startEmulator({ strictBodies: true, rateLimit: 1_000_000, clock });
  try {
    const call = callerOf(emulator, emulator.token);
    const root = collectObjects(
      withoutSecrets(readDeclarations("-", { env: {}, stdin: () => stringify(document(list)) })),
    );
    const ids = await create(call, list);
    const answer = (event: StartEvent) =>
      new Map(listRuns(root, event, () => true).map((run) => [run.pipeline, run]));

    for (const name of BRANCHES) {
      const before = await counts(call, ids);
      await push(call, name);
      await clock.advance(20_000);
      startsAgree(
        answer({ kind: "push", ref: "branch", name }),
        before,
        await counts(call, ids),
        `push to ${name}`,
      );
    }
    for (const run of answer({ kind: "manual" }).values()) {
      const id = ids.get(run.pipeline) ?? 0;
      const outcomes = [
        { status: "SUCCESSFUL" },
        { status: "FAILED" },
        { status: "FAILED" },
        { status: "SUCCESSFUL" },
      ] as const;
      await emulator.setOutcomes(id, outcomes);
      let failedBefore = false;
      for (const { status } of outcomes) {
        const ran = await actionsInOrder(call, clock, id);
        // Without an action that runs, nothing can fail but the run itself.
        if (run.actions.always.length > 0)
          expect(ran, `${run.pipeline} ${status}`).toEqual(expected(run, status, failedBefore));
        failedBefore = status === "FAILED";
      }
    }
    const before = await counts(call, ids);
    await clock.advance(3600_000);
    startsAgree(answer({ kind: "schedule" }), before, await counts(call, ids), "schedule");
  } finally {
    await emulator.close();
  }
}

/** Checks that what is known is so. A condition is met: the branch has changed since the last scheduled run, of which there is none. */
function startsAgree(
  answers: ReadonlyMap<string, PipelineRun>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  event: string,
): void {
  for (const [name, count] of after) {
    const answer = answers.get(name);
    const started = count > (before.get(name) ?? 0);
    if (answer?.starts === "not known") expect(answer.note).toMatch(/\w/);
    else if (answer?.note === undefined)
      expect({ event, name, started }).toEqual({ event, name, started: answer !== undefined });
  }
}

/** Returns the actions that the answer names, in order. The failing one is the first of the run. */
function expected(
  { actions }: PipelineRun,
  status: "SUCCESSFUL" | "FAILED",
  failedBefore: boolean,
): string[] {
  const { always, onFailure, onBackToSuccess } = actions;
  const all =
    status === "SUCCESSFUL"
      ? [...always, ...(failedBefore ? onBackToSuccess : [])]
      : [
          ...always.slice(0, 1),
          ...onFailure.filter(({ condition }) => condition === undefined || !failedBefore),
        ];
  return all.map(({ name }) => name);
}

/** Starts a run, and returns its actions in the order in which they ended. */
async function actionsInOrder(call: Caller, clock: Clock, id: number): Promise<string[]> {
  const execution = await make(call, "POST", `${PP}/${id}/executions`, head);
  const ended: string[] = [];
  for (let second = 0; second < 12; second += 1) {
    await clock.advance(1000);
    const now = await make(call, "GET", `${PP}/${id}/executions/${execution.id}`);
    for (const { action: each, status } of now.action_executions)
      if ((status === "SUCCESSFUL" || status === "FAILED") && !ended.includes(String(each.name)))
        ended.push(String(each.name));
    if (now.status !== "INPROGRESS") return ended;
  }
  throw new Error("The run does not end");
}

async function counts(call: Caller, ids: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const found = [...ids].map(async ([name, id]) => {
    const { executions } = await make(call, "GET", `${PP}/${id}/executions?per_page=100`);
    return [name, executions.length] as const;
  });
  return new Map(await Promise.all(found));
}

let pushes = 0;

async function push(call: Caller, branch: string): Promise<void> {
  pushes += 1;
  const body = { path: `file-${pushes}`, content: base64("x"), message: "Add", branch };
  await make(call, "POST", `${REPOSITORY}/contents`, body);
}

async function create(call: Caller, list: readonly Pipeline[]): Promise<Map<string, number>> {
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  await push(call, "main");
  for (const name of BRANCHES.slice(1)) await make(call, "POST", `${REPOSITORY}/branches`, { name });
  const ids = new Map<string, number>();
  for (const { name, triggerMode, refType, refName, actions, ...one } of list) {
    const schedule =
      triggerMode === "SCHEDULED" ? { cron: "0 * * * *", run_always: one.runAlways, paused: one.paused } : {};
    const body = { name, trigger_mode: triggerMode, ref_type: refType, ref_name: refName, ...schedule };
    const { id } = await make(call, "POST", PP, body);
    ids.set(name, id);
    for (const each of actions) {
      const { triggerTime, type, first, disabled } = each;
      await make(call, "POST", `${PP}/${id}/actions`, {
        name: each.name,
        type,
        trigger_time: triggerTime,
        ...(type === "PING" ? { destination: "example.com" } : {}),
        ...(type === "SMS" ? { recipients: "1", run_only_on_first_failure: first } : {}),
        ...(type === "AGENT"
          ? { ...image("container_image_name", "container_image_tag", "execute_commands"), disabled }
          : {}),
      });
    }
  }
  return ids;
}

function document(list: readonly Pipeline[]): object {
  const entries = list.map(({ name, triggerMode, refType, refName, actions, runAlways, paused }) => {
    const schedule = triggerMode === "SCHEDULED" ? { cron: "0 * * * *", runAlways, paused } : {};
    return [name, { triggerMode, refType, refName, ...schedule, actions: actions.map(written) }] as const;
  });
  const keep = (_key: string, value: unknown) => value;
  // Omits what is undefined.
  return JSON.parse(
    JSON.stringify({ version: 1, projects: { web: { pipelines: Object.fromEntries(entries) } } }, keep),
  ) as object;
}

function written({ name, type, triggerTime, first, disabled }: Action): object {
  const common = { name, type, triggerTime };
  if (type === "PING") return { ...common, destination: "example.com" };
  if (type === "SMS") return { ...common, recipients: "1", runOnlyOnFirstFailure: first };
  return { ...common, ...image("containerImageName", "containerImageTag", "executeCommands"), disabled };
}

function image(name: string, tag: string, commands: string): object {
  return { [name]: "node", [tag]: "22", [commands]: ["ls"] };
}
