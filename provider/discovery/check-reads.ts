/** Reads a workspace as an import, the refresh after it and a preview do, and reports what they would not agree on. */
import { isServiceError, type ClientOptions } from "../../client/index.js";
import type { Connection } from "../connection/connection.js";
import { Session } from "../connection/session.js";
import { diffResource } from "../crud/diff.js";
import { read } from "../crud/read.js";
import { importForms, importId, pickScopes } from "../definition/import-id.js";
import { LogicalName } from "../definition/logical-name.js";
import { ProviderError } from "../errors.js";
import { isSameJson } from "../../diff/values.js";
import { discoverWorkspace, type DiscoveredObject } from "./discover.js";
import { findById } from "./import-by-id.js";

export interface ReadCheck {
  readonly type: string;
  /** Number of objects that were read completely. */
  readonly objects: number;
  readonly problems: readonly string[];
}

/** Writes nothing. @param client settings of the client that reads */
export async function checkReads(
  connection: Connection,
  client: Partial<ClientOptions>,
): Promise<ReadCheck[]> {
  const found = await discoverWorkspace(connection, { enters: () => true, opens: () => true }, { client });
  const results = new Map<string, { objects: number; problems: string[] }>();
  const note = (type: string, problem: string | undefined) => {
    const { objects, problems } = results.get(type) ?? { objects: 0, problems: [] };
    if (problem === undefined) results.set(type, { objects: objects + 1, problems });
    else if (problem !== UNREADABLE) results.set(type, { objects, problems: [...problems, problem] });
  };
  for (const { type, reason, code } of found.gaps) if (code === "invalid-response") note(type, reason);
  const objects = [...found.objects, ...found.omitted];
  const byName = new Map(objects.map((object) => [object.name, object]));
  const session = new Session(connection, { client });
  try {
    for (const object of objects) {
      if (importForms(object.definition).length === 0) continue;
      const parents = new LogicalName(object.name).ancestors.map((name) => byName.get(name)?.outputs);
      const path = { ...pickScopes(object.definition, parents), ...object.outputs };
      const id = importId(object.definition, found.workspace, path);
      note(object.definition.type, await checkObject(object, id, session));
    }
  } finally {
    await session.close();
  }
  return [...results].map(([type, result]) => ({ type, ...result }));
}

/** An object that the service refuses to show says nothing about the provider. */
const UNREADABLE = "";

/** @returns what is wrong; undefined when all reads agree */
async function checkObject(
  { definition, name }: DiscoveredObject,
  id: string,
  session: Session,
): Promise<string | undefined> {
  try {
    const state = await findById(definition, session, id);
    if (state === undefined) return `${name} is in a list, but cannot be read`;
    const { changed } = diffResource(definition, state.outs, state.args);
    if (changed.length > 0) return `${name}: a preview after the import would change ${changed.join(", ")}`;
    const after = await read(definition, session.context(state.outs), state.outs);
    if (after === undefined) return `${name} is missing at the next read`;
    return isSameJson(after.outs, state.outs) ? undefined : `${name}: the refresh after the import differs`;
  } catch (error) {
    if (isServiceError(error)) return error.code === "invalid-response" ? error.message : UNREADABLE;
    if (error instanceof ProviderError) return error.message;
    throw error;
  }
}
