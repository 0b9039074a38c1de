/** Runs `workspacectl logout`. */
import type { LogoutOptions } from "./command.js";
import { OAuthServer } from "../../../client/index.js";
import {
  updateCredentials,
  getCredentialsFile,
  DEFAULT_CONNECTION,
  readCredentials,
  type StoredConnection,
  type StoredOAuth,
} from "../../../provider/index.js";
import { CliError, exitCodes } from "../../errors.js";
import { note, print, type Io } from "../../terminal/io.js";
import { debugLines } from "../../connection/api-client.js";

/** Revokes the tokens of a login and removes it. If revoking fails, the login is not removed, so that it can be repeated. */
export async function logout({ connection, local }: LogoutOptions, io: Io): Promise<number> {
  const name = connection ?? io.env["WORKSPACE_AUTOMATION_CONNECTION"] ?? DEFAULT_CONNECTION;
  const file = getCredentialsFile(io.env);
  const { connections } = readCredentials(file);
  const stored = connections[name];
  if (stored === undefined) throw createNotLoggedInError(name, Object.keys(connections));

  const revoked = !local && stored.oauth !== undefined && (await revoke(name, stored, stored.oauth, io));
  await updateCredentials(file, (credentials) => {
    delete credentials.connections[name];
  });
  print(io, `Logged out of connection ${name}${revoked ? "; its tokens are revoked" : ""}.`);
  if (stored.token !== undefined && !local) {
    note(
      io,
      "A personal access token cannot be revoked from here: delete it in your user profile if nothing else uses it.",
    );
  }
  return exitCodes.ok;
}

async function revoke(name: string, stored: StoredConnection, oauth: StoredOAuth, io: Io): Promise<boolean> {
  const { clientId, clientSecret, tokens } = oauth;
  if (tokens === undefined) return false;
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
    await server.revoke(tokens.accessToken, "access_token");
    if (tokens.refreshToken !== undefined) await server.revoke(tokens.refreshToken, "refresh_token");
    return true;
  } catch (error) {
    throw new CliError(
      `the tokens of connection ${name} could not be revoked, so the login was not removed: ${(error as Error).message}`,
      `To remove it without revoking them: "workspacectl logout --connection ${name} --local"`,
      { cause: error },
    );
  } finally {
    await server.close();
  }
}

function createNotLoggedInError(name: string, others: readonly string[]): CliError {
  const known =
    others.length === 0 ? "there are no stored logins" : `the stored logins are ${others.join(", ")}`;
  return new CliError(
    `connection ${name} is not logged in to; ${known}`,
    others.length === 0 ? "log in first (workspacectl login)" : "choose one with --connection",
  );
}
