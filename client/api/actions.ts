import { z } from "zod";
import type { CreateOptions } from "../create.js";
import { isServiceError } from "../errors.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire, type Patch } from "../wire.js";
import type { ExecutionStatus, PipelineSummary } from "./summaries.js";

export type TriggerTime =
  | "ON_EVERY_EXECUTION"
  | "ON_FAILURE"
  | "ON_BACK_TO_SUCCESS"
  | "ON_WARNING"
  | "ON_WAIT_FOR_APPROVE"
  | "ON_TERMINATE";

export type ActionStatus =
  | ExecutionStatus
  | "NOT_EXECUTED"
  | "TERMINATING"
  | "WAITING_FOR_APPLY"
  | "WAITING_FOR_VARIABLES"
  | "WAITING_FOR_SETTABLE_VARIABLES"
  | "WAITING_FOR_VT_SESSION";

/** The fields all types share; those of the type come along as unknown fields. */
export const Action = wire({
  ...links,
  id: z.int(),
  name: z.string(),
  type: z.string(),
  trigger_time: told<TriggerTime>(),
  run_only_on_first_failure: told<boolean>(),
  last_execution_status: told<ActionStatus>(),
  /** The same fact as last_execution_status, under the name that some answers give it. */
  status: told<ActionStatus>(),
  pipeline: told<PipelineSummary>(),
});
export type Action = z.infer<typeof Action>;
/** A list may leave fields out. */
export type ActionSummary = Action;
/** As embedded in a pipeline; a service may show less there. */
export const EmbeddedAction = Action;
export type EmbeddedAction = Action;

export interface ActionQuery extends PageQuery {
  trigger_time?: "ON_EVERY_EXECUTION" | "ON_FAILURE" | "ON_BACK_TO_SUCCESS";
}

/** The common fields; those of the type (spec: Actions) stand beside them, under their wire names. */
export interface ActionCreate {
  name: string;
  type: string;
  trigger_time: TriggerTime;
  run_only_on_first_failure?: boolean;
  /** The action after which the new one is placed. */
  after_action_id?: number;
  [field: string]: unknown;
}

export type ActionUpdate = Patch<ActionCreate>;

const info = { scopes: ["WORKSPACE", "EXECUTION_INFO"] };
const manage = { scopes: ["WORKSPACE", "EXECUTION_MANAGE"] };
const manageAgent = { scopes: ["WORKSPACE", "EXECUTION_MANAGE", "PIPELINE_WRITE"] };

/**
 * Actions of a pipeline (spec: Actions). The spec does not show how one action is read, changed and deleted; this
 * uses PP/:pipeline_id/actions/:action_id. A service without that path answers `invalid-url`.
 */
export class Actions extends Area {
  /** GET PP/:pipeline_id/actions. Scopes WORKSPACE, EXECUTION_INFO. */
  list(
    domain: string,
    project: string,
    pipelineId: number,
    query?: ActionQuery,
    options?: CallOptions,
  ): Listing<ActionSummary> {
    const request = { path: actions(domain, project, pipelineId), ...info, query, array: "actions" };
    return this.http.list(Action, { ...request, key: (a) => a.id }, options);
  }

  /** GET PP/:pipeline_id/actions/:action_id. Scopes WORKSPACE, EXECUTION_INFO. Errors: not-found, invalid-url. */
  get(
    domain: string,
    project: string,
    pipelineId: number,
    id: number,
    options?: CallOptions,
  ): Promise<Action> {
    return this.http.get(Action, { path: action(domain, project, pipelineId, id), ...info }, options);
  }

  /**
   * POST PP/:pipeline_id/actions. Scopes WORKSPACE, EXECUTION_MANAGE (type AGENT: PIPELINE_WRITE). Errors:
   * invalid-value. Natural key: name and type in the pipeline.
   */
  create(
    domain: string,
    project: string,
    pipelineId: number,
    body: ActionCreate,
    options?: CreateOptions,
  ): Promise<Action> {
    const needs = body.type === "AGENT" ? manageAgent : manage;
    const request = { path: actions(domain, project, pipelineId), ...needs, body };
    const key = {
      what: `${body.type} action ${JSON.stringify(body.name)}`,
      candidates: (o: CallOptions) => this.list(domain, project, pipelineId, {}, o).toArray(),
      matches: (a: ActionSummary) => a.name === body.name && a.type === body.type,
      id: (a: ActionSummary) => a.id,
      read: (a: ActionSummary, o: CallOptions) => this.#fullest(domain, project, pipelineId, a, o),
    };
    return this.http.create(Action, request, key, options);
  }

  /** PATCH PP/:pipeline_id/actions/:action_id. Scopes WORKSPACE, EXECUTION_MANAGE. Errors: invalid-url, invalid-value. */
  update(
    domain: string,
    project: string,
    pipelineId: number,
    id: number,
    body: ActionUpdate,
    options?: CallOptions,
  ): Promise<Action> {
    const request = { path: action(domain, project, pipelineId, id), ...manage, body };
    return this.http.send(Action, { method: "PATCH", ...request }, options);
  }

  /**
   * DELETE PP/:pipeline_id/actions/:action_id. Scopes WORKSPACE, EXECUTION_MANAGE. As the path is not in the spec,
   * "not found" and "Invalid url" are believed only when the list no longer shows the action.
   */
  async delete(
    domain: string,
    project: string,
    pipelineId: number,
    id: number,
    options?: CallOptions,
  ): Promise<void> {
    const request = { method: "DELETE" as const, path: action(domain, project, pipelineId, id), ...manage };
    try {
      await this.http.transport.call(request, options);
    } catch (error) {
      if (!isServiceError(error, "not-found", "invalid-url")) throw error;
      for await (const { id: listed } of this.list(domain, project, pipelineId, {}, options)) {
        if (listed === id) throw error;
      }
    }
  }

  async #fullest(
    domain: string,
    project: string,
    pipelineId: number,
    known: ActionSummary,
    options: CallOptions,
  ): Promise<Action> {
    try {
      return await this.get(domain, project, pipelineId, known.id, options);
    } catch (error) {
      if (isServiceError(error, "not-found", "invalid-url")) return known;
      throw error;
    }
  }
}

const actions = (domain: string, project: string, pipelineId: number) =>
  path`/workspaces/${domain}/projects/${project}/pipelines/${pipelineId}/actions`;
const action = (domain: string, project: string, pipelineId: number, id: number) =>
  path`/workspaces/${domain}/projects/${project}/pipelines/${pipelineId}/actions/${id}`;
