import type { Clock } from "./clock.js";
import type { Seed } from "./seed-schema.js";

/** Answers to what the spec leaves open; changeable while the emulator runs. */
export interface Settings {
  /** Real milliseconds to wait before each answer. Default 0. */
  latencyMs: number;
  /** The largest page the server gives; a larger `per_page` counts as this. Default 100. */
  maxPerPage: number;
  /** Whether `.../actions/:action_id` exists (GET, PATCH, DELETE). Off: 400 `Invalid url`. Default true. */
  singleActionPaths: boolean;
  /** Whether a pipeline's embedded actions carry all fields or the common ones only. Default "full". */
  embeddedActions: "full" | "summary";
  /** The same for the list of actions. Default as `embeddedActions`. */
  listedActions: "full" | "summary";
  /** Name of an embedded action's status field. Default "last_execution_status". */
  embeddedActionStatusField: "status" | "last_execution_status";
  /** Whether a member's `email` is in the answers about members. Default false. */
  echoMemberEmail: boolean;
  /** Whether an unknown body field is a 400. Default false. */
  strictBodies: boolean;
  /** How long each action of an execution runs, in seconds of the emulator's time. Default 1. */
  actionSeconds: number;
}

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
  /** Path below which the API lives, such as `/api`. Default none. */
  basePath?: string;
  /** Origin written into `url` and `html_url`, when clients reach the emulator by another name. */
  publicOrigin?: string;
  /** Directory that keeps everything over restarts, also over kill -9. Default: memory only. */
  dataDir?: string;
  /** What exists at first start, as a value or as the path of a YAML or JSON file. */
  seed?: Seed | string;
  /** Requests per user and window. Default 5000. */
  rateLimit?: number;
  /** Length of the window in seconds. Default 3600. */
  rateWindowSeconds?: number;
  /** Serve the control interface under `/_control`. Default false. */
  control?: boolean;
  /**
   * What the control interface and the web pages ask for. Default: nothing where `host` is an address of this machine
   * only, else a random one (`key` of the handle).
   */
  key?: string;
  /** The principal's access token, to be known before the start. Default: the seed's, else a random one. */
  token?: string;
  /** The emulator's time. Default: real time. */
  clock?: Clock;
}

/** The settings among the options, with defaults filled in. */
export function settingsOf(options: EmulatorOptions): Settings {
  const given = Object.fromEntries(
    Object.keys(defaultSettings)
      .map((name) => [name, options[name as keyof Settings]] as const)
      .filter(([, value]) => value !== undefined),
  );
  const settings = { ...defaultSettings, ...given };
  if (options.listedActions === undefined) settings.listedActions = settings.embeddedActions;
  return settings;
}
