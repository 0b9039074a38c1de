/** Resource type `Execution`. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Execution } from "../client/api/executions.js";
import type { Context } from "./definition/context.js";
import { defineResource, htmlUrl, output, resolvedId } from "./definition/define-resource.js";
import { revision } from "./definition/formats.js";
import { createSingleSource, keys } from "./definition/lists.js";
import { emptyOrText, flag, id, opaqueObject, optional, text } from "./definition/primitives.js";
import { listMovedByName, notSent, pipelineArgs, pipelineInProject } from "./definition/references.js";
import { ProviderError } from "./errors.js";

/** Pauses between two looks at a run. The first is short, because many runs end soon. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 2000];
const running: readonly string[] = ["INPROGRESS", "ENQUEUED", "INITIAL"];

/** Spec, Endpoints: Executions. One run, repeated when its triggers change, and never undone. */
export const execution = defineResource({
  type: "Execution",
  noun: "execution",
  description: "One run of a pipeline: when the resource is created, and again whenever `triggers` change.",
  effect: "commands",
  remote: Execution,
  args: {
    ...pipelineArgs,
    revision: revision.describe("Commit to run: a hash or HEAD."),
    branch: optional(text, "Branch to run, for a wildcard pipeline."),
    tag: optional(text, "Tag to run, for a wildcard pipeline."),
    comment: optional(emptyOrText, "Reason for the run."),
    refresh: flag("Deploy from scratch."),
    wait: flag("Wait until the run ends, and fail when it fails. Default: true."),
    waitSeconds: optional(z.int().positive(), "Maximum number of seconds to wait. Default: 3600."),
    triggers: optional(opaqueObject, "Values whose change runs the pipeline again."),
  },
  outputs: {
    pipelineId: resolvedId("Number of the pipeline."),
    executionId: output("id", id.describe("Number of the execution.")),
    status: output("status", z.string().describe("How the run ended.")),
    htmlUrl,
  },
  id: ["pipelineId", "executionId"],
  identity: { state: "executionId", apiName: "id" },
  naturalKey: [],
  ephemeral: true,
  replaceOn: ["pipeline", "revision", "branch", "tag", "refresh", "triggers"],
  replaceWhen: listMovedByName,
  clientOnly: ["wait", "waitSeconds"],
  writeOnly: ["revision", "branch", "tag", "comment", "refresh", "triggers"],
  references: { pipeline: pipelineInProject },
  apiFields: {
    project: notSent,
    pipeline: notSent,
    triggers: notSent,
    revision: { to: (revision: string) => ({ to_revision: { revision } }) },
    branch: { to: (name: string) => ({ branch: { name } }) },
    tag: { to: (name: string) => ({ tag: { name } }) },
  },
  examples: {
    needs: ["RepositoryFile"],
    create: {
      pipeline: "@Pipeline",
      revision: "HEAD",
      comment: "After the change",
      triggers: { release: 1 },
    },
    replace: { triggers: { release: 2 } },
  },

  // A run uses the newest commit, and the actions that the pipeline has at that time.
  waitsFor: ({ pipeline }, around) => [
    ...around("RepositoryFile"),
    ...around("Action").filter((action) => action.pipeline === pipeline),
  ],
  // A run cannot drift after it was started, and one that the service no longer knows is not repeated.
  sources(context, state) {
    const key = `${keys.pipeline(...context.pipelineOf(state))}/executions/${state.executionId}`;
    return [createSingleSource(key, () => Promise.resolve({ id: state.executionId }))];
  },
  async create(context, body, state) {
    const [project, pipeline] = context.pipelineOf(state);
    const started = await context.api.executions.create(context.workspace, project, pipeline, body);
    return state.wait === false ? started : waitUntilFinished(context, state, started);
  },
  update: () => Promise.resolve(undefined),
  delete: () => Promise.resolve(),
});

interface Run {
  readonly project?: string | undefined;
  readonly pipeline: string | number;
  readonly pipelineId: number;
  readonly waitSeconds?: number | undefined;
}

/**
 * Waits until a run ends.
 * @throws {ProviderError} `not-as-asked` when it failed, so that the next run of the program repeats it
 */
async function waitUntilFinished(context: Context, state: Run, started: Execution): Promise<Execution> {
  const [project, pipeline] = context.pipelineOf(state);
  const until = Date.now() + (state.waitSeconds ?? 3600) * 1000;
  let run = started;
  let pause = FIRST_PAUSE_MS;
  while (running.includes(run.status)) {
    if (Date.now() > until) throw createUnsuccessfulError(state, run, "did not end in time, and continues");
    await sleep(pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    run = await context.api.executions.get(context.workspace, project, pipeline, started.id);
  }
  if (run.status === "SUCCESSFUL") return run;
  throw createUnsuccessfulError(state, run, `ended as ${run.status}`);
}

function createUnsuccessfulError({ pipeline }: Run, run: Execution, how: string): ProviderError {
  return new ProviderError(
    "not-as-asked",
    `execution ${run.id} of pipeline ${pipeline} ${how}`,
    `see ${String(run.html_url)}; the next run of this program runs the pipeline again`,
  );
}
