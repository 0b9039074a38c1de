/** Objects that the path of a request names. */
import type { IncomingHttpHeaders } from "node:http";
import { isAdmin } from "./access.js";
import { type Caller, requireScope } from "./auth.js";
import type { Scope } from "./enums.js";
import { createAdminsOnlyError, createInvalidUrlError, createNotFoundError } from "./errors.js";
import type { BodyOf, Fields, QueryOf } from "./fields.js";
import type { Repository } from "./git/repository.js";
import { orderItems, shiftPages } from "./list-readings.js";
import type * as model from "./model.js";
import { type PageQuery, pickAllOrPage, pickPage } from "./paging.js";
import type { Service } from "./service.js";
import type { Table } from "./table.js";

/** A workspace of a running emulator. */
export interface WorkspaceLocation {
  readonly service: Service;
  readonly workspace: model.WorkspaceRow;
}

/** A project of a running emulator. */
export interface ProjectLocation extends WorkspaceLocation {
  readonly project: model.ProjectRow;
}

/** Objects that the path of a request names. */
export interface RequestTarget {
  workspace?: model.WorkspaceRow;
  project?: model.ProjectRow;
  pipeline?: model.PipelineRow;
}

function requireKnown<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The path of this route has no ${what}`);
  return value;
}

/** Returns an id of a path. @throws ServiceError for an invalid URL otherwise. */
export function parseId(text: string, path: string): number {
  if (!/^\d{1,15}$/.test(text)) throw createInvalidUrlError(path);
  return Number(text);
}

type ItemOrder = "open" | "fixed";

interface Arranged<T> {
  readonly ordered: readonly T[];
  /** Number of items by which pages begin later. */
  readonly shift: number;
}

/** Request as the handler of a route sees it: the caller, the objects of the path, the checked query and body. */
export class Context<Q extends Fields = Fields, B extends Fields = Fields> implements ProjectLocation {
  /** Overrides the usual status of the route. */
  status: number | undefined;

  constructor(
    readonly service: Service,
    readonly caller: Caller | undefined,
    readonly target: RequestTarget,
    readonly params: Readonly<Record<string, string>>,
    readonly query: QueryOf<Q>,
    readonly body: BodyOf<B>,
    /** Query as sent. */
    readonly rawQuery: Readonly<Record<string, unknown>>,
    /** Path as sent, below the base path. */
    readonly path: string,
    readonly headers: Readonly<IncomingHttpHeaders>,
    /** Whether the emulator itself sent the request, whose lists never change while they are read. */
    private readonly isInternal: boolean,
  ) {}

  get store(): Service["store"] {
    return this.service.store;
  }

  get now(): number {
    return this.service.clock.now();
  }

  get user(): model.UserRow {
    return requireKnown(this.caller, "caller").user;
  }

  get workspace(): model.WorkspaceRow {
    return requireKnown(this.target.workspace, "workspace");
  }

  get project(): model.ProjectRow {
    return requireKnown(this.target.project, "project");
  }

  get repository(): Repository {
    return this.service.repositories.of(this.project);
  }

  get pipeline(): model.PipelineRow {
    return requireKnown(this.target.pipeline, "pipeline");
  }

  /** Whether the caller is an administrator of the workspace. */
  get isAdmin(): boolean {
    return isAdmin(this.store, this.workspace, this.user.id);
  }

  requireAdmin(): void {
    if (!this.isAdmin) throw createAdminsOnlyError();
  }

  requireScope(scope: Scope): void {
    requireScope(requireKnown(this.caller, "caller"), scope);
  }

  param(name: string): string {
    return requireKnown(this.params[name], name);
  }

  /** Returns an integer path parameter. @throws ServiceError for an invalid URL otherwise. */
  id(name: string): number {
    return parseId(this.param(name), this.path);
  }

  /** Returns a row of a parent (default the workspace) by the id in the path. @throws ServiceError 404. */
  row<T extends model.Row>(
    table: Table<T>,
    param: string,
    what: string,
    parent: model.Row = this.workspace,
  ): T {
    const id = this.id(param);
    const row = table.get(id);
    if (row === undefined || table.parentOf(row) !== parent.id) throw createNotFoundError(`${what} ${id}`);
    return row;
  }

  /**
   * Returns the page that the query asks for.
   * @param order "fixed" when the order of the items has a meaning
   */
  page<T>(items: readonly T[], order?: ItemOrder): readonly T[] {
    const { ordered, shift } = this.arrange(items, order);
    return pickPage(ordered, this.query as PageQuery, this.service.settings, shift);
  }

  /** Returns the whole list where the spec documents no paging. */
  all<T>(items: readonly T[], order?: ItemOrder): readonly T[] {
    const { ordered, shift } = this.arrange(items, order);
    return pickAllOrPage(ordered, this.rawQuery, this.service.settings, shift);
  }

  /** Orders the items as this service does at this moment. */
  private arrange<T>(items: readonly T[], order: ItemOrder = "open"): Arranged<T> {
    const { settings, listReadings } = this.service;
    const isUsual = settings.listOrder === "oldest" && settings.pageShift === "none";
    if (isUsual || this.isInternal) return { ordered: items, shift: 0 };
    const { page: text, per_page: _, access_token: _token, ...query } = this.rawQuery;
    const page = Number(text ?? 1);
    const reading = listReadings.count(`${this.user.id} ${this.path} ${JSON.stringify(query)}`, page);
    const isSorted = "sort_by" in query || "sort_direction" in query;
    return {
      ordered: order === "fixed" || isSorted ? items : orderItems(items, reading, settings),
      shift: shiftPages(page, reading, settings),
    };
  }
}
