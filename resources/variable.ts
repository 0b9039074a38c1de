/** Resource type `Variable`. */
import { Variable, type VariableCreate, type VariableScope } from "../client/api/variables.js";
import type { Context } from "./definition/context.js";
import { defineResource, maybeResolvedId, output } from "./definition/define-resource.js";
import { createSingleSource, keys, listSource } from "./definition/lists.js";
import { clearableText, flag, id, nameOrId, optional, text } from "./definition/primitives.js";
import { actionReference, notSent, pipelineReference, projectReference } from "./definition/references.js";

interface Flags {
  readonly encrypted?: unknown;
  readonly sshKey?: unknown;
  readonly valueManaged?: unknown;
}

const isHidden = ({ encrypted, sshKey }: Flags) => encrypted === true || sshKey === true;
/** Treats an unknown flag as set, so that no secret is shown. */
const mayBeHidden = ({ encrypted, sshKey }: Flags) => Boolean(encrypted) || Boolean(sshKey);
const isManaged = ({ valueManaged }: Flags) => valueManaged !== false;

/** Spec, Resources: Environment variable; Endpoints: Environment variables. Administrators only. */
export const variable = defineResource({
  type: "Variable",
  noun: "variable",
  description: "An environment variable of the workspace, a project, a pipeline or an action.",
  remote: Variable,
  args: {
    key: text.describe("Name of the variable. A change renames it in place."),
    value: text.describe("Value. Secret when the variable is encrypted or an SSH key."),
    valueManaged: flag(
      "false: `value` is only the initial value, and the actual one is set elsewhere. No other argument can be changed then, " +
        "since the service requires the value with each change.",
      true,
    ),
    encrypted: flag("Encrypt the value, and never show it.", false),
    sshKey: flag(
      "The value is a private SSH key, for actions that refer to a key by the variable's name.",
      false,
    ),
    settable: flag("Allow actions of a run to set the value."),
    description: optional(clearableText, "Purpose of the variable."),
    project: optional(text, "The project to which the variable belongs: a Project or its name."),
    projectId: optional(text, "Set automatically when `project` is a Project."),
    pipeline: optional(
      nameOrId,
      "The pipeline to which the variable belongs: a Pipeline, its number, or (with `project`) its name.",
    ),
    action: optional(
      nameOrId,
      "The action to which the variable belongs: an Action, its number, or (with `pipeline`) its name.",
    ),
  },
  outputs: {
    variableId: output("id", id.describe("Number of the variable.")),
    pipelineId: maybeResolvedId("Number of the variable's pipeline, if it has one."),
    actionId: maybeResolvedId("Number of the variable's action, if it has one."),
  },
  id: ["variableId"],
  identity: { state: "variableId", apiName: "id" },
  restricted: true,
  naturalKey: ["key", "project", "pipeline", "action"],
  spelling: { key: "name" },
  replaceOn: ["project", "pipeline", "action"],
  secret: (args) => (mayBeHidden(args) ? ["value"] : []),
  masked: (args) => (isHidden(args) && isManaged(args) ? ["value"] : []),
  writeOnly: (args) => (isManaged(args) ? [] : ["value"]),
  forceSend: ["key", "value"],
  references: {
    project: projectReference,
    // Ids alone name the scope. The project only serves to find a pipeline by its name.
    pipeline: pipelineReference,
    action: actionReference,
  },
  apiFields: {
    project: notSent,
    projectId: notSent,
    pipeline: notSent,
    action: notSent,
    valueManaged: notSent,
  },
  brief: ({ encrypted }) => (encrypted === true ? "secret" : undefined),
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

  matches: (remote, { key }) => remote.key === key,
  validateChange({ olds, news, changed }) {
    const edits = changed.filter((name) => name !== "valueManaged");
    if (isManaged(news) || edits.length === 0) return undefined;
    return {
      message: `variable "${String(olds.key)}": ${edits.join(", ")} cannot be changed while valueManaged is false, since the service requires the value with every change`,
      remedy: "Make the change where the value is set, or manage the value here",
    };
  },
  list(context, state) {
    const { key, query } = resolveScope(context, state);
    return listSource(key, () => context.api.variables.list(context.workspace, query));
  },
  // The path does not contain the scope. Administrators see the complete list, and others none.
  sources: ({ api, workspace }, { variableId: id }, list) => [
    ...list,
    { ...createSingleSource(`variables/${id}`, () => api.variables.get(workspace, id)), anywhere: true },
  ],
  create: (context, body, state) =>
    context.api.variables.create(context.workspace, { ...body, ...resolveScope(context, state).owner }),
  update: ({ api, workspace }, body, { variableId }) => api.variables.update(workspace, variableId, body),
  delete: ({ api, workspace }, { variableId }) => api.variables.delete(workspace, variableId),
});

interface Scope {
  /** Key and query of the list of its variables. */
  readonly key: string;
  readonly query: VariableScope;
  /** The fields by which a new variable names it. */
  readonly owner: Pick<VariableCreate, "project" | "pipeline" | "action">;
}

interface Owners {
  readonly project?: string | undefined;
  readonly pipelineId?: number | undefined;
  readonly actionId?: number | undefined;
}

/** The narrowest owner. */
function resolveScope(context: Context, { project, pipelineId, actionId }: Owners): Scope {
  if (actionId !== undefined) {
    return { key: `variables/action/${actionId}`, query: { actionId }, owner: { action: { id: actionId } } };
  }
  if (pipelineId !== undefined) {
    const owner = { pipeline: { id: pipelineId } };
    return { key: `variables/pipeline/${pipelineId}`, query: { pipelineId }, owner };
  }
  if (typeof project === "string") {
    const name = context.projectName(project);
    return {
      key: `${keys.project(name)}/variables`,
      query: { projectName: name },
      owner: { project: { name } },
    };
  }
  return { key: "variables/workspace", query: {}, owner: {} };
}
