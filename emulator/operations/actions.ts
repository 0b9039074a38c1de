/** Creates, changes and deletes actions. */
import {
  checkAction,
  type CheckedAction,
  checkIntegration,
  findActionType,
} from "../actions/action-types.js";
import type { ActionType } from "../actions/definition.js";
import { createBadRequestError } from "../errors.js";
import { isObject } from "../fields.js";
import type * as model from "../model.js";
import { listActions } from "../serializers/pipelines.js";
import type { Service } from "../service.js";
import { requireUnusedName } from "./names.js";

/** Operations on actions that routes and seed share. */

export function createAction(
  service: Service,
  pipeline: model.PipelineRow,
  userId: number,
  body: unknown,
  {
    allow = () => undefined,
    position = "last",
  }: { allow?: (definition: ActionType) => void; position?: "last" | "first" } = {},
): { row: model.ActionRow; definition: ActionType } {
  const { store } = service;
  const checked = checkAction(body, service.settings.strictBodies);
  allow(checked.definition);
  checkIntegration(service, userId, checked.values.fields);
  const others = listActions(service, pipeline.id);
  requireUnusedName(service, "actions", others, checked.values.name);
  const index = findPositionAfter(others, body) ?? (position === "first" ? 0 : undefined);
  const row = store.actions.insert({
    pipelineId: pipeline.id,
    status: "INITIAL",
    position: others.length,
    ...storeValues(service, checked),
  });
  if (index !== undefined) arrange(service, others.toSpliced(index, 0, row));
  return { row, definition: checked.definition };
}

/** Changes the fields that were sent. The resulting action as a whole must be valid. */
export function updateAction(service: Service, row: model.ActionRow, userId: number, body: unknown): void {
  const { store } = service;
  const patch = isObject(body) ? body : {};
  if (patch["type"] !== undefined && patch["type"] !== row.type) {
    throw createBadRequestError("The type of an action cannot be changed.");
  }
  const checked = checkAction(
    { ...pickUnchangedFields(service, row, patch), ...patch },
    service.settings.strictBodies,
  );
  if (patch["integration"] !== undefined) checkIntegration(service, userId, checked.values.fields);
  const others = listActions(service, row.pipelineId).filter((other) => other.id !== row.id);
  requireUnusedName(service, "actions", others, checked.values.name);
  const index = service.settings.movableActions ? findPositionAfter(others, body) : undefined;
  store.actions.update(Object.assign(row, storeValues(service, checked)));
  if (index !== undefined) arrange(service, others.toSpliced(index, 0, row));
}

export function deleteAction(service: Service, row: model.ActionRow): void {
  service.store.actions.remove(row);
  arrange(service, listActions(service, row.pipelineId));
}

/** Returns the fields that a change does not touch, without those that the new variant lacks. */
function pickUnchangedFields(
  service: Service,
  row: model.ActionRow,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  const { name, type, trigger_time, run_only_on_first_failure } = row;
  const secrets = Object.entries(row.sealed).map(
    ([key, text]) => [key, service.store.encryption.decrypt(text)] as const,
  );
  const definition = findActionType(type, { ...row.fields, ...patch });
  const fields = [...Object.entries(row.fields), ...secrets].filter(
    ([key]) => definition.acceptsOtherFields || Object.hasOwn(definition.fields, key),
  );
  return { ...Object.fromEntries(fields), name, type, trigger_time, run_only_on_first_failure };
}

function storeValues(service: Service, { values, secrets }: CheckedAction) {
  const sealed = Object.fromEntries(
    Object.entries(secrets).map(([key, value]) => [key, service.store.encryption.encrypt(value)]),
  );
  return { ...values, sealed };
}

/** Returns the position that `after_action_id` means, or undefined when it was not sent. */
function findPositionAfter(others: readonly model.ActionRow[], body: unknown): number | undefined {
  const after = isObject(body) ? body["after_action_id"] : undefined;
  if (typeof after !== "number") return undefined;
  const index = others.findIndex((other) => other.id === after);
  if (index < 0) throw createBadRequestError(`Action ${after} does not exist in this pipeline.`);
  return index + 1;
}

function arrange(service: Service, ordered: readonly model.ActionRow[]): void {
  ordered.forEach((action, position) => {
    if (action.position === position) return;
    action.position = position;
    service.store.actions.update(action);
  });
}
