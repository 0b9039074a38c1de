/** The methods of login, each of which returns credentials to store. */
import { debugLines } from "../../../automation/connection/api-client.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { OAuthServer, type Tokens } from "../../../client/index.js";
import { type Credentials, type StoredConnection, type StoredOAuth } from "../../../provider/index.js";
import type { Io } from "../../../reports/io.js";
import { isSameAddress } from "../../../trust/connection.js";
import { buildRedirectUri, DEFAULT_PORT, loginByPasting, loginInBrowser } from "../../oauth/loopback.js";
import { askHidden, readSecret } from "../../terminal/answers.js";
import type { LoginOptions } from "./login-command.js";

/** Where to log in. */
export interface LoginTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly allowInsecure: boolean;
}

type Secrets = Pick<StoredConnection, "token" | "oauth" | "authorizeUrl">;

/** Logs in with the method of the options; without any, as before, else with a token from a prompt. */
export async function requestCredentials(
  target: LoginTarget,
  options: LoginOptions,
  all: Credentials,
  io: Io,
): Promise<Secrets> {
  const known = findKnownAt(target, all);
  const before = known.connections[target.name]?.oauth;
  if (options.token !== undefined) {
    if (options.clientId !== undefined) {
      throw new AutomationError(
        "--token and --client-id are two different ways to log in",
        "use only one of the two",
      );
    }
    return { token: await readSecret("--token", options.token, formatQuestion(target), io) };
  }
  if (options.clientId !== undefined || before !== undefined) return loginByOAuth(target, options, known, io);
  if (options.clientCredentials)
    throw new AutomationError("--client-credentials requires a client", "add --client-id <id>");
  if (io.interactive) return { token: await readSecret("--token", "prompt", formatQuestion(target), io) };
  throw new AutomationError(
    "there is no terminal to ask for an answer",
    "pass a personal access token on standard input (--token -), or a client of your own (--client-id <id>, with --client-credentials or --no-browser)",
  );
}

/** Limits stored credentials to those of this address, whatever their name. */
function findKnownAt(
  { baseUrl }: LoginTarget,
  { connections, oauthClients, file }: Credentials,
): Credentials {
  const here = <T extends { baseUrl?: string | undefined }>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([, one]) => isSameAddress(one.baseUrl ?? "", baseUrl)));
  return { connections: here(connections), oauthClients: here(oauthClients), file };
}

function formatQuestion({ baseUrl }: LoginTarget): string {
  return `Personal access token for ${baseUrl} (created in the user profile of the web application)`;
}

async function loginByOAuth(
  target: LoginTarget,
  options: LoginOptions,
  { connections, oauthClients }: Credentials,
  io: Io,
): Promise<Secrets> {
  const stored = connections[target.name];
  const clientId = options.clientId ?? stored?.oauth?.clientId ?? "";
  const before = stored?.oauth?.clientId === clientId ? stored.oauth : undefined;
  const registered = oauthClients[clientId];
  const grant = chooseGrant(options, before);
  const clientSecret = await findSecret(options, grant, before?.clientSecret ?? registered?.clientSecret, io);
  const authorizeUrl =
    options.authorizeUrl ?? io.env["WORKSPACE_AUTOMATION_AUTHORIZE_URL"] ?? stored?.authorizeUrl;
  const scopes = options.scopes ? parseScopes(options.scopes) : (before?.scopes ?? [...defaultScopes]);
  const debug = debugLines(io);
  const server = new OAuthServer({
    baseUrl: target.baseUrl,
    allowInsecure: target.allowInsecure,
    clientId,
    ...(clientSecret ? { clientSecret } : {}),
    ...(authorizeUrl ? { authorizeUrl } : {}),
    ...(debug ? { debug } : {}),
  });
  try {
    const port = options.port ?? before?.port ?? findRegisteredPort(registered?.redirectUris) ?? DEFAULT_PORT;
    const tokens = await requestTokens({ grant, server, scopes, port, authorizeUrl, options }, io);
    noteMissingScopes(scopes, tokens, io);
    const oauth = {
      grant,
      clientId,
      ...(clientSecret ? { clientSecret } : {}),
      scopes,
      ...(grant === "authorization_code" ? { port } : {}),
      tokens: { ...tokens },
    };
    return { oauth, ...(authorizeUrl ? { authorizeUrl } : {}) };
  } finally {
    await server.close();
  }
}

