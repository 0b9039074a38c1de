import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { hint } from "../definition/problems.js";
import { id, nameOrId, text, triggerTime } from "../definition/primitives.js";
import { defineResource, htmlUrl, output, variantOf, type Fields } from "../definition/definition.js";
import { keys, lists } from "../definition/lists.js";
import {
  idObject,
  integrationReference,
  notSent,
  movedByName,
  pipelineInProject,
  projectOnTheWay,
} from "../definition/references.js";
import { UNKNOWN } from "../../diff/values.js";
import {
  actionTypes,
  anyForm,
  isNotification,
  knownActionTypes,
  modes,
  OTHER,
  otherType,
  selectActionType,
} from "./action-types/index.js";

/** Spec, Endpoints: Actions. How a single action is read, changed and deleted is a decision: see docs/architecture.md. */
export const action = defineResource({
  type: "Action",
  noun: "action",
  description: "A step of a pipeline. What else it takes depends on its type.",
  args: {
    project: text.optional().describe("The project: filled in when `pipeline` is a Pipeline."),
    pipeline: nameOrId.describe("The pipeline: a Pipeline, or its number or name together with `project`."),
    name: text.describe("Name of the action. A change renames it in place."),
    type: text.describe("What the action does."),
    triggerTime: triggerTime.describe("When in a run the action is carried out."),
    runOnlyOnFirstFailure: z
      .boolean()
      .optional()
      .describe("With ON_FAILURE: only for the first failure in a row. Required then for HTTP, CHAT and SMS.")
      .meta({ default: false }),
  },
  variants: {
    of: { ...actionTypes, [OTHER]: otherType },
    select: (args) => selectActionType(args, (value) => value === UNKNOWN),
    chosenBy: "type",
    modes,
  },
  outputs: { actionId: output("id", id.describe("Number of the action.")), htmlUrl },
  id: ["pipelineId", "actionId"],
  identity: { state: "actionId", wire: "id" },
  naturalKey: ["pipeline", "name"],
  replaceOn: ["pipeline", "type"],
  replaceWhen: movedByName,
  secret: ["password", "serverKey", "passphrase"],
  undocumented: ["fields", "services", "mcpServers"],
  writeOnly: ["password", "serverKey", "passphrase"],
  references: { project: projectOnTheWay, pipeline: pipelineInProject, integration: integrationReference },
  // What the service makes of these views is not documented.
  nested: {
    ...Object.fromEntries(anyForm.map((name) => [name, "view" as const])),
    services: "view",
    triggerConditions: "view",
    variables: "view",
    mcpServers: "named",
    fields: "fields",
  },
  wire: {
    project: notSent,
    pipeline: notSent,
    port: {
      to: (value) => ({ port: typeof value === "number" ? String(value) : value }),
      from: (live) => live["port"],
      keys: () => ["port"],
    },
    integration: idObject("integration"),
    integrationIdentifier: {
      to: (identifier) => ({ integration: identifier === null ? null : { identifier } }),
      from: (live) => (live["integration"] as Fields | null | undefined)?.["identifier"],
      keys: () => ["integration"],
    },
    fields: {
      to: (value) => (value ?? {}) as Fields,
      // Of what the service shows beside them, nothing is the declaration's: an action may have no fields at all.
      from: (live, declared) =>
        declared === undefined
          ? live
          : Object.fromEntries(
              Object.keys(declared as Fields)
                .filter((key) => key in live)
                .map((key) => [key, live[key]]),
            ),
      keys: (declared) => Object.keys((declared ?? {}) as Fields),
      merged: true,
      rest: ["url", "status", "last_execution_status", "pipeline"],
    },
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

  matches: (live, at) => live["name"] === at["name"],
  rules(args, problem) {
    if (
      isNotification(args) &&
      args["triggerTime"] === "ON_FAILURE" &&
      args["runOnlyOnFirstFailure"] === undefined
    ) {
      problem(
        "runOnlyOnFirstFailure",
        "is required for a notification with triggerTime ON_FAILURE",
        "required",
      );
    }
    const { type, fields } = args;
    if (args["integration"] !== undefined && Object.hasOwn(fields ?? {}, "integration"))
      problem("fields", "names an integration too: take one of the two out", "conflict");
    if (typeof type === "string" && this.variants?.select(args) === OTHER) {
      const near = hint(type, knownActionTypes());
      if (near !== "" && args["fields"] === undefined)
        problem("type", `"${type}" is not a known type${near}`, "not-allowed-value");
    }
    if (typeof type === "string" && type !== UNKNOWN && variantOf(this as never, args) === undefined) {
      const modes = Object.values(actionTypes).filter((v) => v.chosen.type === type);
      const mode = modes.flatMap((v) => Object.keys(v.chosen)).find((name) => name !== "type");
      const words = modes.flatMap((v) => Object.values(v.chosen).slice(1)).filter((v) => v !== undefined);
      if (mode !== undefined && args[mode] !== UNKNOWN)
        problem(
          mode,
          `must be one of ${words.join(", ")} with type ${type}${typeof args[mode] === "string" ? hint(args[mode], words.map(String)) : ""}`,
          args[mode] === undefined ? "required" : "not-allowed-value",
        );
    }
  },
  list(context, at) {
    const [project, pipeline] = context.pipelineOf(at);
    const load = () => lists.actions(context, project, pipeline);
    const within = { key: keys.pipeline(project, pipeline), part: "actions" };
    return { kind: "list", key: keys.actions(project, pipeline), load, within };
  },
  sources(context, at) {
    const [project, pipeline] = context.pipelineOf(at);
    const action = Number(at["actionId"]);
    const { api, workspace } = context;
    return [
      this.list(context, at)!,
      {
        kind: "list",
        key: `${keys.actions(project, pipeline)}?listed`,
        load: () => api.actions.list(workspace, project, pipeline).toArray(),
      },
      {
        kind: "single",
        key: `${keys.actions(project, pipeline)}/${action}`,
        load: () => api.actions.get(workspace, project, pipeline, action),
      },
    ];
  },
  create(context, body, at) {
    const [project, pipeline] = context.pipelineOf(at);
    return context.api.actions.create(context.workspace, project, pipeline, body as never);
  },
  update(context, body, at, { olds }) {
    const [project, pipeline] = context.pipelineOf(at);
    const sent = onlyChanged(body, olds["fields"], at["fields"]);
    return context.api.actions.update(context.workspace, project, pipeline, Number(at["actionId"]), sent);
  },
  async delete(context, at) {
    const [project, pipeline] = context.pipelineOf(at);
    await context.api.actions.delete(context.workspace, project, pipeline, Number(at["actionId"]));
  },
});

/** Of a passed-through action's fields those that differ are sent, and those that are declared no longer are cleared. */
function onlyChanged(body: Fields, olds: unknown, news: unknown): Fields {
  const [before, after] = [(olds ?? {}) as Fields, (news ?? {}) as Fields];
  const isSame = (key: string) => Object.hasOwn(after, key) && isDeepStrictEqual(before[key], after[key]);
  const changed = Object.entries(body).filter(([key]) => !isSame(key));
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return { ...Object.fromEntries(removed.map((key) => [key, null])), ...Object.fromEntries(changed) };
}
