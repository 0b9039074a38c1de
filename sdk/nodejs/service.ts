/**
 * Calls the read functions while a program runs. With the plugin, and in unit tests with mocks, they are invokes of the engine. With
 * dynamic providers, for which the engine has no invokes, they read the service with the connection of the program or of a `Provider`.
 */
import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks.js";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { stripControls } from "../../client/printable.js";
import { VERSION } from "../../client/version.js";
import {
  callFunction,
  type FunctionDefinition,
  parseFunctionArgs,
} from "../../provider/discovery/functions/define.js";
import { type FunctionName, functions } from "../../provider/discovery/functions/read-functions.js";
import {
  buildClientOptions,
  debugWriter,
  type Fields,
  getPulumiType,
  looksSecret,
  providerPackage,
  readCredentials,
  resolveConnection,
} from "../../provider/index.js";
import { isKnown, readConfiguredEngine, readProviderSettings, toOutput } from "./accounts.js";

/** Which account and workspace to read. */
export interface ReadOptions extends pulumi.InvokeOptions {
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

/** Arguments or options of the output form of a function: each value may be an output. */
export type InputsOf<T> = {
  readonly [K in keyof T]: K extends keyof pulumi.InvokeOptions ? T[K] : pulumi.Input<T[K]>;
} & Pick<pulumi.InvokeOutputOptions, "dependsOn">;

type Given = readonly (object | undefined)[];

/** `html_url` → `htmlUrl` */
type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** An object of the service with its own names in camelCase; objects within it keep the service's names. */
export type Camel<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : never]: T[K] };

/** What a function returns. */
export type ResultOf<N extends FunctionName> =
  (typeof functions)[N] extends FunctionDefinition<infer T> ? Camel<T> : never;

/** Calls a function that returns one object. */
export async function readOne<N extends FunctionName>(name: N, ...given: Given): Promise<ResultOf<N>> {
  return (await call(name, given)) as ResultOf<N>;
}

/** Calls a function that returns a list. */
export async function readList<N extends FunctionName>(name: N, ...given: Given): Promise<ResultOf<N>[]> {
  return (await call(name, given))["items"] as ResultOf<N>[];
}

/** Calls a function that returns one object once its arguments are known. */
export function readOneOutput<N extends FunctionName>(name: N, ...given: Given): pulumi.Output<ResultOf<N>> {
  return callOutput(name, given) as unknown as pulumi.Output<ResultOf<N>>;
}

/** Calls a function that returns a list once its arguments are known. */
export function readListOutput<N extends FunctionName>(
  name: N,
  ...given: Given
): pulumi.Output<ResultOf<N>[]> {
  const items = callOutput(name, given).apply((result) => result["items"]);
  return items as unknown as pulumi.Output<ResultOf<N>[]>;
}

const INVOKE_OPTIONS: readonly string[] = [
  "async",
  "dependsOn",
  "parent",
  "pluginDownloadURL",
  "provider",
  "version",
] satisfies (keyof pulumi.InvokeOutputOptions)[];

interface Call {
  readonly token: string;
  readonly args: Fields;
  readonly options: pulumi.InvokeOutputOptions;
}

/** The arguments and the options, which some functions take in one object. */
function readCall(name: FunctionName, given: Given): Call {
  const all = Object.entries(Object.assign({}, ...given) as Fields).filter(
    ([, value]) => value !== undefined,
  );
  const pick = (isOption: boolean) =>
    Object.fromEntries(all.filter(([key]) => INVOKE_OPTIONS.includes(key) === isOption));
  const options = { version: VERSION, ...pick(true) };
  return { token: getPulumiType(name, "plugin"), args: pick(false), options };
}

function isInvoke(): boolean {
  return readConfiguredEngine() === "plugin" || pulumi.runtime.getMonitor() instanceof MockMonitor;
}

