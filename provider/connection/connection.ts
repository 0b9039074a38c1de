/** Which service, as whom, and which workspace: found in the configuration, the environment or the credentials file. */
import type { TokenProvider } from "../../client/index.js";
import type { Credentials, StoredConnection } from "./credentials.js";
import { ProviderError } from "../errors.js";
import { storedTokens } from "./stored-tokens.js";

export interface Connection {
  /** Name of the connection, for messages; part of no resource. */
  readonly name?: string;
  /** Base address without a slash at the end. */
  readonly baseUrl: string;
  /** A personal access token, or tokens that are renewed. */
  readonly token: string | TokenProvider;
  /** The login that the token is from; absent when the token was given by configuration or environment. */
  readonly login?: StoredConnection;
  /** Domain of the workspace, unless each resource names its own. */
  readonly workspace?: string;
  /** Plain HTTP to a host that is not this machine. */
  readonly allowInsecure: boolean;
}

type Key = "baseUrl" | "token" | "workspace" | "allowInsecure" | "connection";
export type ConnectionSettings = Readonly<Partial<Record<Key, string | undefined>>>;

export interface ConnectionSources {
  /** Said explicitly: flags, or the configuration of an explicit provider. */
  readonly explicit?: ConnectionSettings;
  /** The stack's configuration, keys `workspace-automation:<key>`. */
  readonly config?: ConnectionSettings;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What `workspacectl login` wrote, by connection. */
  readonly credentials?: Credentials;
  /** Given one line per exchange with the authorization server; no secrets. */
  readonly debug?: ((line: string) => void) | undefined;
}

const variables: Readonly<Record<Exclude<Key, "connection">, string>> = {
  baseUrl: "BASE_URL",
  token: "TOKEN",
  workspace: "DOMAIN",
  allowInsecure: "ALLOW_INSECURE",
};

/** The connection that is meant when none is named. */
export const DEFAULT_CONNECTION = "default";

