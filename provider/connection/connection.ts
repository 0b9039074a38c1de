/** Resolves address, token and workspace from the configuration, the environment, or the credentials file. */
import type { TokenProvider } from "../../client/index.js";
import { ProviderError } from "../../resources/errors.js";
import {
  findTokenOfCheckout,
  isSameAddress,
  refuseForeignAddress,
  trimAddress,
} from "../../trust/connection.js";
import type { Credentials, StoredConnection } from "./credentials.js";
import { type ConnectionProfile, readProfile } from "./profile.js";
import { storedTokens } from "./stored-tokens.js";

export interface Connection {
  /** Name of the connection, for messages. No resource contains it. */
  readonly name?: string;
  /** Base address without a slash at the end. */
  readonly baseUrl: string;
  /** A personal access token, or a provider of renewed tokens. */
  readonly token: string | TokenProvider;
  /** What the token is and where it comes from, for messages: `the token in WORKSPACE_AUTOMATION_TOKEN`. */
  readonly credential?: string;
  /** Where the base address is set, for messages: `WORKSPACE_AUTOMATION_BASE_URL`. */
  readonly addressSource?: string;
  /** The login of the token; absent when configuration or environment provide the token. */
  readonly login?: StoredConnection;
  /** Domain of the workspace. A resource may choose another one. */
  readonly workspace?: string;
  /** Plain HTTP to a host that is not this machine. */
  readonly allowInsecure: boolean;
  /** What a probe has measured at the service. */
  readonly profile?: ConnectionProfile;
}

/** The settings of a connection. A stack's configuration has them as `workspace-automation:<key>`. */
export const connectionKeys = ["connection", "baseUrl", "token", "workspace", "allowInsecure"] as const;
type Key = (typeof connectionKeys)[number] | "profile";
export type ConnectionSettings = Readonly<Partial<Record<Key, string | undefined>>>;

export interface ConnectionSources {
  /** Explicit settings: flags, or the configuration of an explicit provider. */
  readonly explicit?: ConnectionSettings;
  /** The stack's configuration under a program, which is code. Keys are `workspace-automation:<key>`. */
  readonly config?: ConnectionSettings;
  /** The stack's configuration under a workspace file, which is data: it names the workspace, and may confirm the address. */
  readonly checkout?: ConnectionSettings;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The credentials that `workspacectl login` has stored, by connection. */
  readonly credentials?: Credentials;
  /** Receives one line per exchange with the authorization server. No secrets. */
  readonly debug?: ((line: string) => void) | undefined;
}

const variables: Readonly<Record<Exclude<Key, "connection">, string>> = {
  baseUrl: "BASE_URL",
  token: "TOKEN",
  workspace: "DOMAIN",
  allowInsecure: "ALLOW_INSECURE",
  profile: "PROFILE",
};

/** The default connection. */
export const DEFAULT_CONNECTION = "default";

/** A source of settings. */
interface Source {
  /** For messages. */
  readonly what: string;
  readonly baseUrl: string | undefined;
  readonly token: string | undefined;
  /** What the token is, for messages. */
  readonly credential: string;
  /** Where the base address is set, for messages. */
  readonly address: string;
  readonly allowInsecure: string | undefined;
  readonly workspace: string | undefined;
  /** Path of the file. */
  readonly profile: string | undefined;
}

/**
 * Finds each setting in the first source that has it: explicit, a program's configuration, the environment (the connection's own
 * variables first), the credentials file. A token is only sent to an address from its own source. A checkout never replaces the address
 * or the token of these; it provides a token only where they have none.
 * @throws {ProviderError} `no-connection`, naming what is missing and the ways to give it
 * @throws {TrustError} when a checkout names another address
 */
