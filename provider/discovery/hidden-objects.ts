/** Finds hidden objects. Lists omit objects that the caller may not see: only its own path proves that an object was deleted. */
import { ServiceError } from "../../client/index.js";
import { listApiKeys } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition } from "../../resources/definition/definition.js";
import { buildNameIn } from "../../resources/definition/logical-name.js";
import { findDefinition } from "../../resources/registry.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";

/** An object of the workspace itself, by its natural name. */
export interface ExpectedName {
  readonly type: string;
  readonly key: string;
}

interface Hidden {
  readonly type: string;
  readonly name: string;
  readonly reason: string;
}

/** The expected objects that exist or may exist although no list shows them. Only objects with a path by name can be read. */
export async function listHidden(
  context: Context,
  expected: readonly ExpectedName[],
  shown: readonly { readonly definition: Definition; readonly key: string }[],
): Promise<Hidden[]> {
  const known = new Set(shown.map(({ definition, key }) => `${definition.type}/${key}`));
  const unseen = expected.filter(({ type, key }) => !known.has(`${type}/${key}`));
  const gaps = await Promise.all(
    unseen.map(async ({ type, key }): Promise<Hidden[]> => {
      const definition = findDefinition(type);
      const reason = definition && (await explainHidden(definition, context, key));
      const name = buildNameIn(undefined, definition?.document?.section ?? "", key);
      return reason === undefined ? [] : [{ type, name, reason }];
    }),
  );
  return gaps.flat();
}

/** The same for a workspace that was read earlier, with one request per object. */
export async function listHiddenAt(
  connection: Connection,
  expected: readonly ExpectedName[],
  options: ReadingOptions = {},
): Promise<readonly Hidden[]> {
  if (expected.length === 0) return [];
  const session = new Session(connection, options);
  try {
    return await listHidden(session.context({}), expected, []);
  } finally {
    await session.close();
  }
}

async function explainHidden(
  definition: Definition,
  context: Context,
  key: string,
): Promise<string | undefined> {
  const { identity, document } = definition;
  const keyedBy = document?.keyedBy ?? "";
  if (!listApiKeys(definition, keyedBy, key).includes(identity.apiName)) return undefined;
  const state = { [identity.state]: key, [keyedBy]: key };
  const alone = definition.sources(context, state).find((source) => source.kind === "single");
  try {
    await alone?.load();
    return alone && "no list shows it, although it exists";
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code === "not-found" ? undefined : error.message;
  }
}
