import { checkBody, isObject, type Fields } from "../fields.js";
import { badRequest, emptyValue } from "../errors.js";
import type { ActionRow } from "../model.js";
import type { Service } from "../service.js";
import { agentTriggerTimes } from "../words.js";
import { showIntegration } from "../views/projects.js";
import { agent, build, platformCli } from "./build.js";
import { actionType, type ActionType } from "./definition.js";
import * as deliver from "./deliver.js";
import { chat, http, ping, sms } from "./notify.js";

/** Every action type and variant of the spec. */
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

/** Secret by their names where the type's fields are not known (spec, "Action (common fields)"). */
const secretNames = new Set(["password", "server_key", "passphrase"]);

/** The service's own fields of an action: sent along, they are not kept. */
const answerNames = new Set(["url", "html_url", "id", "pipeline", "status", "last_execution_status"]);

/** The types whose parameters the spec does not show. */
const unknownType = (type: string): ActionType =>
  actionType({ type, title: type, triggerTimes: agentTriggerTimes, keepsOtherFields: true, fields: {} });

/** Common fields of every type (spec, "Actions"). */
export const commonFields = {
  name: { type: "string", required: true },
  type: { type: "string", required: true },
  trigger_time: { type: "string", required: true },
  run_only_on_first_failure: { type: "boolean" },
  after_action_id: { type: "integer" },
} as const satisfies Fields;

/** The type, and its variant, that a body or a stored action is of. */
export function typeOf(type: string, fields: Record<string, unknown>): ActionType {
  const variants = actionTypes.filter((each) => each.type === type);
  if (variants.length === 0) return unknownType(type);
  for (const each of variants) {
    if (each.variant === undefined) return each;
    const value = fields[each.variant.field] ?? null;
    if (value === each.variant.value || (value === null && each.variant.orAbsent === true)) return each;
  }
  throw emptyValue(variants[0]?.variant?.field ?? "type");
}

/** What of an action's body is kept: checked fields, secrets apart. */
export interface CheckedAction {
  definition: ActionType;
  name: string;
  type: string;
  trigger_time: string;
  run_only_on_first_failure: boolean;
  fields: Record<string, unknown>;
  secrets: Record<string, string>;
}

/** Check a whole action: common fields, the type's own, and the rules between them. */
export function checkAction(body: unknown, strict: boolean): CheckedAction {
  const common = checkBody(commonFields, body);
  const all = body as Record<string, unknown>;
  const definition = typeOf(common.type, all);
  checkBody(
    {
      ...commonFields,
      ...definition.fields,
      trigger_time: { type: "string", required: true, values: definition.triggerTimes },
    },
    all,
    strict && !definition.keepsOtherFields,
  );
  if (
    definition.notifies &&
    common.trigger_time === "ON_FAILURE" &&
    common.run_only_on_first_failure == null
  ) {
    throw emptyValue("run_only_on_first_failure");
  }
  const fields: [string, unknown][] = [];
  const secrets: [string, string][] = [];
  for (const [name, value] of Object.entries(all)) {
    if (value === null || answerNames.has(name) || Object.hasOwn(commonFields, name)) continue;
    const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
    if (field === undefined && !definition.keepsOtherFields) continue;
    if (field?.secret === true || (field === undefined && secretNames.has(name))) {
      secrets.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
    } else fields.push([name, value]);
  }
  return {
    definition,
    name: common.name,
    type: common.type,
    trigger_time: common.trigger_time,
    run_only_on_first_failure: common.run_only_on_first_failure ?? false,
    // Not by assignment, which would take `__proto__` for more than a name.
    fields: Object.fromEntries(fields),
    secrets: Object.fromEntries(secrets),
  };
}

/** The integration an action names by id must be one of the caller's. */
export function checkIntegration(service: Service, userId: number, fields: Record<string, unknown>): void {
  const integration = fields["integration"];
  if (!isObject(integration) || typeof integration["id"] !== "number") return;
  const id = integration["id"];
  if (service.store.integrations.get(id)?.userId !== userId) {
    throw badRequest(`Integration ${id} does not exist.`);
  }
}

/** An action's type-specific fields as answered: null for empty, nothing secret. */
export function showTypeFields(service: Service, row: ActionRow): Record<string, unknown> {
  const definition = typeOf(row.type, row.fields);
  const known = Object.entries(definition.fields)
    .filter(([, field]) => field.secret !== true)
    .map(([name, { type }]) => {
      const own = Object.hasOwn(row.fields, name) ? row.fields[name] : undefined;
      return [name, own ?? definition.defaults[name] ?? (type === "boolean" ? false : null)] as const;
    });
  const others = definition.keepsOtherFields
    ? Object.entries(row.fields).filter(([name]) => !Object.hasOwn(definition.fields, name))
    : [];
  const shown: Record<string, unknown> = Object.fromEntries([...known, ...others]);
  const integration = shown["integration"];
  if (isObject(integration) && typeof integration["id"] === "number") {
    const found = service.store.integrations.get(integration["id"]);
    if (found !== undefined) shown["integration"] = showIntegration(service, found);
  }
  return shown;
}
