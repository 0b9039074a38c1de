/** Reads the service for programs: a client for the connection of the program, and responses in camelCase. */
import * as pulumi from "@pulumi/pulumi";
import { ASK_PER_PAGE, WorkspaceAutomationClient } from "../../client/index.js";
import { plain } from "../../client/printable.js";
import { debugWriter, readCredentials, resolveConnection } from "../../provider/index.js";

export interface ReadOptions {
  /** Domain of the workspace. Default: that of the connection. */
  readonly workspace?: string;
}

/** The part of a list to read. */
export interface ListOptions extends ReadOptions {
  /** Maximum number of items. Default: all. */
  readonly limit?: number | undefined;
  /** First page. Default: 1. */
  readonly page?: number | undefined;
  /** Items per request. Default: 100, or the limit when it is less. */
  readonly perPage?: number | undefined;
}

export interface Service {
  readonly client: WorkspaceAutomationClient;
  readonly workspace: string;
}

let opened: { client: WorkspaceAutomationClient; workspace: string | undefined } | undefined;

/** The service that the program's stack is connected to. @throws {pulumi.RunError} when there is no connection */
export function service(options: ReadOptions = {}): Service {
  opened ??= open();
  const workspace = options.workspace ?? opened.workspace;
  if (workspace !== undefined) return { client: opened.client, workspace };
  throw new pulumi.RunError(
    "no workspace is named: pass { workspace }, set WORKSPACE_AUTOMATION_DOMAIN, or run " +
      '"workspacectl config set workspace-automation:workspace <domain>"',
  );
}

function open() {
  const config = new pulumi.Config("workspace-automation");
  const keys = ["connection", "baseUrl", "token", "workspace", "allowInsecure"] as const;
  const settings = Object.fromEntries(keys.map((key) => [key, config.get(key)]));
  try {
    // eslint-disable-next-line no-restricted-syntax -- a program has no other output for it, and the line is cleaned
    const debug = debugWriter(process.env, (line) => process.stderr.write(`${plain(line)}\n`));
    const { baseUrl, token, workspace, allowInsecure } = resolveConnection({
      config: settings,
      env: process.env,
      credentials: readCredentials(),
      debug,
    });
    const options = { baseUrl, token, allowInsecure, ...(debug ? { debug } : {}) };
    return { client: new WorkspaceAutomationClient(options), workspace };
  } catch (error) {
    throw new pulumi.RunError((error as Error).message);
  }
}

/** `html_url` → `htmlUrl` */
type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** An object of the service with its own names in camelCase; views inside it are the service's. */
export type Camel<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : never]: T[K] };

export function camel<T extends object>(remote: T): Camel<T> {
  const entries = Object.entries(remote).map(([key, value]) => [
    key.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase()),
    value as unknown,
  ]);
  return Object.fromEntries(entries) as Camel<T>;
}

/** The filters and the order of a list, by their names in camelCase. */
export type Filter<Query> = Camel<Omit<Query, "page" | "per_page">>;

/** The values that are given. */
export function withoutUndefined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The requested pages of a list. */
export function pages({ limit = ASK_PER_PAGE, page, perPage }: ListOptions = {}) {
  return withoutUndefined({ page, per_page: perPage ?? Math.min(Math.max(limit, 1), ASK_PER_PAGE) });
}

/** Filters under their API names, and the pages. */
export function inApiNames<Query extends object>(query: Partial<Filter<Query>> & ListOptions = {}): Query {
  const {
    workspace: _,
    limit: _limit,
    page: _page,
    perPage: _perPage,
    ...filters
  } = query as Record<string, unknown>;
  const entries = Object.entries(withoutUndefined(filters)).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return { ...Object.fromEntries(entries), ...pages(query) } as Query;
}

/** The items of a list. */
export async function all<T extends object>(
  listing: AsyncIterable<T> & { toArray(): Promise<T[]> },
  { limit }: ListOptions = {},
): Promise<Camel<T>[]> {
  if (limit === undefined) return (await listing.toArray()).map(camel);
  const items: Camel<T>[] = [];
  if (limit <= 0) return items;
  for await (const item of listing) if (items.push(camel(item)) >= limit) break;
  return items;
}

/** One object. */
export async function one<T extends object>(remote: Promise<T>): Promise<Camel<T>> {
  return camel(await remote);
}
