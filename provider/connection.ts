/** Which service, as whom, and which workspace: found in the configuration, the environment or the credentials file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import envPaths from "env-paths";
import { ProviderError } from "./errors.js";

export interface Connection {
  /** Name of the connection, for messages; part of no resource. */
  readonly name?: string;
  /** Base address without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string;
  /** Domain of the workspace, unless each resource names its own. */
  readonly workspace?: string;
  /** Plain HTTP to a host that is not this machine. */
  readonly allowInsecure: boolean;
}

type Key = "baseUrl" | "token" | "workspace" | "allowInsecure" | "connection";
export type Settings = Readonly<Partial<Record<Key, string | undefined>>>;

export interface ConnectionSources {
  /** Said explicitly: flags, or the configuration of an explicit provider. */
  readonly explicit?: Settings;
  /** The stack's configuration, keys `workspace-automation:<key>`. */
  readonly config?: Settings;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What `workspacectl login` wrote, by connection. */
  readonly credentials?: Readonly<Record<string, Settings>>;
}

const variables: Readonly<Record<Exclude<Key, "connection">, string>> = {
  baseUrl: "BASE_URL",
  token: "TOKEN",
  workspace: "DOMAIN",
  allowInsecure: "ALLOW_INSECURE",
};

/**
 * Finds each setting in the first place that has it: explicit, the stack's configuration, the environment (the
 * connection's own variables first), the credentials file.
 * @throws {ProviderError} `no-connection`, naming what is missing and the ways to give it
 */
export function resolveConnection(sources: ConnectionSources): Connection {
  const { explicit = {}, config = {}, env = {}, credentials = {} } = sources;
  const name = explicit.connection ?? config.connection ?? present(env["WORKSPACE_AUTOMATION_CONNECTION"]);
  const own =
    name === undefined ? undefined : `WORKSPACE_AUTOMATION_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_`;
  const stored = credentials[name ?? "default"] ?? {};
  const find = (key: Exclude<Key, "connection">): string | undefined =>
    present(explicit[key]) ??
    present(config[key]) ??
    (own && present(env[own + variables[key]])) ??
    present(env[`WORKSPACE_AUTOMATION_${variables[key]}`]) ??
    present(stored[key]);

  const baseUrl = find("baseUrl");
  const token = find("token");
  if (baseUrl === undefined) throw missing("base address", "baseUrl", "https://host/api", own);
  if (token === undefined) throw missing("token", "token", "...", own);
  const workspace = find("workspace");
  return {
    ...(name === undefined ? {} : { name }),
    ...(workspace === undefined ? {} : { workspace }),
    baseUrl: baseUrl.replace(/\/+$/, ""),
    token,
    allowInsecure: find("allowInsecure") === "true",
  };
}

function missing(
  what: string,
  key: "baseUrl" | "token",
  example: string,
  own: string | undefined,
): ProviderError {
  const variable = `${own ?? "WORKSPACE_AUTOMATION_"}${variables[key]}`;
  const secret = key === "token" ? "--secret " : "";
  return new ProviderError(
    "no-connection",
    `no ${what} of the Workspace Automation Service is known: set ${variable}=${example} in the environment, or run ` +
      `"pulumi config set ${secret}workspace-automation:${key} ${example}". ` +
      `To try without an account, start "workspacectl emulator"`,
  );
}

function present(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}

/** Where `workspacectl login` keeps credentials. */
export function credentialsFile(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return (
    present(env["WORKSPACE_AUTOMATION_CREDENTIALS"]) ??
    join(envPaths("workspacectl", { suffix: "" }).config, "credentials.json")
  );
}

/** The stored credentials by connection; none when there is no file. */
export function readCredentials(file: string = credentialsFile()): Readonly<Record<string, Settings>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
  try {
    return (JSON.parse(text) as { connections?: Record<string, Settings> }).connections ?? {};
  } catch {
    throw new ProviderError(
      "no-connection",
      `${file} is not valid JSON: mend it, or delete it and log in again`,
    );
  }
}
