/** Runs the executions of pipelines. */
import type { Timer } from "./clock.js";
import type { ActionExecution, ExecutionRow, ExecutionStatus, Outcome, PipelineRow } from "./model.js";
import { listActions } from "./serializers/pipelines.js";
import type { Push, Run, Runner, Service } from "./service.js";

/**
 * Runs executions. Actions run one after another, each for a fixed time. ON_EVERY_EXECUTION actions come first. A
 * failing action ends them and starts the ON_FAILURE actions. A success after a failed run starts the
 * ON_BACK_TO_SUCCESS actions. Nothing is actually built: the outcomes of the pipeline decide how its runs end.
 */
export class Executions implements Runner {
  private readonly timers = new Map<number, Timer>();

  constructor(private readonly service: Service) {}

  start(pipeline: PipelineRow, run: Run): ExecutionRow {
    const { store, clock } = this.service;
    const now = clock.now();
    const execution = store.executions.insert({
      pipelineId: pipeline.id,
      startedAt: now,
      finishedAt: null,
      mode: run.mode,
      refresh: run.refresh ?? false,
      status: "INPROGRESS",
      comment: run.comment ?? null,
      branch: run.branch,
      from_revision: pipeline.last_execution_revision,
      to_revision: run.revision,
      creatorId: run.creatorId,
      outcome: takeOutcome(pipeline),
      actions: [],
      dueAt: now,
    });
    this.begin(pipeline, execution);
    return execution;
  }

  /** Restarts an execution from the beginning, unless it is in progress. */
  retry(pipeline: PipelineRow, execution: ExecutionRow): boolean {
    if (execution.status === "INPROGRESS") return false;
    execution.outcome = takeOutcome(pipeline);
    this.begin(pipeline, execution);
    return true;
  }

  /** Terminates an execution that is in progress. */
  cancel(pipeline: PipelineRow, execution: ExecutionRow): void {
    if (execution.status !== "INPROGRESS") return;
    for (const action of execution.actions) {
      if (action.status !== "INPROGRESS") continue;
      if (action.startedAt === null) action.status = "NOT_EXECUTED";
      else this.endAction(action, "TERMINATED");
    }
    this.timers.get(execution.id)?.cancel();
    this.finish(pipeline, execution, "TERMINATED");
  }

  /** Starts the pipelines that are triggered by a push to this branch. */
  pushed({ project, branch, revision, user }: Push): void {
    for (const pipeline of this.service.store.pipelines.of(project.id)) {
      if (pipeline.trigger_mode !== "ON_EVERY_PUSH" || !matchesRef(pipeline, branch)) continue;
      this.start(pipeline, { mode: "ON_EVERY_PUSH", creatorId: user.id, revision, branch });
    }
  }

  /** Continues the executions that were in progress when the emulator stopped. */
  resume(): void {
    for (const execution of this.service.store.executions.all()) {
      if (execution.status === "INPROGRESS") this.wait(execution);
    }
  }

  stop(): void {
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
  }

  private begin(pipeline: PipelineRow, execution: ExecutionRow): void {
    const { store, clock } = this.service;
    execution.startedAt = clock.now();
    execution.finishedAt = null;
    execution.status = "INPROGRESS";
    execution.actions = listActions(this.service, pipeline.id).map((action) => ({
      actionId: action.id,
      action: { ...action, sealed: {} },
      status: "INPROGRESS",
      startedAt: null,
      finishedAt: null,
    }));
    pipeline.status = "INPROGRESS";
    store.pipelines.update(pipeline);
    const [first] = this.waiting(execution, "ON_EVERY_EXECUTION");
    this.proceed(execution, first);
  }

  /** Begins an action, if any, and waits for its end. */
  private proceed(execution: ExecutionRow, action: ActionExecution | undefined): void {
    const { store, clock, settings } = this.service;
    if (action !== undefined) {
      action.startedAt = clock.now();
      this.setActionStatus(action, "INPROGRESS");
    }
    execution.dueAt = clock.now() + settings.actionSeconds * 1000;
    this.wait(execution);
    store.executions.update(execution);
  }

  private wait(execution: ExecutionRow): void {
    const timer = this.service.clock.at(execution.dueAt, async () => {
      this.timers.delete(execution.id);
      this.step(execution);
      // A failed write is reported by the next request, whose commit retries it.
      await this.service.store.commit().catch(() => undefined);
    });
    this.timers.set(execution.id, timer);
  }

