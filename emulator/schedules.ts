/** Starts pipelines by schedule. */
import { Cron } from "croner";
import type { Timer } from "./clock.js";
import { parseDate } from "./fields.js";
import type { PipelineRow } from "./model.js";
import type { Service } from "./service.js";

/**
 * Starts SCHEDULED pipelines by cron expression, or at start_date and then every `delay` minutes. All times are UTC.
 */
export class Schedules {
  private readonly timers = new Map<number, Timer>();

  constructor(private readonly service: Service) {}

  /** Reschedules a new, changed or deleted pipeline. */
  plan(pipeline: PipelineRow): void {
    this.timers.get(pipeline.id)?.cancel();
    this.timers.delete(pipeline.id);
    const at = findNextRun(pipeline, this.service.clock.now());
    if (at === undefined || this.service.store.pipelines.get(pipeline.id) === undefined) return;
    this.timers.set(
      pipeline.id,
      this.service.clock.at(at, () => this.fire(pipeline)),
    );
  }

  planAll(): void {
    this.stop();
    for (const pipeline of this.service.store.pipelines.all()) this.plan(pipeline);
  }

  stop(): void {
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
  }

  private async fire(pipeline: PipelineRow): Promise<void> {
    const { store, repositories, runner, clock } = this.service;
    this.timers.delete(pipeline.id);
    if (store.pipelines.get(pipeline.id) === undefined) return;
    const project = store.projects.require(pipeline.projectId);
    const branch = pipeline.ref_type === "BRANCH" ? pipeline.ref_name : project.default_branch;
    const revision = (await repositories.of(project).branch(branch)) ?? null;
    const [last] = store.executions.of(pipeline.id).slice(-1);
    // `run_always` of the spec: run only if the branch changed since the last run.
    const isDue = !pipeline.run_always || last === undefined || last.to_revision !== revision;
    if (isDue) runner.start(pipeline, { mode: "SCHEDULED", creatorId: pipeline.creatorId, revision, branch });
    pipeline.lastScheduledAt = clock.now();
    store.pipelines.update(pipeline);
    this.plan(pipeline);
    // A failed write is reported by the next request, whose commit retries it.
    await store.commit().catch(() => undefined);
  }
}

/** Returns when a pipeline runs next, in milliseconds since the epoch. */
function findNextRun(pipeline: PipelineRow, now: number): number | undefined {
  if (pipeline.trigger_mode !== "SCHEDULED" || pipeline.paused) return undefined;
  if (pipeline.cron !== null) {
    // A start date besides a cron expression is the time at which the expression takes effect.
    const from = pipeline.start_date === null ? now : Math.max(now, parseDate(pipeline.start_date) - 1);
    return new Cron(pipeline.cron, { timezone: "UTC", paused: true }).nextRun(new Date(from))?.getTime();
  }
  if (pipeline.start_date === null || pipeline.delay === null) return undefined;
  const start = parseDate(pipeline.start_date);
  const every = pipeline.delay * 60_000;
  if (start > now) return start;
  return start + (Math.floor((now - start) / every) + 1) * every;
}
