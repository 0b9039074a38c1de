/** Options of an emulator. */
import type { Clock } from "./clock.js";
import type { Seed } from "./seed-schema.js";
import type { Settings } from "./settings.js";

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
  /** Seed of a random service: each setting of a service may have another value. The profile and options take precedence. */
  profileSeed?: number;
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
