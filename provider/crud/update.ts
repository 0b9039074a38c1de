/** Updates an object. */
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import { pickDefined } from "../../diff/values.js";
import { convertToSent, requestBody } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { refuseWhileImporting } from "../../resources/definition/import-mode.js";
import { listRemoteDefaults } from "../../resources/definition/server-defaults.js";
import { PartialUpdate } from "../../resources/errors.js";
import { refuseDeleted } from "../existence/deleted-meanwhile.js";
import { enterResponse, runWrite } from "../existence/sources.js";
import { diffResource, getIdentity, pickArgs } from "./diff.js";
import { buildStateAfterWrite, type ObjectState } from "./state.js";
import { resolveTarget } from "./target.js";
import { verifyResponse } from "./verify.js";

/** Updates the object with one request that contains what has changed, and what the spec requires besides. */
export async function update(
  definition: Definition,
  context: Context,
  olds: Fields,
  news: Fields,
): Promise<ObjectState> {
  refuseWhileImporting(getDisplayName(definition, { ...olds, ...news }), context, "change");
  const change = { olds, news, ...diffResource(definition, olds, news) };
  const target = await resolveTarget(definition, context, { ...getIdentity(definition, olds), ...news });
  const { state } = target;
  const { body, sent } = patchBody(definition, state, change.sent, context.behavior);
  const needed = Object.keys(body).length > 0;
  const renamed = definition.naturalKey.some((name) => change.changed.includes(name));
  const send = () => definition.update?.(context, body, state, change);
  const updated = needed
    ? await runWrite(target, send, renamed).catch((error: unknown) =>
        refuseDeleted({ ...target, state: { ...olds, ...state } }, error),
      )
    : undefined;
  if (updated !== undefined) enterResponse(target, updated as RemoteObject);
  const here = { ...target, state: { ...olds, ...dropArgs(definition, olds, state) } };
  const response = { ...updated } as RemoteObject;
  const written = buildStateAfterWrite(here, response, updated === undefined ? [] : sent);
  if (updated === undefined) return written;
  const { result, refusal } = verifyResponse(here, sent, response, written, olds);
  if (refusal !== undefined) throw new PartialUpdate(result.id, result.outs, refusal);
  return result;
}

/** The body of a change, and the arguments in it. */
export function patchBody(
  definition: Definition,
  state: Fields,
  changed: readonly string[],
  { clearedBy }: MeasuredBehavior = {},
): { readonly body: Fields; readonly sent: readonly string[] } {
  const names = changed.filter((name) => name !== "workspace");
  // An argument that is no longer declared is set to its default.
  const whole = {
    ...listRemoteDefaults(definition, state),
    ...pickDefined(convertToSent(definition, state)),
  };
  const body = requestBody(definition, whole, names, false, clearedBy);
  if (Object.keys(body).length === 0) return { body, sent: [] };
  const always = definition
    .forceSend(state)
    .filter((name) => state[name] !== undefined && !changed.includes(name));
  return {
    body: { ...requestBody(definition, whole, always, false, clearedBy), ...body },
    sent: [...names, ...always],
  };
}

/** New arguments, and undefined for the old ones that are no longer declared. */
function dropArgs(definition: Definition, olds: Fields, state: Fields): Fields {
  const removed = Object.keys(pickArgs(definition, olds)).filter((name) => !(name in state));
  return { ...state, ...Object.fromEntries(removed.map((name) => [name, undefined])) };
}
