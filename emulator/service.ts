import type { Tokens } from "./auth.js";
import type { Clock } from "./clock.js";
import type { Faults } from "./faults.js";
import type { Gate } from "./gate.js";
import type { Repositories } from "./git/repositories.js";
import type { Journal } from "./journal.js";
import type { Linker } from "./links.js";
import type { ExecutionRow, PipelineRow, ProjectRow, UserRow } from "./model.js";
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
  /** Stands before what asks for no access token. */
  readonly gate: Gate;
  /** Known once the emulator listens. */
  links: Linker;
  readonly repositories: Repositories;
  runner: Runner;
  schedules: Planner;
  /** Files of a seed that are still to be committed. */
  seedFiles: SeedFiles[];
}

/** Runs pipelines. */
export interface Runner {
  start(pipeline: PipelineRow, run: Run): ExecutionRow;
  /** Whether it was begun again: one that runs goes on. */
  retry(pipeline: PipelineRow, execution: ExecutionRow): boolean;
  cancel(pipeline: PipelineRow, execution: ExecutionRow): void;
  /** Called after a commit through the API. */
  pushed(push: Push): void;
  resume(): void;
  stop(): void;
}

/** Starts pipelines by the clock. */
export interface Planner {
  plan(pipeline: PipelineRow): void;
  planAll(): void;
  stop(): void;
}

/** What to run, and for whom. */
export interface Run {
  mode: string;
  creatorId: number;
  /** Hash; null in a repository without commits. */
  revision: string | null;
  branch: string | null;
  comment?: string | null;
  refresh?: boolean;
}

/** A branch of a project moved. */
export interface Push {
  project: ProjectRow;
  branch: string;
  revision: string;
  user: UserRow;
}

/** The commits of a seeded project. */
export interface SeedFiles {
  project: ProjectRow;
  author: UserRow;
  commits: SeedCommit[];
  /** Revision by name. */
  branches: Record<string, string>;
  tags: Record<string, string>;
}

export interface SeedCommit {
  message: string;
  /** Default: the project's default branch. */
  branch?: string | undefined;
  /** Text by path; null deletes. */
  files: Record<string, string | null>;
}
