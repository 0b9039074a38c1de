/** Options of an emulator, and settings for what the specification leaves open. */
import { z } from "zod";
import type { Clock } from "./clock.js";
import type { Seed } from "./seed-schema.js";

/** Settings for what the spec leaves open. They can be changed while the emulator runs. */
export const settingsSchema = z.strictObject({
  /** Delay before each response in real milliseconds. Default 0. */
  latencyMs: z.number().min(0),
  /** Maximum page size. Default 100. */
  maxPerPage: z.number().int().positive(),
  /** Whether `.../actions/:action_id` exists (GET, PATCH, DELETE). Off: 400 `Invalid url`. Default true. */
  singleActionPaths: z.boolean(),
  /** What a larger `per_page` is: the maximum, or an error (400). Default "reduced". */
  largePages: z.enum(["reduced", "refused"]),
  /** Status of the response when an object does not exist. Default 404. */
  missingStatus: z.union([z.literal(404), z.literal(400), z.literal(403)]),
  /** Whether the embedded actions of a pipeline contain all fields or the common ones only. Default "full". */
  embeddedActions: z.enum(["full", "summary"]),
  /** The same for the list of actions. Default as `embeddedActions`. */
  listedActions: z.enum(["full", "summary"]),
  /** Name of the status field of embedded actions. Default "last_execution_status". */
  embeddedActionStatusField: z.enum(["status", "last_execution_status"]),
  /** Whether `after_action_id` in a PATCH moves an action. Off: it is ignored. Default true. */
  movableActions: z.boolean(),
  /** Whether the masked form of an encrypted value stays the same while the value does. Default "stable". */
  encryptedValues: z.enum(["stable", "changing"]),
  /** What clears a text in a PATCH. With "empty", null changes nothing. Default "null". */
  clearedBy: z.enum(["null", "empty"]),
  /** Whether a pipeline is returned with its schedule. Default false. */
  showSchedule: z.boolean(),
  /** Whether a PATCH accepts another `cron`. Off: it is an unknown field. Default true. */
  cronUpdates: z.boolean(),
  /** Whether responses about members contain `email`. Default false. */
  echoMemberEmail: z.boolean(),
  /** Whether an unknown field in a request body is refused (400). Default false. */
  strictBodies: z.boolean(),
  /** Duration of each action of an execution, in seconds of the emulator's time. Default 1. */
  actionSeconds: z.number().min(0),
});

export type Settings = z.output<typeof settingsSchema>;

export const defaultSettings: Settings = {
  latencyMs: 0,
  maxPerPage: 100,
  largePages: "reduced",
  missingStatus: 404,
  singleActionPaths: true,
  embeddedActions: "full",
  listedActions: "full",
  embeddedActionStatusField: "last_execution_status",
  movableActions: true,
  encryptedValues: "stable",
  clearedBy: "null",
  showSchedule: false,
  cronUpdates: true,
  echoMemberEmail: false,
  strictBodies: false,
  actionSeconds: 1,
};

export interface EmulatorOptions extends Partial<Settings> {
  /** TCP port; 0 picks a free one. Default 0. */
  port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Path prefix of the API, such as `/api`. Default none. */
  basePath?: string;
  /** Origin in `url` and `html_url`, when clients reach the emulator by another name. */
  publicOrigin?: string;
  /** File with the behavior of a service (`behavior`, by the names of the settings), as a probe measures it. Options take precedence. */
  profile?: string;
  /** Directory that stores all data across restarts and kill -9. Default: memory only. */
  dataDir?: string;
  /** Initial data, as a value or as the path of a YAML or JSON file. */
  seed?: Seed | string;
  /** Requests per user and window. Default 5000. */
  rateLimit?: number;
  /** Length of the window in seconds. Default 3600. */
  rateWindowSeconds?: number;
  /** Serves the control interface under `/_control`. Default false. */
  control?: boolean;
  /**
   * Key that the control interface and the web pages require. Default: none if only this machine can reach `host`, else a random one
   * (`key` of the handle).
   */
  key?: string;
  /** Access token of the principal, to know it before the start. Default: the seed's, else a random one. */
  token?: string;
  /** Clock of the emulator. Default: real time. */
  clock?: Clock;
}
