import type { Caller } from "./auth.js";
import { denied, invalidUrl, notFound } from "./errors.js";
import type { BodyOf, Fields, QueryOf } from "./fields.js";
import type * as model from "./model.js";
import { wholeOrPage, pageOf, type PageQuery } from "./paging.js";
import type { Scope } from "./scopes.js";
import type { Service } from "./service.js";

/** What a request is about, as found from its path. */
export interface Place {
  workspace?: model.WorkspaceRow;
  /** The caller's membership of the workspace. */
  membership?: model.MembershipRow;
  project?: model.ProjectRow;
  pipeline?: model.PipelineRow;
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The path of this route has no ${what}`);
  return value;
}

/** One request, as a route's handler sees it: caller, place, and checked query and body. */
export class Context<Q extends Fields = Fields, B extends Fields = Fields> {
  /** Set to answer with another status than the route's usual one. */
  status: number | undefined;

  constructor(
    readonly service: Service,
    readonly caller: Caller | undefined,
    readonly place: Place,
    readonly params: Readonly<Record<string, string>>,
    readonly query: QueryOf<Q>,
    readonly body: BodyOf<B>,
    /** The query as sent. */
    readonly rawQuery: Readonly<Record<string, unknown>>,
    /** The path as sent, below the base path. */
    readonly path: string,
    readonly headers: Readonly<Record<string, string | string[] | undefined>>,
  ) {}

  get store(): Service["store"] {
    return this.service.store;
  }

  get now(): number {
    return this.service.clock.now();
  }

  get user(): model.UserRow {
    return known(this.caller, "caller").user;
  }

  get workspace(): model.WorkspaceRow {
    return known(this.place.workspace, "workspace");
  }

  get project(): model.ProjectRow {
    return known(this.place.project, "project");
  }

  get pipeline(): model.PipelineRow {
    return known(this.place.pipeline, "pipeline");
  }

  /** Whether the caller is an admin of the workspace; its owner always is. */
  get isAdmin(): boolean {
    return known(this.place.membership, "workspace").admin || this.workspace.ownerId === this.user.id;
  }

  requireAdmin(): void {
    if (!this.isAdmin) throw denied("Access denied: this is allowed to workspace administrators only.");
  }

  requireScope(scope: Scope): void {
    if (!known(this.caller, "caller").token.scopes.includes(scope)) {
      throw denied(`Access denied: the token lacks the scope ${scope}.`);
    }
  }

  param(name: string): string {
    return known(this.params[name], name);
  }

  /** A path parameter that is an integer; anything else is a badly formed URL. */
  id(name: string): number {
    const text = this.param(name);
    if (!/^\d{1,15}$/.test(text)) throw invalidUrl(this.path);
    return Number(text);
  }

  /** A row of this workspace by the id in the path, or 404. */
  row<T extends model.Row & { workspaceId: number }>(
    table: { get(id: number): T | undefined },
    param: string,
    what: string,
  ): T {
    const id = this.id(param);
    const row = table.get(id);
    if (row?.workspaceId !== this.workspace.id) throw notFound(`${what} ${id}`);
    return row;
  }

  /** A page by the documented parameters. */
  page<T>(items: readonly T[]): readonly T[] {
    return pageOf(items, this.query as PageQuery, this.service.settings.maxPerPage);
  }

  /** The whole list, where the spec documents no paging. */
  all<T>(items: readonly T[]): readonly T[] {
    return wholeOrPage(items, this.rawQuery, this.service.settings.maxPerPage);
  }
}
