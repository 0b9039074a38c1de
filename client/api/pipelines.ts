import { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told, type Patch } from "../wire.js";
import { EmbeddedAction } from "./actions.js";
import {
  PipelineSummary,
  type MemberSummary,
  type ProjectSummary,
  type RefType,
  type TriggerMode,
} from "./summaries.js";

export const Pipeline = PipelineSummary.extend({
  ref_type: told<RefType>(),
  create_date: told<string>(),
  always_from_scratch: told<boolean>(),
  auto_clear_cache: told<boolean>(),
  no_skip_to_most_recent: told<boolean>(),
  do_not_create_commit_status: told<boolean>(),
  project: told<ProjectSummary>(),
  creator: told<MemberSummary>(),
  actions: z.array(EmbeddedAction).nullish(),
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
  /** SCHEDULED only; as the service counts it. */
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
  /** What POST calls do_not_create_commit_status. */
  omit_status_sending?: boolean | null;
  /** Not in the spec for PATCH; sent only by those who know that their service takes it. */
  cron?: string;
}

const info = { scopes: ["WORKSPACE", "EXECUTION_INFO"] };
const manage = { scopes: ["WORKSPACE", "EXECUTION_MANAGE"] };

/** Pipelines of a project (spec: Pipelines). */
export class Pipelines extends Area {
  /** GET PP. Scopes WORKSPACE, EXECUTION_INFO. Pipelines that the caller may not see are left out. */
  list(
    domain: string,
    project: string,
    query?: PipelineQuery,
    options?: CallOptions,
  ): Listing<PipelineSummary> {
    const request = { path: pipelines(domain, project), ...info, query, array: "pipelines" };
    return this.http.list(PipelineSummary, { ...request, key: (p) => p.id }, options);
  }

  /** GET PP/:pipeline_id, with its actions. Scopes WORKSPACE, EXECUTION_INFO. Errors: not-found, denied. */
  get(domain: string, project: string, id: number, options?: CallOptions): Promise<Pipeline> {
    return this.http.get(Pipeline, { path: pipeline(domain, project, id), ...info }, options);
  }

  /** POST PP. Scopes WORKSPACE, EXECUTION_MANAGE. Errors: invalid-value, denied. Natural key: name in the project. */
  create(domain: string, project: string, body: PipelineCreate, options?: CreateOptions): Promise<Pipeline> {
    const request = { path: pipelines(domain, project), ...manage, body };
    const key = {
      what: `pipeline ${JSON.stringify(body.name)}`,
      candidates: (o: CallOptions) => this.list(domain, project, {}, o).toArray(),
      matches: (p: PipelineSummary) => p.name === body.name,
      id: (p: PipelineSummary) => p.id,
      read: (p: PipelineSummary, o: CallOptions) => this.get(domain, project, p.id, o),
    };
    return this.http.create(Pipeline, request, key, options);
  }

  /** PATCH PP/:pipeline_id. Scopes WORKSPACE, EXECUTION_MANAGE. With SCHEDULED, start_date and delay are required. */
  update(
    domain: string,
    project: string,
    id: number,
    body: PipelineUpdate,
    options?: CallOptions,
  ): Promise<Pipeline> {
    const request = { path: pipeline(domain, project, id), ...manage, body };
    return this.http.send(Pipeline, { method: "PATCH", ...request }, options);
  }

  /** DELETE PP/:pipeline_id, with its actions. Scopes WORKSPACE, EXECUTION_MANAGE. */
  async delete(domain: string, project: string, id: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: pipeline(domain, project, id), ...manage }, options);
  }
}

const pipelines = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/pipelines`;
const pipeline = (domain: string, project: string, id: number) =>
  path`/workspaces/${domain}/projects/${project}/pipelines/${id}`;
