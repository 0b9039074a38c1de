/** Finds the objects that use another one without being in it, such as the project members that have a permission set. */
import { isServiceError } from "../../client/index.js";
import { listApiKeys, readRemoteValue } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { definitions } from "../../resources/registry.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { withRemote } from "../crud/target.js";
import { gather, listRemote } from "../existence/sources.js";
import { listStatesIn } from "./list-objects.js";

/** An object that uses another one. */
export interface ObjectUse {
  readonly definition: Definition;
  /** The argument that refers to the other one. */
  readonly arg: string;
  /** Its parents, and what the service shows of it. */
  readonly state: Fields;
  /** The name of the person or object, as far as the service shows it. */
  readonly called: string;
}

/** The types whose objects refer to a type by an argument that neither identifies nor locates them. */
export function listUsers(type: string): readonly { definition: Definition; arg: string }[] {
  return definitions.flatMap((definition) => {
    const parents = Object.values(definition.document?.under ?? {});
    return Object.entries(definition.references)
      .filter(
        ([arg, { to, idOutput, list }]) =>
          to === type && idOutput !== undefined && list !== true && !parents.includes(arg),
      )
      .filter(([arg]) => !definition.naturalKey.includes(arg))
      .map(([arg]) => ({ definition, arg }));
  });
}

/** Reads every list in which an object may be that uses this one. */
export async function findUsers(
  connection: Connection,
  used: { readonly definition: Definition; readonly state: Fields },
  options: ReadingOptions = {},
): Promise<ObjectUse[]> {
  const users = listUsers(used.definition.type);
  if (users.length === 0) return [];
  const session = new Session(connection, options);
  try {
    const id = used.state[used.definition.identity.state];
    const found = await Promise.all(users.map((user) => findUsersIn(user, session.context(used.state), id)));
    return found.flat();
  } finally {
    await session.close();
  }
}

async function findUsersIn(
  { definition, arg }: { definition: Definition; arg: string },
  context: Context,
  id: unknown,
): Promise<ObjectUse[]> {
  const uses: ObjectUse[] = [];
  for await (const parent of listStatesIn(definition, context, {})) {
    const list = definition.list(context, parent);
    const items = list === undefined ? [] : await listRemote(context, list, true).catch(noneIfRefused);
    for (const item of items) {
      const state = {
        ...withRemote(definition, parent, item),
        [definition.identity.state]: item[definition.identity.apiName],
      };
      const keys = listApiKeys(definition, arg, id);
      const isEnough = (shown: Fields) => keys.every((key) => key in shown);
      const remote = await gather({ definition, context, state }, isEnough, item);
      if (remote === undefined || readRemoteValue(definition, remote, arg) !== id) continue;
      const called = String(remote["email"] ?? remote["name"] ?? remote[definition.identity.apiName]);
      uses.push({ definition, arg, state, called });
    }
  }
  return uses;
}

/** Nothing is known of what the token may not read. */
function noneIfRefused(error: unknown): [] {
  if (isServiceError(error, "denied", "not-found")) return [];
  throw error;
}
