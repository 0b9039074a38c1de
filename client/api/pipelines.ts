/** Pipelines of a project. */
import { z } from "zod";
import { byId, collection, typed } from "../endpoint.js";
import type { PageQuery } from "../paging.js";
import { path } from "../path.js";
import { type Patch, unchecked } from "../schema.js";
import { Action } from "./actions.js";
import {
  type MemberSummary,
  PipelineSummary,
  type ProjectSummary,
  type RefType,
  type TriggerMode,
} from "./summaries.js";

export const Pipeline = PipelineSummary.extend({
  ref_type: unchecked<RefType>(),
  create_date: unchecked<string>(),
  always_from_scratch: unchecked<boolean>(),
  auto_clear_cache: unchecked<boolean>(),
  no_skip_to_most_recent: unchecked<boolean>(),
  do_not_create_commit_status: unchecked<boolean>(),
  project: unchecked<ProjectSummary>(),
  creator: unchecked<MemberSummary>(),
  actions: z.array(Action).nullish(),
});
export type Pipeline = z.infer<typeof Pipeline>;

export interface PipelineQuery extends PageQuery {
  sort_by?: "name" | "id";
  sort_direction?: "ASC" | "DESC";
}

interface PipelineOptions {
  ref_type?: RefType;
  always_from_scratch?: boolean;
  auto_clear_cache?: boolean;
  no_skip_to_most_recent?: boolean;
  /** SCHEDULED only; ISO 8601 in UTC. */
  start_date?: string;
  /** SCHEDULED only; in the service's own unit. */
  delay?: number;
  /** SCHEDULED only: run only if the branch changed since the last run. */
  run_always?: boolean;
  /** SCHEDULED only. */
  paused?: boolean;
}

export interface PipelineCreate extends PipelineOptions {
  name: string;
  ref_name: string;
  trigger_mode: TriggerMode;
  do_not_create_commit_status?: boolean;
  /** SCHEDULED only; required there without start_date and delay. */
  cron?: string;
}

export interface PipelineUpdate extends Patch<PipelineOptions> {
  name?: string;
  ref_name?: string;
  trigger_mode?: TriggerMode;
  /** Hash of the deployed commit. */
  last_execution_revision?: string;
  /** POST calls it do_not_create_commit_status. */
  omit_status_sending?: boolean | null;
  /** Not in the spec for PATCH. Sent only where the service is known to accept it. */
  cron?: string;
}

const all = (domain: string, project: string) => path`/workspaces/${domain}/projects/${project}/pipelines`;
const pipeline = collection(all, PipelineSummary, Pipeline, {
  array: "pipelines",
  key: byId,
  query: typed<PipelineQuery>(),
  read: { scopes: ["WORKSPACE", "EXECUTION_INFO"] },
  manage: { scopes: ["WORKSPACE", "EXECUTION_MANAGE"] },
});

/** Pipelines of a project (spec: Pipelines). */
export const pipelines = {
  /** GET PP. Scopes WORKSPACE, EXECUTION_INFO. Pipelines that the caller may not see are missing. */
  list: pipeline.list,
  /** GET PP/:pipeline_id, with its actions. Scopes WORKSPACE, EXECUTION_INFO. Errors: not-found, denied. */
  get: pipeline.get,
  /** POST PP. Scopes WORKSPACE, EXECUTION_MANAGE. Errors: invalid-value, denied. Natural key: name in the project. */
  create: pipeline.create({
    body: typed<PipelineCreate>(),
    what: ({ name }) => `pipeline ${JSON.stringify(name)}`,
    matches: (pipeline, { name }) => pipeline.name === name,
  }),
  /** PATCH PP/:pipeline_id. Scopes WORKSPACE, EXECUTION_MANAGE. With SCHEDULED, start_date and delay are required. */
  update: pipeline.update(typed<PipelineUpdate>()),
  /** DELETE PP/:pipeline_id, with its actions. Scopes WORKSPACE, EXECUTION_MANAGE. */
  delete: pipeline.delete,
};