export function resolveConnection(sources: ConnectionSources): Connection {
  const { explicit = {}, config = {}, checkout, env = {}, credentials } = sources;
  const logins = credentials?.connections ?? {};
  const name =
    explicit.connection ?? config.connection ?? findPresent(env["WORKSPACE_AUTOMATION_CONNECTION"]);
  const own =
    name === undefined ? undefined : `WORKSPACE_AUTOMATION_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_`;
  const environment = readEnvironment(name, own, env);
  const ofCheckout = createSource(STACK_CONFIGURATION, (key) => checkout?.[key]);
  const callers: readonly Source[] = [
    createSource("the command line", (key) => explicit[key]),
    createSource(STACK_CONFIGURATION, (key) => config[key]),
    environment,
  ];
  const first = (key: Exclude<keyof Source, "what">): Source | undefined =>
    callers.find((source) => source[key] !== undefined);
  const addressSource = first("baseUrl");
  const login = name ?? formatLoginCommand(logins, addressSource?.baseUrl);
  const stored = Object.hasOwn(logins, login) ? logins[login] : undefined;
  const baseUrl = addressSource?.baseUrl ?? trimValue(findPresent(stored?.baseUrl));
  refuseForeignAddress(ofCheckout, {
    baseUrl,
    source: addressSource?.what ?? `the login of connection ${login}`,
    variable: getVariableName(own, "baseUrl"),
    logins: Object.fromEntries(Object.entries(logins).map(([of, one]) => [of, one.baseUrl])),
  });
  if (baseUrl === undefined)
    throw createMissingError("base address", "baseUrl", "https://host/api", own, sources);
  const elsewhere = !isSameAddress(baseUrl, trimValue(findPresent(stored?.baseUrl)) ?? baseUrl);
  const tokenSource = first("token");
  // The address of a login belongs to this user: the environment may provide another token for it.
  if (tokenSource && !isFor(tokenSource, baseUrl) && (addressSource || tokenSource !== environment))
    throw createOtherTokenError(tokenSource, addressSource, baseUrl, own);
  const trusted = callers.filter((source) => source === tokenSource || isFor(source, baseUrl));
  const workspace =
    findPresent(explicit.workspace) ??
    ofCheckout.workspace ??
    first("workspace")?.workspace ??
    (elsewhere ? undefined : findPresent(stored?.workspace));
  const insecure = trusted.find((source) => source.allowInsecure !== undefined)?.allowInsecure;
  // A checkout names none: a profile decides what counts as deleted.
  const profile = first("profile")?.profile ?? (elsewhere ? undefined : findPresent(stored?.profile));
  const settings = {
    ...(profile === undefined ? {} : { profile: readProfile(profile) }),
    ...(name === undefined && login === DEFAULT_CONNECTION ? {} : { name: login }),
    ...(workspace === undefined ? {} : { workspace }),
    baseUrl,
    addressSource: addressSource?.address ?? formatStored(login, credentials?.file),
    allowInsecure: (insecure ?? (elsewhere ? undefined : findPresent(stored?.allowInsecure))) === "true",
  };
  if (tokenSource?.token !== undefined)
    return { ...settings, token: tokenSource.token, credential: tokenSource.credential };
  const token = stored && loginToken(settings, stored, sources);
  if (stored && token !== undefined && !elsewhere) {
    const credential = formatLogin(login, credentials?.file ?? "", own, env);
    return { ...settings, token, login: stored, credential };
  }
  const last = findTokenOfCheckout(ofCheckout, { baseUrl, variable: getVariableName(own, "token") });
  if (last !== undefined) return { ...settings, token: last, credential: ofCheckout.credential };
  if (stored && token !== undefined) throw createOtherLoginError(settings, stored);
  throw createMissingError("token", "token", "...", own, sources);
}

function createSource(
  what: string,
  get: (key: Exclude<Key, "connection">) => string | undefined,
  credential = `the token of ${what}`,
  address = what,
): Source {
  return {
    what,
    credential,
    address,
    baseUrl: trimValue(findPresent(get("baseUrl"))),
    token: findPresent(get("token")),
    allowInsecure: findPresent(get("allowInsecure")),
    workspace: findPresent(get("workspace")),
    profile: findPresent(get("profile")),
  };
}

const ENVIRONMENT = "the environment";
const STACK_CONFIGURATION = "the stack's configuration (workspace-automation:...)";

/** @param own prefix of the variables of a named connection */
function getVariableName(own: string | undefined, key: Exclude<Key, "connection">): string {
  return `${own ?? "WORKSPACE_AUTOMATION_"}${variables[key]}`;
}

/** The login of a run that names none: the default one, or else the only one. A login is for its own address only. */
function formatLoginCommand(
  logins: Readonly<Record<string, StoredConnection>>,
  address: string | undefined,
): string {
  const [only, ...others] = Object.entries(logins);
  if (only === undefined || others.length > 0) return DEFAULT_CONNECTION;
  const [name, stored] = only;
  const baseUrl = trimValue(findPresent(stored.baseUrl));
  const isMeant = baseUrl !== undefined && (address === undefined || isSameAddress(address, baseUrl));
  return isMeant ? name : DEFAULT_CONNECTION;
}

