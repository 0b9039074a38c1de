/** What services may do in more than one way, as a probe measures it. The emulator has a setting of the same name for each. */
import { z } from "zod";

const extent = z.enum(["full", "summary"]);

export const behaviorSchema = z.strictObject({
  maxPerPage: z.int().positive().describe("Largest page that the service returns."),
  largePages: z
    .enum(["reduced", "refused"])
    .describe("What the service does with a larger `per_page`: it returns its largest page, or an error."),
  missingStatus: z
    .union([z.literal(404), z.literal(400), z.literal(403)])
    .describe("Status of the response when an object does not exist."),
  singleActionPaths: z.boolean().describe("Whether `.../actions/:action_id` exists."),
  embeddedActions: extent.describe("Whether the actions in a pipeline have all their fields."),
  listedActions: extent.describe("Whether the actions in the list of actions have all their fields."),
  embeddedActionStatusField: z
    .enum(["status", "last_execution_status"])
    .describe("Name of the status of the actions in a pipeline."),
  movableActions: z.boolean().describe("Whether `after_action_id` in a PATCH moves an action."),
  echoMemberEmail: z.boolean().describe("Whether members are returned with their e-mail address."),
  encryptedValues: z
    .enum(["stable", "changing"])
    .describe("Whether the masked form of an encrypted value stays the same while the value does."),
  clearedBy: z.enum(["null", "empty"]).describe("What clears a text in a PATCH: null, or an empty text."),
  strictBodies: z.boolean().describe("Whether a field that the service does not know is refused."),
  showSchedule: z.boolean().describe("Whether a pipeline is returned with its schedule."),
  cronUpdates: z.boolean().describe("Whether a PATCH accepts another `cron`."),
});

/** The behavior of a service. */
export type Behavior = z.output<typeof behaviorSchema>;

/** What was measured. Anything may be unknown. */
export type MeasuredBehavior = { readonly [K in keyof Behavior]?: Behavior[K] | undefined };

/** What the provider assumes where nothing was measured. */
export const assumedBehavior: Behavior = {
  maxPerPage: 100,
  largePages: "reduced",
  missingStatus: 404,
  singleActionPaths: true,
  embeddedActions: "full",
  listedActions: "full",
  embeddedActionStatusField: "last_execution_status",
  movableActions: true,
  echoMemberEmail: true,
  encryptedValues: "stable",
  clearedBy: "null",
  strictBodies: false,
  showSchedule: false,
  cronUpdates: true,
};
