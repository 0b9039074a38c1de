/** Executions of a pipeline. */
import { z } from "zod";
import { byId, byNumber, getOne, list } from "../endpoint.js";
import type { Http } from "../http.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";
import type { CallOptions } from "../transport.js";
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

export const ExecutionSummary = apiObject({
  ...links,
  id: z.int(),
  status: z.string() as unknown as z.ZodType<ExecutionStatus>,
  start_date: unchecked<string>(),
  /** Null while in progress. */
  finish_date: unchecked<string>(),
  mode: unchecked<string>(),
  /** Deployed from scratch. */
  refresh: unchecked<boolean>(),
  comment: unchecked<string>(),
  branch: unchecked<BranchSummary>(),
  from_revision: unchecked<CommitSummary>(),
  to_revision: unchecked<CommitSummary>(),
  creator: unchecked<MemberSummary>(),
});
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

export const Execution = ExecutionSummary.extend({
  pipeline: unchecked<PipelineSummary>(),
  action_executions: unchecked<ActionExecution[]>(),
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

const all = (domain: string, project: string, pipelineId: number) =>
  path`/workspaces/${domain}/projects/${project}/pipelines/${pipelineId}/executions`;
const one = byNumber(all);

/** Runs of a pipeline (spec: Executions). */
export const executions = {
  /** GET PE. Scopes WORKSPACE, EXECUTION_INFO. */
  list: list(all, ExecutionSummary, { ...info, array: "executions", key: byId }),
  /** GET PE/:execution_id, with the progress of its actions. Scopes WORKSPACE, EXECUTION_INFO. Errors: not-found. */
  get: getOne(one, Execution, info),
  /**
   * POST PE: runs the pipeline. Scopes WORKSPACE, EXECUTION_RUN. Errors: invalid-value, denied; ambiguous when the
   * response is lost, since two runs look alike and the request is not sent twice.
   */
  create:
    (http: Http) =>
    (
      domain: string,
      project: string,
      pipelineId: number,
      body: ExecutionCreate,
      options?: CallOptions,
    ): Promise<Execution> => {
      const request = { method: "POST" as const, path: all(domain, project, pipelineId), ...run, body };
      const remedy = `Check the newest executions of pipeline ${pipelineId}: if none was started just now, run it again.`;
      return http.once(Execution, request, remedy, options);
    },
  /**
   * PATCH PE/:execution_id: RETRY or CANCEL. Scopes WORKSPACE, EXECUTION_RUN. Errors: invalid-value, not-found;
   * ambiguous when the response to a RETRY is lost, since a second one would run it once more.
   */
  update:
    (http: Http) =>
    (
      domain: string,
      project: string,
      pipelineId: number,
      id: number,
      body: { operation: "RETRY" | "CANCEL" },
      options?: CallOptions,
    ): Promise<Execution> => {
      const request = { method: "PATCH" as const, path: one(domain, project, pipelineId, id), ...run, body };
      if (body.operation === "CANCEL") return http.send(Execution, request, options);
      const remedy = `Check execution ${id}: if it is not in progress, retry it again.`;
      return http.once(Execution, request, remedy, options);
    },
};
