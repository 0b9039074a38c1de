/** Runs `workspacectl run`. */
import type { RunOptions } from "./command.js";
import type { ExecutionCreate } from "../../../client/index.js";
import { CliError, exitCodes } from "../../errors.js";
import { findPipeline } from "../executions/pipeline.js";
import { printExecutionJson } from "../executions/print.js";
import { getExitCodeOf, printStarted, watch } from "../executions/watch.js";
import { print, type Io } from "../../terminal/io.js";
import { withService } from "../../connection/api-client.js";

/**
 * Runs a pipeline. An execution has no name by which it could be found. When the response is lost, the request is not repeated, and the
 * error names what to check.
 */
export async function run(options: RunOptions, io: Io): Promise<number> {
  if (options.branch !== undefined && options.tag !== undefined) {
    throw new CliError("--branch and --tag cannot be combined", "use only one of them");
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