/**
 * Variables without a connection's name belong to the connection that the environment itself names, or to the default one:
 * `--connection eu` must never use another account because its own variables are missing. The workspace alone does not
 * change the account.
 */
function readEnvironment(
  name: string | undefined,
  own: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Source {
  const unnamed = name === undefined || name === findPresent(env["WORKSPACE_AUTOMATION_CONNECTION"]);
  const find = (key: Exclude<Key, "connection">) =>
    own !== undefined && findPresent(env[own + variables[key]]) !== undefined ? own : undefined;
  return createSource(
    ENVIRONMENT,
    (key) =>
      (own && findPresent(env[own + variables[key]])) ??
      (unnamed || key === "workspace" ? env[`WORKSPACE_AUTOMATION_${variables[key]}`] : undefined),
    `the token in ${getVariableName(find("token"), "token")}`,
    getVariableName(find("baseUrl"), "baseUrl"),
  );
}

/** The login, and why a token of the environment was not used, which `--connection` leaves aside in silence otherwise. */
function formatLogin(
  name: string,
  file: string,
  own: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const general = getVariableName(undefined, "token");
  const unused = findPresent(env[general]) === undefined ? "" : `, not ${general}, which names no connection`;
  const instead =
    unused === "" || own === undefined ? "" : `: ${getVariableName(own, "token")} would be used`;
  return `${formatStored(name, file)}${unused}${instead}`;
}

function formatStored(name: string, file = ""): string {
  return `the login of connection ${name} in ${file}`;
}

/** Whether a source itself names this address. */
function isFor(source: Source, baseUrl: string): boolean {
  return source.baseUrl !== undefined && isSameAddress(source.baseUrl, baseUrl);
}

function createOtherTokenError(
  { what, baseUrl: meant }: Source,
  addressSource: Source | undefined,
  baseUrl: string,
  own: string | undefined,
): ProviderError {
  const setting =
    what === ENVIRONMENT
      ? `set ${getVariableName(own, "baseUrl")}=${baseUrl} together with the token`
      : `set the address in the same place as the token (workspace-automation:baseUrl ${baseUrl})`;
  return new ProviderError(
    "no-connection",
    `the token is from ${what}, which ${meant === undefined ? "sets no address" : `sets ${meant}`}, and the address ${baseUrl} is from ${addressSource?.what ?? "the login"}: a token is sent only to the address that is set together with it, so nothing was sent`,
    `If the token is for ${baseUrl}, ${setting}; otherwise remove that address`,
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

/** A token is only for the address of its login. */
function createOtherLoginError(
  { name = DEFAULT_CONNECTION, baseUrl }: Omit<Connection, "token">,
  stored: StoredConnection,
): ProviderError {
  return new ProviderError(
    "no-connection",
    `connection ${name} is logged in to ${stored.baseUrl}, but this run is to use ${baseUrl}`,
    `remove that other address (--base-url, stack configuration or WORKSPACE_AUTOMATION_BASE_URL), or log in to it with "workspacectl login --connection ${name} --base-url ${baseUrl}"`,
  );
}

function trimValue(address: string | undefined): string | undefined {
  return address === undefined ? undefined : trimAddress(address);
}

function createMissingError(
  what: string,
  key: "baseUrl" | "token",
  example: string,
  own: string | undefined,
  { explicit = {}, config, credentials, env = {} }: ConnectionSources,
): ProviderError {
  const name =
    explicit.connection ?? config?.connection ?? findPresent(env["WORKSPACE_AUTOMATION_CONNECTION"]);
  const secret = key === "token" ? " --secret" : ` ${example}`;
  const inStack = config && `, or run "workspacectl config set workspace-automation:${key}${secret}"`;
  const names = Object.keys(credentials?.connections ?? {});
  const known = names.length === 0 ? "" : `. Logged in to: ${names.join(", ")}; choose one with --connection`;
  return new ProviderError(
    "no-connection",
    `no ${what} for ${name === undefined ? "the Workspace Automation Service" : `connection ${name}`} is set`,
    `run "workspacectl login${name === undefined ? "" : ` --connection ${name}`}", or set ${getVariableName(own, key)}=${example} in the environment${inStack ?? ""}${known}. To try it without an account, run "workspacectl emulator"`,
  );
}

function findPresent(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
