/** Actions of a type that the spec does not describe. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { nonSecretArg } from "../definition/define-resource.js";
import type { Fields } from "../definition/definition.js";
import { agentTriggerTime, nameOrId, optional, text } from "../definition/primitives.js";

export const OTHER = "other";

/** Any other type. The spec mentions further types without their fields. */
export const otherType = {
  description:
    "An action of a type that this library does not know, or of a known type in an unknown mode. Its fields are sent to the " +
    "service unchanged.",
  args: {
    triggerTime: agentTriggerTime.describe("When the action runs."),
    type: text.describe("Type of the action, as the service names it.").meta({ examples: ["CUSTOM_SCAN"] }),
    integration: optional(
      nameOrId,
      "Integration of the calling user, for types that use one: its name or number.",
      "chat-main",
    ),
    fields: z
      .record(z.string(), z.unknown())
      .describe("Fields of the action, under the service's own names (snake_case)."),
    nonSecret: nonSecretArg("fields"),
  },
  examples: {
    create: { type: "CUSTOM_SCAN", fields: { scan_target: "src" } },
    update: { fields: { scan_target: "src", scan_depth: 3 } },
    outside: { fields: { scan_target: "elsewhere" } },
  },
};

/** The `fields` of such an action, which are part of the body itself. */
export const fieldsInBody = {
  to: (value: Fields | null): Fields => value ?? {},
  // The remaining fields that the service shows do not belong to the declaration, which may have no fields at all.
  from: (remote: Fields, declared: Fields | undefined) =>
    declared === undefined
      ? remote
      : Object.fromEntries(
          Object.keys(declared)
            .filter((key) => key in remote)
            .map((key) => [key, remote[key]]),
        ),
  keys: (declared: Fields | undefined) => Object.keys(declared ?? {}),
  merged: true,
  rest: ["url", "status", "last_execution_status", "pipeline"],
};

/** The fields that differ, and null for those that are no longer declared. */
export function pickChangedFields(body: Fields, before: Fields = {}, after: Fields = {}): Fields {
  const isSame = (key: string) => Object.hasOwn(after, key) && isDeepStrictEqual(before[key], after[key]);
  const changed = Object.entries(body).filter(([key]) => !isSame(key));
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return { ...Object.fromEntries(removed.map((key) => [key, null])), ...Object.fromEntries(changed) };
}
