import { z } from "zod";
import { id, nameOrId, text } from "../definition/primitives.js";
import { defineResource, resolvedId, type Fields } from "../definition/definition.js";
import type { Context } from "../definition/context.js";
import { keys, lists } from "../definition/lists.js";
import { fewestMoves, orderSeen } from "../../diff/minimal-moves.js";
import { movedByName, notSent, pipelineInProject, projectOnTheWay } from "../definition/references.js";

/** The service has no such object: this type owns the order of a pipeline's actions (docs/architecture.md). */
export const actionOrder = defineResource({
  type: "ActionOrder",
  noun: "action order",
  description: "The order of a pipeline's actions. Actions it does not name stay where they are.",
  args: {
    project: text.optional().describe("The project: filled in when `pipeline` is a Pipeline."),
    pipeline: nameOrId.describe("The pipeline: a Pipeline, or its number or name together with `project`."),
    actions: z.array(id).describe("The actions in the order they are to run: Actions or their numbers."),
  },
  outputs: { pipelineId: resolvedId("Number of the pipeline.") },
  id: ["pipelineId"],
  identity: { state: "pipelineId", wire: "id" },
  naturalKey: [],
  replaceOn: ["pipeline"],
  replaceWhen: movedByName,
  references: {
    project: projectOnTheWay,
    pipeline: pipelineInProject,
    actions: { to: "Action", list: true },
  },
  wire: { project: notSent, pipeline: notSent },
  examples: { create: { pipeline: "@Pipeline", actions: ["@Action"] } },

  list: () => undefined,
  sources: (context, at) => [
    {
      kind: "single",
      key: `${keys.actions(...context.pipelineOf(at))}?order`,
      madeOf: keys.pipeline(...context.pipelineOf(at)),
      load: async () => ({
        id: at["pipelineId"],
        actions: orderSeen(wanted(at), await liveOrder(context, at)),
      }),
    },
  ],
  create: (context, _body, at) => arrange(context, at),
  update: (context, _body, at) => arrange(context, at),
  delete: () => Promise.resolve(),
});

async function arrange(context: Context, at: Fields): Promise<object> {
  const [project, pipeline] = context.pipelineOf(at);
  context.reads.forget(keys.pipeline(project, pipeline));
  const moves = fewestMoves(await liveOrder(context, at), wanted(at));
  for (const move of moves) {
    const body = { after_action_id: move.after };
    await context.api.actions.update(context.workspace, project, pipeline, move.action, body);
  }
  if (moves.length === 0) return { id: pipeline, actions: wanted(at) };
  // The answer to a move does not show the order.
  context.reads.forget(keys.pipeline(project, pipeline));
  return { id: pipeline, actions: orderSeen(wanted(at), await liveOrder(context, at)) };
}

async function liveOrder(context: Context, at: Fields): Promise<number[]> {
  const actions = await lists.actions(context, ...context.pipelineOf(at));
  return actions.map((action) => Number(action["id"]));
}

const wanted = (at: Fields) => at["actions"] as number[];
