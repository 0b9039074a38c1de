/** Runs `workspacectl login` and `logout`. */
import { debugLines, withClient } from "../../../automation/connection/api-client.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import {
  isServiceError,
  OAuthServer,
  type User,
  type WorkspaceAutomationClient,
} from "../../../client/index.js";
import {
  type Credentials,
  DEFAULT_CONNECTION,
  getCredentialsFile,
  readCredentials,
  readProfile,
  type StoredConnection,
  type StoredOAuth,
  updateCredentials,
} from "../../../provider/index.js";
import { type Io, print } from "../../../reports/io.js";
import { askLine } from "../../terminal/answers.js";
import type { LoginOptions, LogoutOptions } from "./login-command.js";
import { type LoginTarget, requestCredentials } from "./methods.js";

/** Logs in, tests the credentials, and stores them under the connection's name if they work. */
export async function login(options: LoginOptions, io: Io): Promise<number> {
  const file = getCredentialsFile(io.env);
  const known = readCredentials(file);
  const target = await chooseTarget(options, known, io);
  const profile = options.profile === undefined ? undefined : readProfile(options.profile).file;
  const secrets = await requestCredentials(target, options, known, io);
  return withClient({ ...target, token: accessToken(secrets) }, io, async (client) => {
    const user = await identifyUser(client);
    const before = known.connections[target.name];
    const workspace = await chooseWorkspace(
      client,
      options.workspace ?? (isSame(before, target) ? before?.workspace : undefined),
    );
    const behavior = profile ?? (isSame(before, target) ? before?.profile : undefined);
    await updateCredentials(file, ({ connections }) => {
      connections[target.name] = {
        baseUrl: target.baseUrl,
        ...(workspace === undefined ? {} : { workspace }),
        ...(target.allowInsecure ? { allowInsecure: "true" } : {}),
        ...(behavior === undefined ? {} : { profile: behavior }),
        ...secrets,
      };
    });
    printWelcome({ target: target, user, workspace, file }, io);
    return exitCodes.ok;
  });
}

async function chooseTarget(options: LoginOptions, known: Credentials, io: Io): Promise<LoginTarget> {
  const name = options.connection ?? io.env["WORKSPACE_AUTOMATION_CONNECTION"] ?? DEFAULT_CONNECTION;
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) {
    throw new AutomationError(
      `"${name}" cannot be the name of a connection`,
      'use letters, digits, "-", "_" and ".", starting with a letter or digit, such as us or eu-staging',
    );
  }
  const before = known.connections[name];
  const given = options.baseUrl ?? before?.baseUrl ?? io.env["WORKSPACE_AUTOMATION_BASE_URL"];
  const baseUrl = given || (io.interactive ? await askLine("Base address of the service", io) : "");
  if (baseUrl === "") {
    throw new AutomationError(
      "the base address of the service is required",
      "set it with --base-url https://host/api, or in WORKSPACE_AUTOMATION_BASE_URL",
    );
  }
  const target = { name, baseUrl: baseUrl.replace(/\/+$/, "") };
  const asBefore = isSame(before, target) && before?.allowInsecure === "true";
  return { ...target, allowInsecure: options.allowInsecure ?? asBefore };
}

function isSame(before: StoredConnection | undefined, { baseUrl }: Pick<LoginTarget, "baseUrl">): boolean {
  return before?.baseUrl === baseUrl;
}

function accessToken({ token, oauth }: Pick<StoredConnection, "token" | "oauth">): string {
  return token ?? oauth?.tokens?.accessToken ?? "";
}

/** Reads the user if the token allows it; any response but 401 proves that the token is valid. */
async function identifyUser(client: WorkspaceAutomationClient): Promise<User | undefined> {
  try {
    return await client.user.get();
  } catch (error) {
    if (isServiceError(error, "denied")) return undefined;
    if (!isServiceError(error, "unauthorized")) throw error;
    throw new AutomationError(
      `the service does not accept this token; nothing was stored. ${error.message}`,
      error.remedy,
      { code: error.code, cause: error },
    );
  }
}

