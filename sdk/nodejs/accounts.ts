/** Providers of accounts, and the refusal of references from one account to another. */
import * as pulumi from "@pulumi/pulumi";
import { VERSION } from "../../client/version.js";
import {
  connectionKeys,
  ENGINE_VARIABLE,
  engines,
  type ProviderEngine,
  providerPackage,
  readCredentials,
  resolveConnection,
  suggestOr,
} from "../../provider/index.js";

/** Settings of a connection. Missing ones come from the environment or from a login. */
export interface ProviderArgs {
  /** Name of the connection, which selects a stored login or variables of the environment. */
  connection?: pulumi.Input<string | undefined>;
  /** Address of the service, such as https://host/api. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** Token for the address in `baseUrl`. */
  token?: pulumi.Input<string | undefined>;
  /** Domain of the workspace, as in its address. */
  workspace?: pulumi.Input<string | undefined>;
  /** Whether plain HTTP to another machine is allowed. */
  allowInsecure?: pulumi.Input<boolean | string | undefined>;
}

type Settings = Readonly<Record<string, unknown>>;
const NAMESPACE = "workspace-automation:";

/**
 * What runs the resources of the program: the stack's configuration says it.
 * @throws {pulumi.RunError} when it says something else
 */
export function readConfiguredEngine(): ProviderEngine {
  const said = process.env[ENGINE_VARIABLE] || new pulumi.Config("workspace-automation").get("engine");
  const engine = engines.find((one) => one === (said ?? "dynamic"));
  if (engine !== undefined) return engine;
  throw new pulumi.RunError(`workspace-automation:engine is "${said}": it must be ${engines.join(" or ")}`);
}

/** The connection of the resources with `provider`, for a program with several accounts. Works with both engines. */
export class Provider extends pulumi.ProviderResource {
  /** @param args settings, with or without the prefix `workspace-automation:` */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const engine = readConfiguredEngine();
    const settings = readSettings(name, args as Settings);
    const prefix = engine === "dynamic" ? NAMESPACE : "";
    const props = Object.entries(settings).map(([key, value]) => [prefix + key, convertSetting(key, value)]);
    const options = engine === "plugin" ? { version: VERSION, ...opts } : opts;
    super(providerPackage[engine], name, Object.fromEntries(props) as pulumi.Inputs, options);
    accounts.set(this, settings);
  }
}

const accounts = new WeakMap<pulumi.ProviderResource, Settings>();

/** @throws {pulumi.RunError} for a setting that does not exist, because it would otherwise have no effect */
function readSettings(name: string, args: Settings): Settings {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const settings = given.map(([key, value]) => {
    const short = key.startsWith(NAMESPACE) ? key.slice(NAMESPACE.length) : key;
    if ((connectionKeys as readonly string[]).includes(short)) return [short, value] as const;
    const known = suggestOr(short, connectionKeys, `The settings are ${connectionKeys.join(", ")}`);
    throw new pulumi.RunError(`Provider "${name}": unknown setting "${key}". ${known}`);
  });
  return Object.fromEntries(settings);
}

/** The output of any value. Pulumi's type of the function does not accept `unknown`. */
export function toOutput(value: unknown): pulumi.Output<unknown> {
  return pulumi.output(value as object);
}

/** Whether an output is known, which a preview may not know before other outputs are. */
export function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
}

/** Providers take texts. */
function convertSetting(key: string, value: unknown): unknown {
  const text = toOutput(value).apply((one) => (typeof one === "boolean" ? String(one) : one));
  return key === "token" ? pulumi.secret(text) : text;
}

/** The end of a reference: a resource, and how messages name it. */
interface End {
  readonly resource: () => pulumi.Resource;
  readonly label: string;
}

/**
 * Returns the value of a reference once both resources are known to be in one account.
 * @throws {pulumi.RunError} when they are not, in the output
 */
export function refuseOtherAccount(value: unknown, from: End & { readonly arg: string }, to: End): unknown {
  // The constructor of the referring resource has not ended yet, and Pulumi finds the provider there.
  const checked = Promise.resolve().then(() => {
    const [own, other] = [from, to].map(({ resource }) => findProvider(resource()));
    if (own === other) return value;
    return pulumi.all([resolveAccount(own), resolveAccount(other)]).apply(([here, there]) => {
      if (here === undefined || there === undefined || here === there) return value;
      throw new pulumi.RunError(
        `${from.label} is in ${here}, but its ${from.arg} is ${to.label}, which is in ${there}: an object cannot refer to another account. Use the same provider for both (the option provider)`,
      );
    });
  });
  return toOutput(checked);
}

/** The explicit provider of a resource. Pulumi also finds it at the parent. */
function findProvider(resource: pulumi.Resource): pulumi.ProviderResource | undefined {
  return (resource as { readonly __prov?: pulumi.ProviderResource }).__prov;
}

/**
 * The settings of an explicit provider, or of the stack's configuration. They may be outputs.
 * @returns texts by key, as the configuration has them
 */
export function readProviderSettings(provider: pulumi.ProviderResource | undefined): Settings {
  const config = new pulumi.Config("workspace-automation");
  const settings = connectionKeys.map((key) => {
    if (provider === undefined) return [key, config.get(key)];
    const properties = provider as unknown as Settings;
    const value = accounts.get(provider)?.[key] ?? properties[NAMESPACE + key] ?? properties[key];
    return [key, value === undefined ? undefined : convertSetting(key, value)];
  });
  return Object.fromEntries(settings) as Settings;
}

/** The address of the workspace that a provider works on; undefined where it is not known yet. */
function resolveAccount(provider: pulumi.ProviderResource | undefined): pulumi.Output<string | undefined> {
  // Whether there is a token matters here, and not which.
  const { token, ...others } = readProviderSettings(provider);
  const settings = { ...others, token: token === undefined ? undefined : "given" };
  return pulumi.output(settings).apply((values) => {
    try {
      const { baseUrl, workspace } = resolveConnection({
        config: values,
        env: process.env,
        credentials: readCredentials(),
      });
      return `${baseUrl}${workspace === undefined ? "" : `, workspace ${workspace}`}`;
    } catch {
      return undefined; // The provider reports the same problem.
    }
  });
}