/** A place that may say how the service is reached. */
interface Place {
  /** For messages. */
  readonly what: string;
  readonly baseUrl: string | undefined;
  readonly token: string | undefined;
  readonly allowInsecure: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * Finds each setting in the first place that has it: explicit, the stack's configuration, the environment (the
 * connection's own variables first), the credentials file. A token goes only to an address that its own place names:
 * a stack's configuration is committed with the code, and whoever can change it must not choose who gets the token.
 * @throws {ProviderError} `no-connection`, naming what is missing and the ways to give it
 */
export function resolveConnection(sources: ConnectionSources): Connection {
  const { explicit = {}, config = {}, env = {}, credentials } = sources;
  const name = explicit.connection ?? config.connection ?? present(env["WORKSPACE_AUTOMATION_CONNECTION"]);
  const own =
    name === undefined ? undefined : `WORKSPACE_AUTOMATION_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_`;
  const stored = credentials?.connections[name ?? DEFAULT_CONNECTION];
  const environment = environmentOf(name, own, env);
  const places: readonly Place[] = [
    placeOf("what was given explicitly", (key) => explicit[key]),
    placeOf("the stack's configuration (workspace-automation:...)", (key) => config[key]),
    environment,
  ];
  const first = (key: Exclude<keyof Place, "what">): Place | undefined =>
    places.find((place) => place[key] !== undefined);
  const addressed = first("baseUrl");
  const baseUrl = addressed?.baseUrl ?? trimmed(present(stored?.baseUrl));
  if (baseUrl === undefined) throw missing("base address", "baseUrl", "https://host/api", own, sources);
  const elsewhere = !sameAddress(baseUrl, trimmed(present(stored?.baseUrl)) ?? baseUrl);
  const given = first("token");
  // An address of a login is nobody's but this user's: the environment may bring another token for it.
  if (given && !isFor(given, baseUrl) && (addressed || given !== environment))
    throw forAnother(given, addressed, baseUrl, own);
  const about = places.filter((place) => place === given || isFor(place, baseUrl));
  const workspace = first("workspace")?.workspace ?? (elsewhere ? undefined : present(stored?.workspace));
  const insecure = about.find((place) => place.allowInsecure !== undefined)?.allowInsecure;
  const settings = {
    ...(name === undefined ? {} : { name }),
    ...(workspace === undefined ? {} : { workspace }),
    baseUrl,
    allowInsecure: (insecure ?? (elsewhere ? undefined : present(stored?.allowInsecure))) === "true",
  };
  if (given?.token !== undefined) return { ...settings, token: given.token };
  const login = stored && loginToken(settings, stored, sources);
  if (!stored || login === undefined) throw missing("token", "token", "...", own, sources);
  if (elsewhere) throw loggedInElsewhere(settings, stored);
  return { ...settings, token: login, login: stored };
}

function placeOf(what: string, get: (key: Exclude<Key, "connection">) => string | undefined): Place {
  return {
    what,
    baseUrl: trimmed(present(get("baseUrl"))),
    token: present(get("token")),
    allowInsecure: present(get("allowInsecure")),
    workspace: present(get("workspace")),
  };
}

const ENVIRONMENT = "the environment";

/**
 * Variables without a connection's name are those of the connection that the environment itself names, or of the
 * unnamed one: `--connection eu` must never end up at another account because its own variables are missing. The
 * workspace alone leads nowhere else.
 */
function environmentOf(
  name: string | undefined,
  own: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Place {
  const unnamed = name === undefined || name === present(env["WORKSPACE_AUTOMATION_CONNECTION"]);
  return placeOf(
    ENVIRONMENT,
    (key) =>
      (own && present(env[own + variables[key]])) ??
      (unnamed || key === "workspace" ? env[`WORKSPACE_AUTOMATION_${variables[key]}`] : undefined),
  );
}

/** Does a place say itself that what it holds is for this address? */
function isFor(place: Place, baseUrl: string): boolean {
  return place.baseUrl !== undefined && sameAddress(place.baseUrl, baseUrl);
}

/** Whether two base addresses are one. */
export function sameAddress(one: string, other: string): boolean {
  const normal = (address: string) => (URL.canParse(address) ? trimmed(new URL(address).href) : address);
  return normal(one) === normal(other);
}

function forAnother(
  { what, baseUrl: meant }: Place,
  addressed: Place | undefined,
  baseUrl: string,
  own: string | undefined,
): ProviderError {
  const source = addressed?.what ?? "the login";
  const setting =
    what === ENVIRONMENT
      ? `set ${own ?? "WORKSPACE_AUTOMATION_"}BASE_URL=${baseUrl} beside the token`
      : `name the address where the token is (workspace-automation:baseUrl ${baseUrl})`;
  return new ProviderError(
    "no-connection",
    `the token is from ${what}, which ${meant === undefined ? "names no address for it" : `names ${meant}`}, and the ` +
      `address ${baseUrl} is from ${source}: a token is sent only to the address that is named with it, so nothing ` +
      `was sent. If the token is for ${baseUrl}, ${setting}; else take that address away`,
  );
}

function loginToken(
  { name = DEFAULT_CONNECTION, baseUrl, allowInsecure }: Omit<Connection, "token">,
  { token, oauth }: StoredConnection,
  { credentials, debug }: ConnectionSources,
): string | TokenProvider | undefined {
  if (oauth === undefined || credentials === undefined) return token;
  const server = { baseUrl, allowInsecure, ...(debug ? { debug } : {}) };
  return storedTokens({ file: credentials.file, name, oauth, server });
}

/** A token is for the address of its login only: it is no other server's business. */
function loggedInElsewhere(
  { name = DEFAULT_CONNECTION, baseUrl }: Omit<Connection, "token">,
  stored: StoredConnection,
): ProviderError {
  return new ProviderError(
    "no-connection",
    `connection ${name} was logged in to ${stored.baseUrl}, but ${baseUrl} is to be used: take the other address away ` +
      `(flag, stack configuration or WORKSPACE_AUTOMATION_BASE_URL), or log in to it with ` +
      `"workspacectl login --connection <name> --base-url ${baseUrl}"`,
  );
}

function trimmed(address: string | undefined): string | undefined {
  return address?.replace(/\/+$/, "");
}

function missing(
  what: string,
  key: "baseUrl" | "token",
  example: string,
  own: string | undefined,
  { credentials }: ConnectionSources,
): ProviderError {
  const variable = `${own ?? "WORKSPACE_AUTOMATION_"}${variables[key]}`;
  const secret = key === "token";
  const names = Object.keys(credentials?.connections ?? {});
  const known = names.length === 0 ? "" : `. Logged in to: ${names.join(", ")}; choose one with --connection`;
  return new ProviderError(
    "no-connection",
    `no ${what} of the Workspace Automation Service is known: run "workspacectl login", set ${variable}=${example} in ` +
      `the environment, or run "workspacectl config set workspace-automation:${key}${secret ? " --secret" : ` ${example}`}"${known}. ` +
      `To try without an account, start "workspacectl emulator"`,
  );
}

function present(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
