/** The objects of a type, each by the id by which it can be imported. */
import type { WorkspaceAutomationClient } from "../../client/index.js";
import { withRemote } from "../crud/target.js";
import { listed } from "../crud/remote-object.js";
import { Context } from "../definition/context.js";
import type { Definition, Fields } from "../definition/definition.js";
import { importForms, importId, scopesOf } from "../definition/import-id.js";
import { resolveReferences } from "../definition/references.js";
import { definitionOf } from "../resources/registry.js";
import { listsSiblings } from "./unmanaged.js";

export interface ListedById {
  readonly id: string;
  readonly name: string;
}

/** Tells whether the service has a list of the type's objects. */
export function isListable(definition: Definition): boolean {
  if (importForms(definition).length === 0) return false;
  // No list is read here: only which one it would be.
  const context = new Context({} as WorkspaceAutomationClient, "workspace", "");
  return listsSiblings(definition, context, EVERYWHERE);
}

/** Stands for whatever an object may stand in. */
const EVERYWHERE = { project: "project", pipelineId: 1, groupId: 1 };

/**
 * @param query the objects that the listed ones stand in, by argument; what they must stand in and is not given is listed too
 */
export async function* listObjects(
  definition: Definition,
  context: Context,
  query: Fields,
): AsyncGenerator<ListedById> {
  for await (const state of statesIn(definition, context, query)) {
    const list = definition.list(context, state);
    for (const item of list === undefined ? [] : await listed(context, list)) {
      const { state: part, apiName } = definition.identity;
      const shown = { ...withRemote(definition, state, item), [part]: item[apiName] };
      const id = importId(definition, context.workspace, shown);
      const name = item["name"] ?? item["key"] ?? item["title"] ?? item[apiName];
      yield { id, name: String(name) };
    }
  }
}

/** What the objects of a type stand in, as their states would say it. */
async function* statesIn(definition: Definition, context: Context, query: Fields): AsyncGenerator<Fields> {
  const given = { ...query, ...(await resolveReferences(definition.references, context, query)) };
  const missing = scopesOf(definition).find(({ required, part }) => required && given[part] === undefined);
  if (missing === undefined) {
    yield given;
    return;
  }
  const reference = definition.references[missing.arg];
  const parent = definitionOf(reference?.to ?? "");
  for await (const holder of statesIn(parent, context, query)) {
    const list = parent.list(context, holder);
    for (const item of list === undefined ? [] : await listed(context, list)) {
      const inIt = { ...holder, [missing.part]: item[parent.identity.apiName] };
      yield* statesIn(definition, context, inIt);
    }
  }
}

/** The arguments that narrow a list: the workspace, and what its objects stand in. */
export function listInputs(definition: Definition): string[] {
  return ["workspace", ...scopesOf(definition).map(({ arg }) => arg)];
}