async function call(name: FunctionName, given: Given): Promise<Fields> {
  const { token, args, options } = readCall(name, given);
  if (isInvoke()) return (await pulumi.runtime.invoke(token, args, options)) as Fields;
  const settings = toOutput(readProviderSettings(findProvider(options)));
  if (!(await isKnown(settings)))
    throw new pulumi.RunError(
      `${name} needs its provider's settings, which are not known before an update: call ${name}Output`,
    );
  return new Promise((resolve, reject) => {
    settings.apply((known) => read(name, args, known as Fields).then(resolve, reject));
  });
}

function callOutput(name: FunctionName, given: Given): pulumi.Output<Record<string, unknown>> {
  const { token, args, options } = readCall(name, given);
  if (isInvoke()) return pulumi.runtime.invokeOutput<Record<string, unknown>>(token, args, options);
  // With its secret token, every result would be a secret.
  const settings = pulumi.unsecret(toOutput(readProviderSettings(findProvider(options))));
  const awaited = pulumi.output(options.dependsOn ?? []).apply((resources) => {
    return pulumi.all([resources].flat().map(({ urn }) => urn));
  });
  const input = toOutput({ args, settings, awaited }) as pulumi.Output<{ args: Fields; settings: Fields }>;
  // An object that a preview only plans cannot be read, even if its name is known.
  const known = areCreated(input).then((created) => (created ? input : pulumi.output(pulumi.unknown)));
  const result = toOutput(known) as typeof input;
  const values = toOutput(result.apply((all) => read(name, all.args, all.settings)));
  const marked = values.apply((all) =>
    Object.values(all as Fields).some(looksSecret) ? pulumi.secret(all) : toOutput(all),
  );
  return marked as unknown as pulumi.Output<Record<string, unknown>>;
}

interface Internal {
  /** Of an output. */
  readonly allResources?: () => Promise<ReadonlySet<pulumi.Resource>>;
  /** Of a component. */
  readonly __childResources?: ReadonlySet<pulumi.Resource>;
}

/** Whether all resources that a value depends on have an id. */
async function areCreated(value: pulumi.Output<unknown>): Promise<boolean> {
  const found = await (value as Internal).allResources?.();
  const resources = [...(found ?? [])];
  for (const resource of resources) {
    resources.push(...((resource as Internal).__childResources ?? []));
    const { id } = resource as Partial<pulumi.CustomResource>;
    if (pulumi.CustomResource.isInstance(resource) && id !== undefined && !(await isKnown(id))) return false;
  }
  return true;
}

/** As Pulumi finds it for an invoke. */
function findProvider({ provider, parent }: pulumi.InvokeOptions): pulumi.ProviderResource | undefined {
  return provider ?? parent?.getProvider(`${providerPackage.dynamic}::`);
}

async function read(name: FunctionName, args: Fields, settings: Fields): Promise<Fields> {
  const { client, workspace } = openService(args, settings);
  const { parsed, failures } = parseFunctionArgs(functions[name], args, { workspace });
  if (failures.length > 0) throw new pulumi.RunError(`${name}: ${failures.join("; ")}`);
  return callFunction(functions[name], client, workspace, parsed);
}

interface Service<W = string> {
  readonly client: WorkspaceAutomationClient;
  readonly workspace: W;
}

/** One client for each connection, by its settings. */
const opened = new Map<string, Service<string | undefined>>();

/** @throws {pulumi.RunError} when there is no connection, or no workspace */
function openService(options: ReadOptions, settings: Fields): Service {
  const key = JSON.stringify(settings);
  const service = opened.get(key) ?? open(settings);
  opened.set(key, service);
  const workspace = options.workspace ?? service.workspace;
  if (workspace !== undefined) return { client: service.client, workspace };
  throw new pulumi.RunError(
    "no workspace was specified: pass { workspace }, set WORKSPACE_AUTOMATION_DOMAIN, or run " +
      '"workspacectl config set workspace-automation:workspace <domain>"',
  );
}

function open(settings: Fields): Service<string | undefined> {
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