/** Returns the named workspace, if it exists; else the only one. */
async function chooseWorkspace(
  client: WorkspaceAutomationClient,
  named: string | undefined,
): Promise<string | undefined> {
  if (named !== undefined) return (await client.workspaces.get(named)).domain ?? named;
  try {
    const [first, second] = await client.workspaces.list().toArray();
    return second === undefined ? first?.domain : undefined;
  } catch (error) {
    if (isServiceError(error, "denied", "api-disabled")) return undefined;
    throw error;
  }
}

interface Outcome {
  readonly target: LoginTarget;
  readonly user: User | undefined;
  readonly workspace: string | undefined;
  readonly file: string;
}

function printWelcome({ target: { name, baseUrl }, user, workspace, file }: Outcome, io: Io): void {
  const who = user === undefined ? "" : ` as ${user.name ?? `user ${user.id}`}`;
  print(io, `Logged in to ${baseUrl}${who}: connection ${name}, ${formatWorkspace(workspace)}.`);
  note(io, `The credentials are in ${file}, readable only by you.`);
  const own = `WORKSPACE_AUTOMATION_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_TOKEN`;
  const before = [own, "WORKSPACE_AUTOMATION_TOKEN"].find((variable) => io.env[variable]);
  if (before) note(io, `${before} is set and takes precedence over this login: unset it to use the login.`);
}

function formatWorkspace(workspace: string | undefined): string {
  return workspace === undefined ? "no workspace chosen (--workspace chooses one)" : `workspace ${workspace}`;
}

/** Revokes the tokens of a login and removes it. If revoking fails, the login is not removed, so that it can be repeated. */
export async function logout({ connection, local }: LogoutOptions, io: Io): Promise<number> {
  const name = connection ?? io.env["WORKSPACE_AUTOMATION_CONNECTION"] ?? DEFAULT_CONNECTION;
  const file = getCredentialsFile(io.env);
  const { connections } = readCredentials(file);
  const stored = connections[name];
  if (stored === undefined) throw createNotLoggedInError(name, Object.keys(connections));

  const revoked =
    local || stored.oauth?.tokens === undefined ? undefined : await revoke(name, stored, stored.oauth, io);
  await updateCredentials(file, (credentials) => {
    delete credentials.connections[name];
  });
  print(io, `Logged out of connection ${name}${revoked === undefined ? "" : `; ${revoked}`}.`);
  if (stored.token !== undefined && !local) {
    note(
      io,
      "A personal access token cannot be revoked from here: delete it in your user profile if nothing else uses it.",
    );
  }
  return exitCodes.ok;
}

/** Revokes the tokens of a login. @returns what became of them */
async function revoke(name: string, stored: StoredConnection, oauth: StoredOAuth, io: Io): Promise<string> {
  const { clientId, clientSecret, tokens } = oauth;
  const debug = debugLines(io);
  const server = new OAuthServer({
    baseUrl: stored.baseUrl ?? "",
    allowInsecure: stored.allowInsecure === "true",
    clientId,
    ...(clientSecret ? { clientSecret } : {}),
    ...(debug ? { debug } : {}),
  });
  try {
    // The access token is first, because revoking the refresh token may invalidate both.
    const isRevoked = await server.revoke(tokens?.accessToken ?? "", "access_token");
    if (tokens?.refreshToken !== undefined && !(await server.revoke(tokens.refreshToken, "refresh_token")))
      throw new Error("the service does not revoke refresh tokens");
    if (isRevoked) return "its tokens are revoked";
    return `${tokens?.refreshToken === undefined ? "" : "its refresh token is revoked, but "}the service does not revoke access tokens: this one is valid ${formatEnd(tokens?.expiresAt)}`;
  } catch (error) {
    throw new AutomationError(
      `the tokens of connection ${name} could not be revoked, so the login was not removed: ${(error as Error).message}`,
      `To remove it without revoking them: "workspacectl logout --connection ${name} --local"`,
      { cause: error },
    );
  } finally {
    await server.close();
  }
}

const formatEnd = (at: number | undefined): string =>
  at === undefined ? "until it expires" : `until ${new Date(at).toISOString()}`;

function createNotLoggedInError(name: string, others: readonly string[]): AutomationError {
  const known =
    others.length === 0 ? "there are no stored logins" : `the stored logins are ${others.join(", ")}`;
  return new AutomationError(
    `there is no login for the connection ${name}; ${known}`,
    others.length === 0 ? "log in first (workspacectl login)" : "choose one with --connection",
  );
}
