/** Actions of a pipeline. */
import { z } from "zod";
import { byId, byNumber, createOne, getOne, list, typed, updateOne } from "../endpoint.js";
import { isServiceError } from "../errors.js";
import type { Http } from "../http.js";
import type { PageQuery } from "../paging.js";
import { path } from "../path.js";
import { apiObject, links, type Patch, unchecked } from "../schema.js";
import type { CallOptions } from "../transport.js";
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

/** The fields that all types share. Those of the type come as unknown fields. */
export const Action = apiObject({
  ...links,
  id: z.int(),
  name: z.string(),
  type: z.string(),
  trigger_time: unchecked<TriggerTime>(),
  run_only_on_first_failure: unchecked<boolean>(),
  last_execution_status: unchecked<ActionStatus>(),
  /** The same as last_execution_status, under the name that some responses use. */
  status: unchecked<ActionStatus>(),
  pipeline: unchecked<PipelineSummary>(),
});
export type Action = z.infer<typeof Action>;
/** A list may omit fields. */
export type ActionSummary = Action;
/** As embedded in a pipeline, where a service may show less. */
export type EmbeddedAction = Action;

export interface ActionQuery extends PageQuery {
  trigger_time?: "ON_EVERY_EXECUTION" | "ON_FAILURE" | "ON_BACK_TO_SUCCESS";
}

/** The common fields. Those of the type (spec: Actions) are next to them, under their API names. */
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

const all = (domain: string, project: string, pipelineId: number) =>
  path`/workspaces/${domain}/projects/${project}/pipelines/${pipelineId}/actions`;
const one = byNumber(all);

const listed = list(all, Action, { ...info, array: "actions", key: byId, query: typed<ActionQuery>() });
const single = getOne(one, Action, info);

/**
 * Actions of a pipeline (spec: Actions). The spec does not show how one action is read, changed and deleted: this
 * uses PP/:pipeline_id/actions/:action_id. A service without that path responds with `invalid-url`.
 */
export const actions = {
  /** GET PP/:pipeline_id/actions. Scopes WORKSPACE, EXECUTION_INFO. */
  list: listed,
  /** GET PP/:pipeline_id/actions/:action_id. Scopes WORKSPACE, EXECUTION_INFO. Errors: not-found, invalid-url. */
  get: single,
  /**
   * POST PP/:pipeline_id/actions. Scopes WORKSPACE, EXECUTION_MANAGE (type AGENT: PIPELINE_WRITE). Errors:
   * invalid-value. Natural key: name and type in the pipeline.
   */
  create: createOne(all, Action, {
    scopes: ({ type }) => (type === "AGENT" ? [...manage.scopes, "PIPELINE_WRITE"] : manage.scopes),
    body: typed<ActionCreate>(),
    what: ({ type, name }) => `${type} action ${JSON.stringify(name)}`,
    among: listed,
    matches: (action, { name, type }) => action.name === name && action.type === type,
    read: (http, at, action, options) =>
      single(http)(...at, action.id, options).catch((error: unknown) => {
        if (isServiceError(error, "not-found", "invalid-url")) return action;
        throw error;
      }),
  }),
  /** PATCH PP/:pipeline_id/actions/:action_id. Scopes WORKSPACE, EXECUTION_MANAGE. Errors: invalid-url, invalid-value. */
  update: updateOne(one, Action, { ...manage, body: typed<ActionUpdate>() }),
  /**
   * DELETE PP/:pipeline_id/actions/:action_id. Scopes WORKSPACE, EXECUTION_MANAGE. As the path is not in the spec,
   * "not found" and "Invalid url" only count as a deletion when the list no longer shows the action.
   */
  delete:
    (http: Http) =>
    async (
      domain: string,
      project: string,
      pipelineId: number,
      id: number,
      options?: CallOptions,
    ): Promise<boolean> => {
      const request = { method: "DELETE" as const, path: one(domain, project, pipelineId, id), ...manage };
      try {
        await http.transport.call(request, options);
        return true;
      } catch (error) {
        if (!isServiceError(error, "not-found", "invalid-url")) throw error;
        for await (const action of listed(http)(domain, project, pipelineId, {}, options))
          if (action.id === id) throw error;
        return false;
      }
    },
};
