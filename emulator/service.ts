import type { Tokens } from "./auth.js";
import type { Clock } from "./clock.js";
import type { Faults } from "./faults.js";
import type { Journal } from "./journal.js";
import type { Linker } from "./links.js";
import type { ProjectRow, UserRow } from "./model.js";
import type { Settings } from "./options.js";
import type { RateLimiter } from "./rate-limit.js";
import type { Store } from "./store.js";

/** What every part of a running emulator shares. */
export interface Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly limiter: RateLimiter;
  readonly settings: Settings;
  readonly journal: Journal;
  readonly faults: Faults;
  /** Known once the emulator listens. */
  links: Linker;
  /** Files of a seed that are still to be committed. */
  seedFiles: SeedFiles[];
}

/** The first commit of a seeded project: text by path. */
export interface SeedFiles {
  project: ProjectRow;
  author: UserRow;
  files: Record<string, string>;
}
