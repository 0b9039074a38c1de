/** Resource type `ActionOrder`. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { findFewestMoves, pickManagedOrder } from "../diff/minimal-moves.js";
import type { Context } from "./definition/context.js";
import { defineResource, resolvedId } from "./definition/define-resource.js";
import { createSingleSource, keys, listActionsOf } from "./definition/lists.js";
import { id } from "./definition/primitives.js";
import {
  listMovedByName,
  notSent,
  pipelineArgs,
  pipelineInProject,
  projectOnTheWay,
} from "./definition/references.js";

/** Owns the order of a pipeline's actions. The service has no such object (docs/decisions.md). */
export const actionOrder = defineResource({
  type: "ActionOrder",
  noun: "action order",
  description: "The order of a pipeline's actions. Actions that are not listed keep their position.",
  remote: z.object({ id, actions: z.array(id) }),
  args: {
    ...pipelineArgs,
    actions: z.array(id).describe("The actions in their order: Actions or their numbers."),
  },
  outputs: { pipelineId: resolvedId("Number of the pipeline.") },
  id: ["pipelineId"],
  identity: { state: "pipelineId", apiName: "id" },
  naturalKey: [],
  replaceOn: ["pipeline"],
  replaceWhen: listMovedByName,
  references: {
    project: projectOnTheWay,
    pipeline: pipelineInProject,
    actions: { to: "Action", list: true },
  },
  apiFields: { project: notSent, pipeline: notSent },
  examples: { create: { pipeline: "@Pipeline", actions: ["@Action"] } },

  sources(context, state) {
    const key = keys.actions(...context.pipelineOf(state));
    const load = async () => {
      const order = await listRemoteOrder(context, state);
      // The order that is imported is that of all actions.
      const { actions = order }: Partial<Ordered> = state;
      return { id: state.pipelineId, actions: pickManagedOrder(actions, order) };
    };
    return [
      { ...createSingleSource(`${key}?order`, load), madeOf: keys.pipeline(...context.pipelineOf(state)) },
    ];
  },
  validateChange({ olds, news, changed, behavior }) {
    if (behavior?.movableActions !== false || !changed.includes("actions")) return undefined;
    if (!Array.isArray(news.actions) || isInOrder(olds.actions ?? [], news.actions)) return undefined;
    return {
      message:
        "the order of the actions cannot be changed: according to the profile of this connection, the service moves no action",
      remedy: "Declare the actions in their present order, or replace the pipeline with all its actions",
    };
  },
  create: (context, _body, state) => arrange(context, state),
  update: (context, _body, state) => arrange(context, state),
  delete: () => Promise.resolve(),
});

/** Whether an order keeps the actions of the former one in their order, before all others. */
function isInOrder(former: readonly unknown[], order: readonly unknown[]): boolean {
  const left = former.filter((action) => order.includes(action));
  return left.every((action, index) => order[index] === action);
}

interface Ordered {
  readonly project?: string | undefined;
  readonly pipelineId: number;
  readonly actions: readonly number[];
}

/** Reads of a service can lag behind its writes, also those before the moves. So a wrong order is read, and then mended, again. */
const PAUSES_MS = [100, 1000];

async function arrange(context: Context, state: Ordered): Promise<object> {
  const [project, pipeline] = context.pipelineOf(state);
  const read = () => {
    // The response to a move does not contain the order.
    context.reads.forget(keys.pipeline(project, pipeline));
    return listRemoteOrder(context, state);
  };
  let order = await read();
  let isMoved = false;
  for (const pause of PAUSES_MS) {
    const moves = findFewestMoves(order, state.actions);
    if (moves.length === 0) break;
    isMoved = true;
    for (const move of moves) {
      const body = { after_action_id: move.after };
      await context.api.actions.update(context.workspace, project, pipeline, move.action, body);
    }
    order = await read();
    if (findFewestMoves(order, state.actions).length === 0) break;
    await sleep(pause);
    order = await read();
  }
  return { id: pipeline, actions: isMoved ? pickManagedOrder(state.actions, order) : state.actions };
}

async function listRemoteOrder(context: Context, state: Ordered): Promise<number[]> {
  const actions = await listActionsOf(context, ...context.pipelineOf(state));
  return actions.map(({ id }) => id);
}