  /** Ends the current action and starts the next one. */
  private step(execution: ExecutionRow): void {
    const { store } = this.service;
    const pipeline = store.pipelines.get(execution.pipelineId);
    // The pipeline or the execution was deleted meanwhile.
    if (pipeline === undefined || store.executions.get(execution.id) === undefined) return;
    const current = execution.actions.find(
      (action) => action.startedAt !== null && action.finishedAt === null,
    );
    if (current !== undefined) this.endAction(current, fails(execution, current) ? "FAILED" : "SUCCESSFUL");
    const next = this.next(execution);
    if (next === undefined) {
      for (const action of execution.actions) if (action.startedAt === null) action.status = "NOT_EXECUTED";
      this.finish(pipeline, execution, hasFailed(execution) ? "FAILED" : "SUCCESSFUL");
      return;
    }
    this.proceed(execution, next);
  }

  private next(execution: ExecutionRow): ActionExecution | undefined {
    const before = this.previousStatus(execution);
    if (hasFailed(execution)) {
      return this.waiting(execution, "ON_FAILURE").find(
        ({ action }) => !(action.run_only_on_first_failure && before === "FAILED"),
      );
    }
    const [always] = this.waiting(execution, "ON_EVERY_EXECUTION");
    if (always !== undefined) return always;
    return before === "FAILED" ? this.waiting(execution, "ON_BACK_TO_SUCCESS")[0] : undefined;
  }

  private waiting(execution: ExecutionRow, triggerTime: string): ActionExecution[] {
    return execution.actions.filter(
      ({ startedAt, action }) =>
        startedAt === null && action.trigger_time === triggerTime && action.fields["disabled"] !== true,
    );
  }

  /** Returns the status of the previous run. */
  private previousStatus(execution: ExecutionRow): string | undefined {
    return this.service.store.executions
      .of(execution.pipelineId)
      .filter((other) => other.id < execution.id && other.finishedAt !== null)
      .at(-1)?.status;
  }

  private endAction(action: ActionExecution, status: ExecutionStatus): void {
    action.finishedAt = this.service.clock.now();
    this.setActionStatus(action, status);
  }

  private setActionStatus(action: ActionExecution, status: ExecutionStatus): void {
    const { actions } = this.service.store;
    action.status = status;
    const row = actions.get(action.actionId);
    if (row === undefined) return;
    row.status = status;
    actions.update(row);
  }

  private finish(pipeline: PipelineRow, execution: ExecutionRow, status: ExecutionStatus): void {
    const { store, clock } = this.service;
    execution.status = status;
    execution.finishedAt = clock.now();
    store.executions.update(execution);
    pipeline.status = status;
    // Records the revision that was deployed last.
    if (status === "SUCCESSFUL") pipeline.last_execution_revision = execution.to_revision;
    store.pipelines.update(pipeline);
  }
}

function takeOutcome(pipeline: PipelineRow): Outcome {
  const [outcome = { status: "SUCCESSFUL" }, ...rest] = pipeline.outcomes;
  pipeline.outcomes = rest;
  return outcome;
}

/** Reports whether the outcome makes this action fail. Without a name, the first action that runs fails. */
function fails({ outcome, actions }: ExecutionRow, current: ActionExecution): boolean {
  if (outcome.status !== "FAILED" || current.action.trigger_time !== "ON_EVERY_EXECUTION") return false;
  const named = actions.find(({ action }) => action.name === outcome.action);
  const failing = named ?? actions.find(({ startedAt }) => startedAt !== null);
  return failing === current;
}

/** Reports whether an action failed whose errors are not ignored. */
function hasFailed({ actions, outcome }: ExecutionRow): boolean {
  if (actions.length === 0) return outcome.status === "FAILED";
  return actions.some(({ status, action }) => status === "FAILED" && action.fields["ignore_errors"] !== true);
}

/** Reports whether the ref of a pipeline includes a branch. */
function matchesRef(pipeline: PipelineRow, branch: string): boolean {
  if (pipeline.ref_type === "BRANCH") return pipeline.ref_name === branch;
  return pipeline.ref_type === "WILDCARD" && matchesWildcard(pipeline.ref_name, branch);
}

/**
 * Reports whether a text matches a pattern in which `*` stands for any characters or none. Each part between two stars is
 * searched once from left to right, since a regular expression would backtrack exponentially with many stars.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = ""] = parts;
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1) ?? "";
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
