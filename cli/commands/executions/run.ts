/** Runs `workspacectl executions`. */
import type { Execution, ExecutionSummary } from "../../../client/index.js";
import type { CancelOptions, ListOptions, RetryOptions, ShowOptions } from "./command.js";
import { CliError, exitCodes } from "../../errors.js";
import { findPipeline, type PipelineAt } from "./pipeline.js";
import { printExecution, printExecutionJson, printExecutions } from "./print.js";
import { getExitCodeOf, hasEnded, printStarted, watch } from "./watch.js";
import { note, print, type Io } from "../../terminal/io.js";
import { withService, type OpenService } from "../../connection/api-client.js";

/** Lists the newest executions of a pipeline. */
export function listExecutions(options: ListOptions, io: Io): Promise<number> {
  return withService(options, io, async (service) => {
    const found = await findNewest(service, await findPipeline(service, options.pipeline), options.limit);
    if (options.json) await printExecutionJson(found, io);
    else await printExecutions(found, io);
    return exitCodes.ok;
  });
}

/** Shows one execution with its actions; `--watch` waits until it ends, as `run --watch` does. */
export function showExecution(options: ShowOptions, io: Io): Promise<number> {
  return withService(options, io, async (service) => {
    const pipeline = await findPipeline(service, options.pipeline);
    const { domain, project } = pipeline;
    const id = options.id ?? (await findNewestId(service, pipeline));
    const found = await service.client.executions.get(domain, project, pipeline.id, id);
    const execution = options.watch && !hasEnded(found) ? await watch(service, pipeline, found, io) : found;
    if (options.json) await printExecutionJson(execution, io);
    else await printExecution(execution, io);
    return options.watch ? getExitCodeOf(execution) : exitCodes.ok;
  });
}

/** Runs an execution again. */
export function retryExecution(options: RetryOptions, io: Io): Promise<number> {
  return withService(options, io, async (service) => {
    const pipeline = await findPipeline(service, options.pipeline);
    const started = await changeExecution(service, pipeline, options.id, "RETRY");
    const execution = options.watch ? await watch(service, pipeline, started, io) : started;
    if (options.json) await printExecutionJson(execution, io);
    else if (options.watch)
      print(io, `Execution ${execution.id} of ${options.pipeline} ended: ${execution.status}`);
    else {
      print(io, `Execution ${execution.id} of ${options.pipeline} runs again: ${execution.status}`);
      printStarted(pipeline, execution, io);
    }
    return options.watch ? getExitCodeOf(execution) : exitCodes.ok;
  });
}

/** Cancels an execution. The service determines its status. */
export function cancelExecution(options: CancelOptions, io: Io): Promise<number> {
  return withService(options, io, async (service) => {
    const pipeline = await findPipeline(service, options.pipeline);
    const { domain, project, id } = pipeline;
    const before = await service.client.executions.get(domain, project, id, options.id);
    const had = hasEnded(before);
    const execution = had ? before : await changeExecution(service, pipeline, options.id, "CANCEL");
    if (options.json) await printExecutionJson(execution, io);
    else if (had)
      print(io, `Execution ${execution.id} of ${options.pipeline} had already ended: ${execution.status}`);
    else print(io, `Execution ${execution.id} of ${options.pipeline} is cancelled: ${execution.status}`);
    if (!hasEnded(execution)) note(io, "The service has not ended it yet; check again in a moment.");
    return exitCodes.ok;
  });
}

function changeExecution(
  { client }: OpenService,
  { domain, project, id }: PipelineAt,
  execution: number,
  operation: "RETRY" | "CANCEL",
): Promise<Execution> {
  return client.executions.update(domain, project, id, execution, { operation });
}

async function findNewest(
  { client }: OpenService,
  { domain, project, id }: PipelineAt,
  limit: number,
): Promise<ExecutionSummary[]> {
  const found: ExecutionSummary[] = [];
  if (limit === 0) return found;
  for await (const execution of client.executions.list(domain, project, id, {
    per_page: Math.min(limit, 100),
  })) {
    found.push(execution);
    if (found.length === limit) break;
  }
  return found;
}

/** Finds the execution with the latest start: lists have no documented order. */
async function findNewestId(service: OpenService, pipeline: PipelineAt): Promise<number> {
  const found = await findNewest(service, pipeline, LOOK_AT);
  const latest = found.sort((a, b) => (b.start_date ?? "").localeCompare(a.start_date ?? "") || b.id - a.id);
  if (latest[0]) return latest[0].id;
  throw new CliError(
    `pipeline ${pipeline.text} has not run yet`,
    `start it with "workspacectl run ${pipeline.text}"`,
  );
}

const LOOK_AT = 20;