function noteMissingScopes(requested: readonly string[], { scopes }: Tokens, io: Io): void {
  const missing = scopes === undefined ? [] : requested.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0) note(io, `The service did not grant all scopes. Missing: ${missing.join(", ")}.`);
}

function chooseGrant(
  { clientCredentials }: LoginOptions,
  before: StoredOAuth | undefined,
): StoredOAuth["grant"] {
  if (clientCredentials) return "client_credentials";
  return before?.grant ?? "authorization_code";
}

async function findSecret(
  { clientSecret: way }: LoginOptions,
  grant: StoredOAuth["grant"],
  known: string | undefined,
  io: Io,
): Promise<string | undefined> {
  if (way !== undefined) return readSecret("--client-secret", way, "Client secret", io);
  const secret = io.env["WORKSPACE_AUTOMATION_CLIENT_SECRET"] || known;
  if (secret) return secret;
  if (io.interactive) {
    const none = grant === "authorization_code" ? " (empty: the client has none)" : "";
    const answer = await askHidden(`Client secret${none}`, io);
    if (answer || grant === "authorization_code") return answer || undefined;
  }
  if (grant === "authorization_code") return undefined;
  throw new AutomationError(
    "logging in with this client (--client-id) requires its secret",
    "pass it on standard input (--client-secret -) or in WORKSPACE_AUTOMATION_CLIENT_SECRET",
  );
}

interface Asked {
  readonly grant: StoredOAuth["grant"];
  readonly server: OAuthServer;
  readonly scopes: readonly string[];
  readonly port: number;
  readonly authorizeUrl: string | undefined;
  readonly options: LoginOptions;
}

function requestTokens(
  { grant, server, scopes, port, authorizeUrl, options }: Asked,
  io: Io,
): Promise<Tokens> {
  if (grant === "client_credentials") return server.clientCredentials(scopes);
  if (authorizeUrl === undefined) {
    throw new AutomationError(
      "the address of the consent page, on which users allow access in the browser, is not known",
      "add --authorize-url URL; the service's documentation or an administrator knows the address, such as https://HOST/oauth2/authorize. Or log in with --token or --client-credentials",
    );
  }
  if (!options.browser) return loginByPasting({ server, scopes, port }, io);
  return loginInBrowser({ server, scopes, port }, io);
}

/** Returns the port of the client's registered redirect address. */
function findRegisteredPort(uris: readonly string[] | undefined): number | undefined {
  const ports = (uris ?? []).map((uri) => (URL.canParse(uri) ? Number(new URL(uri).port) : 0));
  return ports.find((port, index) => port > 0 && uris?.[index] === buildRedirectUri(port));
}

/** The scopes that resources and commands use; `--scopes` can request fewer. */
const defaultScopes = [
  "WORKSPACE",
  "PROJECT_DELETE",
  "EXECUTION_INFO",
  "EXECUTION_MANAGE",
  "EXECUTION_RUN",
  "PIPELINE_WRITE",
  "REPOSITORY_READ",
  "REPOSITORY_WRITE",
  "VARIABLE_INFO",
  "VARIABLE_ADD",
  "VARIABLE_MANAGE",
  "USER_INFO",
  "USER_KEY",
  "USER_EMAIL",
  "MANAGE_EMAILS",
  "INTEGRATION_INFO",
  "SANDBOX_WRITE",
] as const;

/** Parses a list that is separated by commas or spaces. */
function parseScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== "");
  if (scopes.length > 0) return [...new Set(scopes)];
  throw new AutomationError(
    "--scopes contains no scope",
    "add scopes such as WORKSPACE,EXECUTION_INFO, or omit the option",
  );
}
