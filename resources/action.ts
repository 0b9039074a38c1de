/** Resource type `Action`. */
import { z } from "zod";
import { Action } from "../client/api/actions.js";
import { unchecked } from "../client/schema.js";
import { actionTypes, anyForm } from "./action-types/action-types.js";
import { fieldsInBody, OTHER, otherType, pickChangedFields } from "./action-types/other.js";
import { checkActionType, isNotification, modes, NO_TYPE, selectActionType } from "./action-types/select.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import type { WrittenArgs } from "./definition/handlers.js";
import { createSingleSource, keys, listActionsOf, listSource, loadWhole } from "./definition/lists.js";
import { createText, flag, id, optional, text, triggerTime } from "./definition/primitives.js";
import {
  convertIdObject,
  integrationReference,
  listMovedByName,
  notSent,
  pipelineArgs,
  pipelineInProject,
  projectOnTheWay,
} from "./definition/references.js";
import { ProviderError } from "./errors.js";
import { actionRunTimes } from "./run-times.js";

const args = {
  ...pipelineArgs,
  name: text.describe("Name of the action. A change renames it in place."),
  key: optional(
    text,
    "Tells actions of the pipeline apart that have the same name: each of them needs another key. Never sent. " +
      "A workspace file sets it by itself.",
    "Build 2",
  ),
  action: optional(
    id,
    "Number of the existing action that `adopt` takes over, where several actions of the pipeline have its name.",
    17,
  ),
  type: createText(NO_TYPE).describe("Type of the action."),
  triggerTime: triggerTime.describe("When the action runs."),
  runOnlyOnFirstFailure: flag(
    "With ON_FAILURE: run only on the first of consecutive failures. Required then for HTTP, CHAT and SMS.",
    false,
  ),
};

declare module "./definition/definition.js" {
  interface DeclaredArgs {
    Action: WrittenArgs<typeof args>;
  }
}

const NO_PATH = "according to the profile of this connection, the service has no path for a single action";
const WITHOUT_PATH =
  "Make the change in the web application and accept it (workspacectl drift accept), or replace the pipeline with all its actions";

/** Spec, Endpoints: Actions. How a single action is read, changed and deleted is a decision: see docs/decisions.md. */
export const action = defineResource({
  type: "Action",
  noun: "action",
  description: "A step of a pipeline. Its further arguments depend on its type.",
  effect: "commands",
  remote: Action.extend({
    port: z.unknown(),
    integration: unchecked<{ id?: number; identifier?: string }>(),
  }),
  args,
  variants: {
    of: { ...actionTypes, [OTHER]: otherType },
    select: selectActionType,
    chosenBy: "type",
    modes,
  },
  outputs: { actionId: output("id", id.describe("Number of the action.")), htmlUrl },
  id: ["pipelineId", "actionId"],
  identity: { state: "actionId", apiName: "id" },
  naturalKey: ["pipeline", "name"],
  sharedKey: { key: "key", number: "action" },
  spelling: { name: "name" },
  runTimes: actionRunTimes,
  clientOnly: ["key", "action"],
  replaceOn: ["pipeline", "type"],
  replaceWhen: listMovedByName,
  secret: ["password", "serverKey", "passphrase"],
  undocumented: ["fields", "services", "mcpServers"],
  writeOnly: ["password", "serverKey", "passphrase"],
  references: { project: projectOnTheWay, pipeline: pipelineInProject, integration: integrationReference },
  // The service does not document how it completes these objects.
  nested: {
    ...Object.fromEntries(anyForm.map((name) => [name, "view" as const])),
    services: "view",
    triggerConditions: "view",
    variables: "view",
    mcpServers: "named",
    fields: "fields",
  },
  apiFields: {
    project: notSent,
    pipeline: notSent,
    port: {
      to: (value) => ({ port: typeof value === "number" ? String(value) : value }),
      from: ({ port }) => port,
      keys: () => ["port"],
    },
    integration: convertIdObject("integration"),
    integrationIdentifier: {
      to: (identifier) => ({ integration: identifier === null ? null : { identifier } }),
      from: ({ integration }) => integration?.identifier,
      keys: () => ["integration"],
    },
    fields: fieldsInBody,
  },
  document: {
    section: "actions",
    under: { Pipeline: "pipeline" },
    keyedBy: "name",
    form: "list",
    order: { type: "ActionOrder", parent: "pipeline", items: "actions" },
  },
  examples: {
    create: { pipeline: "@Pipeline", name: "Step", triggerTime: "ON_EVERY_EXECUTION" },
    update: { name: "Renamed step" },
  },

  matches: (remote, { name }) => remote.name === name,
  rules(args, problem) {
    const { fields } = args;
    const named = typeof fields === "object" ? fields : undefined;
    if (isNotification(args) && args.triggerTime === "ON_FAILURE" && args.runOnlyOnFirstFailure === undefined)
      problem(
        "runOnlyOnFirstFailure",
        "is required for a notification with triggerTime ON_FAILURE",
        "required",
      );
    if (args.integration !== undefined && Object.hasOwn(named ?? {}, "integration"))
      problem("fields", "contains an integration, too: remove one of the two", "conflict");
    checkActionType(args, problem);
  },
  list(context, state) {
    const [project, pipeline] = context.pipelineOf(state);
    const load = () => loadWhole(listActionsOf(context, project, pipeline));
    const within = { key: keys.pipeline(project, pipeline), part: "actions" };
    return { kind: "list", key: keys.actions(project, pipeline), load, within };
  },
  sources(context, state, list) {
    const { api, workspace } = context;
    const [project, pipeline] = context.pipelineOf(state);
    const key = keys.actions(project, pipeline);
    const listed = listSource(`${key}?listed`, () => api.actions.list(workspace, project, pipeline));
    if (context.behavior.singleActionPaths === false) return [...list, listed];
    return [
      ...list,
      listed,
      createSingleSource(`${key}/${state.actionId}`, () =>
        api.actions.get(workspace, project, pipeline, state.actionId),
      ),
    ];
  },
  create(context, body, state) {
    const [project, pipeline] = context.pipelineOf(state);
    return context.api.actions.create(context.workspace, project, pipeline, body);
  },
  update(context, body, state, { olds }) {
    const [project, pipeline] = context.pipelineOf(state);
    const sent = pickChangedFields(body, olds.fields, state.fields);
    return context.api.actions.update(context.workspace, project, pipeline, state.actionId, sent);
  },
  validateChange({ olds, changed, behavior }) {
    if (behavior?.singleActionPaths !== false || changed.length === 0) return undefined;
    return { message: `action "${String(olds.name)}" cannot be changed: ${NO_PATH}`, remedy: WITHOUT_PATH };
  },
  async delete(context, state) {
    const [project, pipeline] = context.pipelineOf(state);
    if (context.behavior.singleActionPaths === false) {
      const left = await listActionsOf(context, project, pipeline);
      if (!left.some(({ id }) => id === state.actionId)) return false;
      const what = `action "${state.name}" cannot be deleted: ${NO_PATH}`;
      throw new ProviderError("refused", what, WITHOUT_PATH);
    }
    return context.api.actions.delete(context.workspace, project, pipeline, state.actionId);
  },
});
