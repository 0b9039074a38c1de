/** Lists the objects of a type, with the ids by which they can be imported. */
import type { WorkspaceAutomationClient } from "../../client/index.js";
import { Context } from "../../resources/definition/context.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { importForms, importId, listScopes } from "../../resources/definition/import-id.js";
import { resolveReferences } from "../../resources/definition/references.js";
import { getDefinition } from "../../resources/registry.js";
import { withRemote } from "../crud/target.js";
import { listRemote } from "../existence/sources.js";
import { listsSiblings } from "./unmanaged.js";

export interface ListedById {
  readonly id: string;
  readonly name: string;
}

/** Whether the service has a list of the type's objects. */
export function isListable(definition: Definition): boolean {
  if (importForms(definition).length === 0) return false;
  // Only the key of the list is needed, so nothing is read.
  const context = new Context({} as WorkspaceAutomationClient, "workspace", "");
  return listsSiblings(definition, context, EVERYWHERE);
}

/** Stands for any parents. */
const EVERYWHERE = { project: "project", pipelineId: 1, groupId: 1 };

/**
 * @param query the parents, by argument; where a required one is missing, all possible ones are listed first
 */
export async function* listObjects(
  definition: Definition,
  context: Context,
  query: Fields,
): AsyncGenerator<ListedById> {
  for await (const state of listStatesIn(definition, context, query)) {
    const list = definition.list(context, state);
    for (const item of list === undefined ? [] : await listRemote(context, list, true)) {
      const { state: part, apiName } = definition.identity;
      const shown = { ...withRemote(definition, state, item), [part]: item[apiName] };
      const id = importId(definition, context.workspace, shown);
      const name = item["name"] ?? item["key"] ?? item["title"] ?? item[apiName];
      yield { id, name: String(name) };
    }
  }
}

/** The parents of a type's objects, as arguments and outputs. */
export async function* listStatesIn(
  definition: Definition,
  context: Context,
  query: Fields,
): AsyncGenerator<Fields> {
  const given = { ...query, ...(await resolveReferences(definition.references, context, query)) };
  const missing = listScopes(definition).find(({ required, part }) => required && given[part] === undefined);
  if (missing === undefined) {
    yield given;
    return;
  }
  const reference = definition.references[missing.arg];
  const parent = getDefinition(reference?.to ?? "");
  for await (const parentState of listStatesIn(parent, context, query)) {
    const list = parent.list(context, parentState);
    for (const item of list === undefined ? [] : await listRemote(context, list, true)) {
      const state = { ...parentState, [missing.part]: item[parent.identity.apiName] };
      yield* listStatesIn(definition, context, state);
    }
  }
}

/** The arguments that restrict a list: the workspace, and the parents of its objects. */
export function listInputs(definition: Definition): string[] {
  return ["workspace", ...listScopes(definition).map(({ arg }) => arg)];
}
