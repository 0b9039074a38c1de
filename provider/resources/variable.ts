import { z } from "zod";
import { clearableText, id, nameOrId, text } from "../definition/primitives.js";
import { defineResource, maybeResolvedId, output, type Fields } from "../definition/definition.js";
import { keys } from "../definition/lists.js";
import { actionReference, notSent, pipelineReference, projectReference } from "../definition/references.js";

const hidden = (args: Fields) => args["encrypted"] === true || args["sshKey"] === true;
/** Values that may be secret are treated as such: a flag that is not known yet counts as set. */
const maybeHidden = (args: Fields) => Boolean(args["encrypted"]) || Boolean(args["sshKey"]);

const managed = (args: Fields) => args["valueManaged"] !== false;

/** Spec, Resources: Environment variable; Endpoints: Environment variables. Administrators only. */
export const variable = defineResource({
  type: "Variable",
  noun: "variable",
  description: "An environment variable of the workspace, a project, a pipeline or an action.",
  args: {
    key: text.describe("Name of the variable. A change renames it in place."),
    value: text.describe("Value. Secret when the variable is encrypted or an SSH key."),
    valueManaged: z
      .boolean()
      .optional()
      .describe(
        "false: `value` is only the first value, and the real one is filled in elsewhere; no other change is possible then, " +
          "since the service wants the value with each.",
      )
      .meta({ default: true }),
    encrypted: z
      .boolean()
      .optional()
      .describe("Keep the value encrypted, and never show it to anybody.")
      .meta({ default: false }),
    sshKey: z
      .boolean()
      .optional()
      .describe("The value is a private SSH key, for actions that take a key by the variable's name.")
      .meta({ default: false }),
    settable: z.boolean().optional().describe("Actions of a run may set the value."),
    description: clearableText.optional().describe("What the variable is for."),
    project: text.optional().describe("The project the variable belongs to: a Project or its name."),
    projectId: text.optional().describe("Filled in when `project` is a Project."),
    pipeline: nameOrId
      .optional()
      .describe(
        "The pipeline the variable belongs to: a Pipeline, its number, or (with `project`) its name.",
      ),
    action: nameOrId
      .optional()
      .describe("The action the variable belongs to: an Action, its number, or (with `pipeline`) its name."),
  },
  outputs: {
    variableId: output("id", id.describe("Number of the variable.")),
    pipelineId: maybeResolvedId("Number of the pipeline the variable belongs to, if it does."),
    actionId: maybeResolvedId("Number of the action the variable belongs to, if it does."),
  },
  id: ["variableId"],
  identity: { state: "variableId", wire: "id" },
  naturalKey: ["key", "project", "pipeline", "action"],
  replaceOn: ["project", "pipeline", "action"],
  secret: (args) => (maybeHidden(args) ? ["value"] : []),
  opaque: (args) => (hidden(args) && managed(args) ? ["value"] : []),
  writeOnly: (args) => (managed(args) ? [] : ["value"]),
  patchAlways: ["key", "value"],
  references: {
    project: projectReference,
    // The numbers alone tell the scope: the project is needed only to find a pipeline by name.
    pipeline: pipelineReference,
    action: actionReference,
  },
  wire: { project: notSent, projectId: notSent, pipeline: notSent, action: notSent, valueManaged: notSent },
  document: {
    section: "variables",
    under: { workspace: null, Project: "project", Pipeline: "pipeline", Action: "action" },
    keyedBy: "key",
    form: "map",
    scalar: "value",
  },
  examples: {
    create: { key: "REGION", value: "us-east", description: "Where it runs" },
    update: { key: "HOME_REGION", value: "eu-west", settable: true },
    replace: { project: "@Project" },
    outside: { value: "changed-by-hand" },
  },

  matches: (live, at) => live["key"] === at["key"],
  refuse({ olds, news, changed }) {
    const edits = changed.filter((name) => name !== "valueManaged");
    if (managed(news) || edits.length === 0) return undefined;
    return (
      `variable "${String(olds["key"])}": ${edits.join(", ")} cannot be changed while valueManaged is false, since the ` +
      `service wants the value with every change. Change it where the value is filled in, or manage the value here`
    );
  },
  list(context, at) {
    const scope = scopeOf(at, (name) => context.projectName(name));
    const query = scope.query;
    return {
      kind: "list",
      key: scope.key,
      load: () => context.api.variables.list(context.workspace, query).toArray(),
    };
  },
  sources(context, at) {
    const variable = Number(at["variableId"]);
    const load = () => context.api.variables.get(context.workspace, variable);
    // No path names the scope, and the list is shown whole or, to those who are no administrators, not at all.
    const alone = { kind: "single", key: `variables/${variable}`, anywhere: true, load } as const;
    return [this.list(context, at)!, alone];
  },
  create(context, body, at) {
    const { owner } = scopeOf(at, (name) => context.projectName(name));
    return context.api.variables.create(context.workspace, { ...body, ...owner } as never);
  },
  update: ({ api, workspace }, body, at) =>
    api.variables.update(workspace, Number(at["variableId"]), body as never),
  delete: ({ api, workspace }, at) => api.variables.delete(workspace, Number(at["variableId"])),
});

/** The narrowest owner given: how the list of its variables is asked for, and how a new one names it. */
function scopeOf(at: Fields, projectName: (name: string) => string) {
  if (at["actionId"] !== undefined) {
    const id = Number(at["actionId"]);
    return { key: `variables/action/${id}`, query: { actionId: id }, owner: { action: { id } } };
  }
  if (at["pipelineId"] !== undefined) {
    const id = Number(at["pipelineId"]);
    return { key: `variables/pipeline/${id}`, query: { pipelineId: id }, owner: { pipeline: { id } } };
  }
  if (typeof at["project"] === "string") {
    const name = projectName(at["project"]);
    return {
      key: `${keys.project(name)}/variables`,
      query: { projectName: name },
      owner: { project: { name } },
    };
  }
  return { key: "variables/workspace", query: {}, owner: {} };
}
