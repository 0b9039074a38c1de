/** Options of an emulator, and settings for what the specification leaves open. */
import { z } from "zod";
import type { Clock } from "./clock.js";
import type { Seed } from "./seed-schema.js";

/** Settings for what the spec leaves open. They can be changed while the emulator runs. */
export const settingsSchema = z.strictObject({
  /** Delay before each response in real milliseconds. Default 0. */
  latencyMs: z.number().min(0),
  /** Maximum page size. A larger `per_page` counts as this. Default 100. */
  maxPerPage: z.number().int().positive(),
  /** Whether `.../actions/:action_id` exists (GET, PATCH, DELETE). Off: 400 `Invalid url`. Default true. */
  singleActionPaths: z.boolean(),
  /** Whether the embedded actions of a pipeline contain all fields or the common ones only. Default "full". */
  embeddedActions: z.enum(["full", "summary"]),
  /** The same for the list of actions. Default as `embeddedActions`. */
  listedActions: z.enum(["full", "summary"]),
  /** Name of the status field of embedded actions. Default "last_execution_status". */
  embeddedActionStatusField: z.enum(["status", "last_execution_status"]),
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
  singleActionPaths: true,
  embeddedActions: "full",
  listedActions: "full",
  embeddedActionStatusField: "last_execution_status",
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

/** Returns the settings among the options, with defaults. */
export function readSettings(options: EmulatorOptions): Settings {
  const own = Object.fromEntries(
    Object.keys(defaultSettings)
      .map((name) => [name, options[name as keyof Settings]] as const)
      .filter(([, value]) => value !== undefined),
  );
  const settings = { ...defaultSettings, ...own };
  if (options.listedActions === undefined) settings.listedActions = settings.embeddedActions;
  return settings;
}
