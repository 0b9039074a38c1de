/** Registry of the action types. */
import { z } from "zod";
import { agentTriggerTimes } from "../enums.js";
import { createBadRequestError, createEmptyValueError } from "../errors.js";
import { checkBody, type Fields, flag, integer, isObject, isSecret, nonBlank } from "../fields.js";
import type { ActionRow } from "../model.js";
import { serializeIntegration } from "../serializers/projects.js";
import type { Service } from "../service.js";
import { agent, build, platformCli } from "./build.js";
import { type ActionType, defineActionType } from "./definition.js";
import * as deliver from "./deliver.js";
import { chat, http, ping, sms } from "./notify.js";

/** Registry of every action type and variant of the spec. */
export const actionTypes: readonly ActionType[] = [
  build,
  platformCli,
  http,
  ping,
  deliver.pushWithPassword,
  deliver.pushWithKey,
  deliver.pushWithKeyVariable,
  deliver.vmWithKeyVariable,
  deliver.vmWithKeyAndPassword,
  chat,
  sms,
  deliver.sshWithPassword,
  deliver.sshOtherwise,
  agent,
];

/** Names that are secret where the fields of the type are unknown (spec, "Action (common fields)"). */
const secretNames = new Set(["password", "server_key", "passphrase"]);

/** Fields that only the service sets. They are ignored in a request. */
const responseOnlyFields = new Set(["url", "html_url", "id", "pipeline", "status", "last_execution_status"]);

/** Returns the definition of a type whose parameters the spec does not show. */
const createUnknownType = (type: string): ActionType =>
  defineActionType({
    type,
    title: type,
    triggerTime: z.enum(agentTriggerTimes),
    acceptsOtherFields: true,
    fields: {},
  });

/** Common fields of every type (spec, "Actions"). */
export const commonFields = {
  name: nonBlank,
  type: nonBlank,
  trigger_time: nonBlank,
  run_only_on_first_failure: flag.nullish(),
  after_action_id: integer.nullish(),
} as const satisfies Fields;

/** Returns the type and variant of a request body or of a stored action. */
export function findActionType(type: string, fields: Record<string, unknown>): ActionType {
  const variants = actionTypes.filter((each) => each.type === type);
  if (variants.length === 0) return createUnknownType(type);
  for (const each of variants) {
    if (each.variant === undefined) return each;
    const value = fields[each.variant.field] ?? null;
    if (value === each.variant.value || (value === null && each.variant.orAbsent === true)) return each;
  }
  throw createEmptyValueError(variants[0]?.variant?.field ?? "type");
}

/** Checked values of an action, with the secret ones apart. */
export interface CheckedAction {
  definition: ActionType;
  values: Pick<ActionRow, "name" | "type" | "trigger_time" | "run_only_on_first_failure" | "fields">;
  secrets: Record<string, string>;
}

/** Checks a whole action: the common fields, the fields of its type and the rules between them. */
export function checkAction(body: unknown, strict: boolean): CheckedAction {
  const common = checkBody(commonFields, body);
  const all = body as Record<string, unknown>;
  const definition = findActionType(common.type, all);
  const expected = { ...commonFields, ...definition.fields, trigger_time: definition.triggerTime };
  checkBody(expected, all, strict && !definition.acceptsOtherFields);
  const { name, type, trigger_time, run_only_on_first_failure } = common;
  if (definition.notifies && trigger_time === "ON_FAILURE" && run_only_on_first_failure == null) {
    throw createEmptyValueError("run_only_on_first_failure");
  }
  const fields: [string, unknown][] = [];
  const secrets: [string, string][] = [];
  for (const [name, value] of Object.entries(all)) {
    if (value === null || responseOnlyFields.has(name) || Object.hasOwn(commonFields, name)) continue;
    const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
    if (field === undefined && !definition.acceptsOtherFields) continue;
    if (field === undefined ? secretNames.has(name) : isSecret(field)) {
      secrets.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
    } else fields.push([name, value]);
  }
  return {
    definition,
    values: {
      name,
      type,
      trigger_time,
      run_only_on_first_failure: run_only_on_first_failure ?? false,
      // `fromEntries` instead of assignments, which would set the prototype for the name `__proto__`.
      fields: Object.fromEntries(fields),
    },
    secrets: Object.fromEntries(secrets),
  };
}

/** Checks that an integration given by id belongs to the caller. */
export function checkIntegration(service: Service, userId: number, fields: Record<string, unknown>): void {
  const integration = fields["integration"];
  if (!isObject(integration) || typeof integration["id"] !== "number") return;
  const id = integration["id"];
  if (service.store.integrations.get(id)?.userId !== userId) {
    throw createBadRequestError(`Integration ${id} does not exist.`);
  }
}

/** Serializes the fields of an action's type: null for empty ones, and without secrets. */
export function serializeTypeFields(service: Service, row: ActionRow): Record<string, unknown> {
  const definition = findActionType(row.type, row.fields);
  const known = Object.entries(definition.fields)
    .filter(([, field]) => !isSecret(field))
    .map(([name]) => {
      const own = Object.hasOwn(row.fields, name) ? row.fields[name] : undefined;
      return [name, own ?? definition.defaults[name] ?? null] as const;
    });
  const others = definition.acceptsOtherFields
    ? Object.entries(row.fields).filter(([name]) => !Object.hasOwn(definition.fields, name))
    : [];
  const fields: Record<string, unknown> = Object.fromEntries([...known, ...others]);
  const integration = fields["integration"];
  if (isObject(integration) && typeof integration["id"] === "number") {
    const found = service.store.integrations.get(integration["id"]);
    if (found !== undefined) fields["integration"] = serializeIntegration(service, found);
  }
  return fields;
}
