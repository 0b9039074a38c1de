import { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told, wire } from "../wire.js";

export const Variable = wire({
  url: told<string>(),
  id: z.int(),
  key: z.string(),
  /** For an encrypted variable an opaque text that starts with `secure!`. */
  value: told<string>(),
  ssh_key: told<boolean>(),
  settable: told<boolean>(),
  encrypted: told<boolean>(),
  description: told<string>(),
});
export type Variable = z.infer<typeof Variable>;
/** The spec names no smaller form for lists; a list may leave fields out all the same. */
export type VariableSummary = Variable;

/** Without any of these: the variables of the workspace itself. */
export interface VariableScope extends PageQuery {
  projectName?: string;
  pipelineId?: number;
  actionId?: number;
}

export interface VariableCreate {
  key: string;
  value: string;
  description?: string | null;
  ssh_key?: boolean;
  settable?: boolean;
  encrypted?: boolean;
  project?: { name: string };
  pipeline?: { id: number };
  action?: { id: number };
}

/** `key` and `value` are required, though unchanged. */
export interface VariableUpdate {
  key: string;
  value: string;
  description?: string | null;
  ssh_key?: boolean | null;
  settable?: boolean | null;
  encrypted?: boolean | null;
}

const right = "a workspace administrator";
const info = { scopes: ["WORKSPACE", "VARIABLE_INFO"], right };
const manage = { scopes: ["WORKSPACE", "VARIABLE_MANAGE"], right };

/** Environment variables of a workspace, project, pipeline or action (spec: Environment variables). Administrators only. */
export class Variables extends Area {
  /** GET /workspaces/:domain/variables. Scopes WORKSPACE, VARIABLE_INFO. */
  list(domain: string, scope?: VariableScope, options?: CallOptions): Listing<VariableSummary> {
    const request = {
      path: path`/workspaces/${domain}/variables`,
      ...info,
      query: scope,
      array: "variables",
    };
    return this.http.list(Variable, { ...request, key: (v) => v.id }, options);
  }

  /** GET /workspaces/:domain/variables/:variable_id. Scopes WORKSPACE, VARIABLE_INFO. Errors: not-found, denied. */
  get(domain: string, id: number, options?: CallOptions): Promise<Variable> {
    return this.http.get(Variable, { path: path`/workspaces/${domain}/variables/${id}`, ...info }, options);
  }

  /**
   * POST /workspaces/:domain/variables. Scopes WORKSPACE, VARIABLE_ADD. Errors: invalid-value, denied.
   * Natural key: the key within its scope.
   */
  create(domain: string, body: VariableCreate, options?: CreateOptions): Promise<Variable> {
    const request = {
      path: path`/workspaces/${domain}/variables`,
      scopes: ["WORKSPACE", "VARIABLE_ADD"],
      right,
      body,
    };
    const key = {
      what: `variable ${JSON.stringify(body.key)}`,
      candidates: (o: CallOptions) => this.list(domain, scopeOf(body), o).toArray(),
      matches: (v: VariableSummary) => v.key === body.key,
      id: (v: VariableSummary) => v.id,
      read: (v: VariableSummary, o: CallOptions) => this.get(domain, v.id, o),
    };
    return this.http.create(Variable, request, key, options);
  }

  /** PATCH /workspaces/:domain/variables/:variable_id. Scopes WORKSPACE, VARIABLE_MANAGE. */
  update(domain: string, id: number, body: VariableUpdate, options?: CallOptions): Promise<Variable> {
    const request = { path: path`/workspaces/${domain}/variables/${id}`, ...manage, body };
    return this.http.send(Variable, { method: "PATCH", ...request }, options);
  }

  /** DELETE /workspaces/:domain/variables/:variable_id. Scopes WORKSPACE, VARIABLE_MANAGE. */
  async delete(domain: string, id: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: path`/workspaces/${domain}/variables/${id}`, ...manage }, options);
  }
}

function scopeOf({ project, pipeline, action }: VariableCreate): VariableScope {
  return {
    ...(project ? { projectName: project.name } : {}),
    ...(pipeline ? { pipelineId: pipeline.id } : {}),
    ...(action ? { actionId: action.id } : {}),
  };
}
