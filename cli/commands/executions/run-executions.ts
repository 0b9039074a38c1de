/** Runs `workspacectl run` and `executions`, for a pipeline that is named as PROJECT/PIPELINE. */
import { type OpenService, withService } from "../../../automation/connection/api-client.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import {
  type Execution,
  type ExecutionCreate,
  type ExecutionSummary,
  isServiceError,
  type WorkspaceAutomationClient,
} from "../../../client/index.js";
import { type Io, print } from "../../../reports/io.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { formatFirst } from "../../../text/lists.js";
import type {
  CancelOptions,
  ListOptions,
  RetryOptions,
  RunOptions,
  ShowOptions,
} from "./executions-command.js";
import {
  getExitCodeOf,
  hasEnded,
  printExecution,
  printExecutionJson,
  printExecutions,
  printStarted,
  watch,
} from "./show.js";

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
  throw new AutomationError(
    `pipeline ${pipeline.text} has not run yet`,
    `start it with "workspacectl run ${pipeline.text}"`,
  );
}

const LOOK_AT = 20;

/**
 * Runs a pipeline. An execution has no name by which it could be found. When the response is lost, the request is not repeated, and the
 * error names what to check.
 */
export async function run(options: RunOptions, io: Io): Promise<number> {
  if (options.branch !== undefined && options.tag !== undefined) {
    throw new AutomationError("--branch and --tag cannot be passed together", "use only one of the two");
  }
  return withService(options, io, async (service) => {
    const pipeline = await findPipeline(service, options.pipeline);
    const { domain, project, id } = pipeline;
    const started = await service.client.executions.create(domain, project, id, buildExecution(options));
    if (options.watch) {
      const ended = await watch(service, pipeline, started, io);
      if (options.json) await printExecutionJson(ended, io);
      else print(io, `Execution ${ended.id} of ${options.pipeline} ended: ${ended.status}`);
      return getExitCodeOf(ended);
    }
    if (options.json) await printExecutionJson(started, io);
    else {
      print(io, `Execution ${started.id} of ${options.pipeline} started: ${started.status}`);
      printStarted(pipeline, started, io);
    }
    return exitCodes.ok;
  });
}

function buildExecution({ revision, branch, tag, comment, refresh }: RunOptions): ExecutionCreate {
  return {
    to_revision: { revision: revision ?? "HEAD" },
    ...(branch === undefined ? {} : { branch: { name: branch } }),
    ...(tag === undefined ? {} : { tag: { name: tag } }),
    ...(comment === undefined ? {} : { comment }),
    ...(refresh === undefined ? {} : { refresh }),
  };
}

/** A pipeline, as paths and messages need it. */
export interface PipelineAt {
  readonly domain: string;
  readonly project: string;
  readonly id: number;
  /** As the user wrote it, for messages. */
  readonly text: string;
}

/**
 * Finds the pipeline by its name, or by its id when no pipeline has that name.
 * @throws {AutomationError} when there is none, or several of that name (with their ids)
 */
async function findPipeline(service: OpenService, text: string): Promise<PipelineAt> {
  const slash = text.indexOf("/");
  const [project, name] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (project === "" || name === "") {
    throw new AutomationError(
      `"${text}" does not name a pipeline`,
      "write PROJECT/PIPELINE, such as web/deploy or web/1234",
    );
  }
  const domain = await service.workspace();
  const pipelines = await listPipelinesOf(service.client, domain, project);
  const named = pipelines.filter((pipeline) => pipeline.name === name);
  const [first, second] = named;
  if (first && second) {
    const ids = named.map(({ id }) => `${project}/${id}`).join(", ");
    throw new AutomationError(
      `project ${project} has ${named.length} pipelines with the name "${name}"`,
      `choose one by its number: ${ids}`,
    );
  }
  const id =
    first?.id ??
    (/^\d+$/.test(name) ? await findNumbered(service.client, { domain, project }, name) : undefined);
  if (id !== undefined) return { domain, project, id, text };
  const names = pipelines.map((pipeline) => pipeline.name ?? "");
  const others = names.length === 0 ? "it has no pipelines" : `It has: ${formatFirst(names, 10)}`;
  throw new AutomationError(
    `project ${project} of workspace ${domain} has no pipeline "${name}"`,
    suggestOr(name, names, others),
  );
}

async function listPipelinesOf(client: WorkspaceAutomationClient, domain: string, project: string) {
  try {
    return await client.pipelines.list(domain, project).toArray();
  } catch (error) {
    if (!isServiceError(error, "not-found")) throw error;
    const message = `there is no project "${project}" in workspace ${domain}, or this user may not see it`;
    throw new AutomationError(
      message,
      `run "workspacectl whoami --workspace ${domain}" to see what this user may see`,
      {
        cause: error,
      },
    );
  }
}

/** Finds a pipeline by its id, even when lists hide it from the user. */
async function findNumbered(
  client: WorkspaceAutomationClient,
  { domain, project }: { domain: string; project: string },
  text: string,
): Promise<number | undefined> {
  try {
    return (await client.pipelines.get(domain, project, Number(text))).id;
  } catch (error) {
    if (isServiceError(error, "not-found")) return undefined;
    throw error;
  }
}
