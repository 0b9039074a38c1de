/** Reads the service while a program runs: each function uses one client, for the connection of the program. */
import * as pulumi from "@pulumi/pulumi";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { stripControls } from "../../client/printable.js";
import { callFunction, type FunctionDefinition } from "../../provider/discovery/functions/define.js";
import { functions, type FunctionName } from "../../provider/discovery/functions/registry.js";
import {
  connectionKeys,
  buildClientOptions,
  debugWriter,
  readCredentials,
  resolveConnection,
  type Fields,
} from "../../provider/index.js";

export interface ReadOptions {
  /** Domain of the workspace. Default: the connection's workspace. */
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

interface Service {
  readonly client: WorkspaceAutomationClient;
  readonly workspace: string;
}

let opened: { client: WorkspaceAutomationClient; workspace: string | undefined } | undefined;

/** The service that the program's stack is connected to. @throws {pulumi.RunError} when there is no connection */
function openService(options: ReadOptions = {}): Service {
  opened ??= open();
  const workspace = options.workspace ?? opened.workspace;
  if (workspace !== undefined) return { client: opened.client, workspace };
  throw new pulumi.RunError(
    "no workspace was specified: pass { workspace }, set WORKSPACE_AUTOMATION_DOMAIN, or run " +
      '"workspacectl config set workspace-automation:workspace <domain>"',
  );
}

function open() {
  const config = new pulumi.Config("workspace-automation");
  const settings = Object.fromEntries(connectionKeys.map((key) => [key, config.get(key)]));
  try {
    // eslint-disable-next-line no-restricted-syntax -- a program has no other output for it, and the line is cleaned
    const debug = debugWriter(process.env, (line) => process.stderr.write(`${stripControls(line)}\n`));
    const { baseUrl, token, workspace, allowInsecure, profile } = resolveConnection({
      config: settings,
      env: process.env,
      credentials: readCredentials(),
      debug,
    });
    const behavior = buildClientOptions(profile?.behavior);
    const options = { baseUrl, token, allowInsecure, ...behavior, ...(debug ? { debug } : {}) };
    return { client: new WorkspaceAutomationClient(options), workspace };
  } catch (error) {
    throw new pulumi.RunError((error as Error).message);
  }
}

/** `html_url` → `htmlUrl` */
type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** An object of the service with its own names in camelCase; objects within it keep the service's names. */
export type Camel<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : never]: T[K] };

type ResultOf<N extends FunctionName> =
  (typeof functions)[N] extends FunctionDefinition<infer T> ? Camel<T> : never;

/** Calls a function that returns one object. */
export async function readOne<N extends FunctionName>(
  name: N,
  ...given: readonly (object | undefined)[]
): Promise<ResultOf<N>> {
  return (await call(name, given)) as ResultOf<N>;
}

/** Calls a function that returns a list. */
export async function readList<N extends FunctionName>(
  name: N,
  ...given: readonly (object | undefined)[]
): Promise<ResultOf<N>[]> {
  return (await call(name, given))["items"] as ResultOf<N>[];
}

function call(name: FunctionName, given: readonly (object | undefined)[]): Promise<Fields> {
  const args = Object.assign({}, ...given) as Fields & ReadOptions;
  const { client, workspace } = openService(args);
  return callFunction(functions[name], client, workspace, args);
}
