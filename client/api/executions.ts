import { z } from "zod";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";
import type { Action } from "./actions.js";
import type {
  BranchSummary,
  CommitSummary,
  ExecutionStatus,
  MemberSummary,
  PipelineSummary,
} from "./summaries.js";

export interface ActionExecution {
  status: ExecutionStatus | "NOT_EXECUTED";
  /** 0.0 to 100.0. */
  progress: number;
  action: Action;
}

export const ExecutionSummary = wire({
  ...links,
  id: z.int(),
  status: z.string() as unknown as z.ZodType<ExecutionStatus>,
  start_date: told<string>(),
  /** Null while in progress. */
  finish_date: told<string>(),
  mode: told<string>(),
  /** Deployed from scratch. */
  refresh: told<boolean>(),
  comment: told<string>(),
  branch: told<BranchSummary>(),
  from_revision: told<CommitSummary>(),
  to_revision: told<CommitSummary>(),
  creator: told<MemberSummary>(),
});
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

export const Execution = ExecutionSummary.extend({
  pipeline: told<PipelineSummary>(),
  action_executions: told<ActionExecution[]>(),
});
export type Execution = z.infer<typeof Execution>;

export interface ExecutionCreate {
  /** A hash or HEAD. */
  to_revision: { revision: string };
  /** For wildcard pipelines. */
  branch?: { name: string };
  /** For wildcard pipelines. */
  tag?: { name: string };
  comment?: string;
  /** Deploy from scratch. */
  refresh?: boolean;
}

const info = { scopes: ["WORKSPACE", "EXECUTION_INFO"] };
const run = { scopes: ["WORKSPACE", "EXECUTION_RUN"] };

/** Runs of a pipeline (spec: Executions). */
export class Executions extends Area {
  /** GET PE. Scopes WORKSPACE, EXECUTION_INFO. */
  list(
    domain: string,
    project: string,
    pipelineId: number,
    query?: PageQuery,
    options?: CallOptions,
  ): Listing<ExecutionSummary> {
    const request = { path: executions(domain, project, pipelineId), ...info, query, array: "executions" };
    return this.http.list(ExecutionSummary, { ...request, key: (e) => e.id }, options);
  }

  /** GET PE/:execution_id, with the progress of its actions. Scopes WORKSPACE, EXECUTION_INFO. Errors: not-found. */
  get(
    domain: string,
    project: string,
    pipelineId: number,
    id: number,
    options?: CallOptions,
  ): Promise<Execution> {
    return this.http.get(Execution, { path: execution(domain, project, pipelineId, id), ...info }, options);
  }

  /**
   * POST PE: runs the pipeline. Scopes WORKSPACE, EXECUTION_RUN. Errors: invalid-value, denied; ambiguous when the
   * answer is lost, for two runs look alike and it is not sent twice.
   */
  create(
    domain: string,
    project: string,
    pipelineId: number,
    body: ExecutionCreate,
    options?: CallOptions,
  ): Promise<Execution> {
    const request = { method: "POST" as const, path: executions(domain, project, pipelineId), ...run, body };
    const look = `Look at the newest executions of pipeline ${pipelineId}: if none was started just now, run it again.`;
    return this.http.once(Execution, request, look, options);
  }

  /**
   * PATCH PE/:execution_id: RETRY or CANCEL. Scopes WORKSPACE, EXECUTION_RUN. Errors: invalid-value, not-found;
   * ambiguous when the answer to a RETRY is lost, for a second one would run it once more.
   */
  update(
    domain: string,
    project: string,
    pipelineId: number,
    id: number,
    body: { operation: "RETRY" | "CANCEL" },
    options?: CallOptions,
  ): Promise<Execution> {
    const request = {
      method: "PATCH" as const,
      path: execution(domain, project, pipelineId, id),
      ...run,
      body,
    };
    if (body.operation === "CANCEL") return this.http.send(Execution, request, options);
    return this.http.once(
      Execution,
      request,
      `Look at execution ${id}: if it is not in progress, retry it again.`,
      options,
    );
  }
}

const executions = (domain: string, project: string, pipelineId: number) =>
  path`/workspaces/${domain}/projects/${project}/pipelines/${pipelineId}/executions`;
const execution = (domain: string, project: string, pipelineId: number, id: number) =>
  path`/workspaces/${domain}/projects/${project}/pipelines/${pipelineId}/executions/${id}`;
