/** Components that all parts of a running emulator share. */
import type { Tokens } from "./auth.js";
import type { Clock } from "./clock.js";
import type { Faults } from "./fault-injection.js";
import type { Gate } from "./gate.js";
import type { Repositories } from "./git/repositories.js";
import type { Linker } from "./links.js";
import type { ListReadings } from "./list-readings.js";
import type { ExecutionRow, PipelineRow, ProjectRow, UserRow } from "./model.js";
import type { RateLimiter } from "./rate-limit.js";
import type { Replica } from "./replica.js";
import type { RequestLog } from "./request-log.js";
import type { SeedProject } from "./seed-schema.js";
import type { Settings } from "./settings.js";
import type { Store } from "./store.js";

/** Components that all parts of a running emulator share. */
export interface Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly limiter: RateLimiter;
  readonly settings: Settings;
  readonly listReadings: ListReadings;
  readonly replica: Replica;
  readonly requestLog: RequestLog;
  readonly faults: Faults;
  /** Protects what requires no access token. */
  readonly gate: Gate;
  /** Set when the emulator listens. */
  links: Linker;
  readonly repositories: Repositories;
  runner: Runner;
  schedules: Planner;
  /** Repositories of the seed that are not committed yet. */
  seedFiles: SeedFiles[];
}

/** Runs pipelines. */
export interface Runner {
  start(pipeline: PipelineRow, run: Run): ExecutionRow;
  /** Returns whether the execution was restarted: one in progress continues. */
  retry(pipeline: PipelineRow, execution: ExecutionRow): boolean;
  cancel(pipeline: PipelineRow, execution: ExecutionRow): void;
  /** Called after a commit through the API. */
  pushed(push: Push): void;
  resume(): void;
  stop(): void;
}

/** Starts pipelines by schedule. */
interface Planner {
  plan(pipeline: PipelineRow): void;
  planAll(): void;
  stop(): void;
}

/** Parameters of a run. */
export interface Run {
  mode: string;
  creatorId: number;
  /** Hash; null in a repository without commits. */
  revision: string | null;
  branch: string | null;
  comment?: string | null | undefined;
  refresh?: boolean | null | undefined;
}

/** Commit to a branch of a project. */
export interface Push {
  project: ProjectRow;
  branch: string;
  revision: string;
  user: UserRow;
}

/** Commits of a seeded project. */
export interface SeedFiles extends Pick<SeedProject, "commits" | "branches" | "tags"> {
  project: ProjectRow;
  author: UserRow;
}
