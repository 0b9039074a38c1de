/** Runs `workspacectl oauth-client`. */
import { withService } from "../../../automation/connection/api-client.js";
import { readLogins } from "../../../automation/connection/connection.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type { OAuthClient, OAuthClientUpdate, RegisteredOAuthClient } from "../../../client/index.js";
import {
  type Connection,
  getCredentialsFile,
  type StoredClient,
  updateCredentials,
} from "../../../provider/index.js";
import { type Io, print } from "../../../reports/io.js";
import { printFacts, printJson } from "../../../reports/output.js";
import { isSameAddress } from "../../../trust/connection.js";
import { buildRedirectUri, DEFAULT_PORT } from "../../oauth/loopback.js";
import { readSecret } from "../../terminal/answers.js";
import type {
  ClientDeleteOptions,
  ClientRegisterOptions,
  ClientShowOptions,
  ClientUpdateOptions,
} from "./oauth-client-command.js";

/** Registers an OAuth client. The service returns its two secrets only once: they are printed, or stored. */
export function registerClient(options: ClientRegisterOptions, io: Io): Promise<number> {
  return withService(options, io, async ({ client, connection }) => {
    const registered = await client.oauth.register({
      redirect_uris: [buildRedirectUri(DEFAULT_PORT)],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      ...toRecord(options),
      client_name: options.name,
    });
    if (!options.save) {
      if (options.json) printJson(io, registered);
      else printRecord(registered, io);
      note(io, "The secret and the registration access token are not shown again: store them now.");
      return exitCodes.ok;
    }
    const file = getCredentialsFile(io.env);
    const kept = { ...toStoredForm(registered), baseUrl: connection.baseUrl };
    await updateCredentials(file, ({ oauthClients }) => {
      oauthClients[registered.client_id] = kept;
    });
    const { client_secret: _secret, registration_access_token: _token, ...rest } = registered;
    if (options.json) printJson(io, rest);
    else printRecord(rest, io);
    note(io, `The secret and the registration access token are in ${file}, readable only by you.`);
    return exitCodes.ok;
  });
}

/** Shows a client's registration. */
export function showClient(options: ClientShowOptions, io: Io): Promise<number> {
  return withService(options, io, async ({ client, connection }) => {
    const token = await readRegistrationToken(options, connection, io);
    printOne(await client.oauth.get(options.clientId, token), options, io);
    return exitCodes.ok;
  });
}

/** Changes the given properties of a client's registration. */
export function updateClient(options: ClientUpdateOptions, io: Io): Promise<number> {
  const body: OAuthClientUpdate = toRecord(options);
  if (Object.keys(body).length === 0) {
    throw new AutomationError(
      "no option says what to change",
      "add --name, --redirect-uri, --grant, --uri, --description or --token-expires-in",
    );
  }
  return withService(options, io, async ({ client, connection }) => {
    const token = await readRegistrationToken(options, connection, io);
    const updated = await client.oauth.update(options.clientId, token, body);
    await updateCredentials(getCredentialsFile(io.env), ({ oauthClients }) => {
      const kept = oauthClients[options.clientId];
      if (!kept) return false;
      Object.assign(kept, toStoredForm(updated));
    });
    printOne(updated, options, io);
    return exitCodes.ok;
  });
}

/** Deletes a client, and what is stored about it. */
export function deleteClient(options: ClientDeleteOptions, io: Io): Promise<number> {
  return withService(options, io, async ({ client, connection }) => {
    const token = await readRegistrationToken(options, connection, io);
    await client.oauth.delete(options.clientId, token);
    await updateCredentials(getCredentialsFile(io.env), ({ oauthClients }) => {
      if (!(options.clientId in oauthClients)) return false;
      delete oauthClients[options.clientId];
    });
    print(io, `OAuth client ${options.clientId} is deleted.`);
    return exitCodes.ok;
  });
}

function toRecord({
  name,
  redirectUri: uris,
  grant,
  uri,
  description,
  tokenExpiresIn,
}: Omit<ClientUpdateOptions, "clientId">) {
  return {
    ...(name === undefined ? {} : { client_name: name }),
    ...(uris === undefined ? {} : { redirect_uris: [...uris] }),
    ...(grant === undefined ? {} : { grant_types: [...grant] }),
    ...(uri === undefined ? {} : { client_uri: uri }),
    ...(description === undefined ? {} : { description }),
    ...(tokenExpiresIn === undefined ? {} : { token_expires_in: tokenExpiresIn }),
  };
}

async function readRegistrationToken(
  { registrationToken: way, clientId }: ClientDeleteOptions,
  { baseUrl }: Pick<Connection, "baseUrl">,
  io: Io,
): Promise<string> {
  if (way !== undefined)
    return readSecret("--registration-token", way, `Registration access token of ${clientId}`, io);
  const kept = readLogins(io.env).oauthClients[clientId];
  const token = io.env["WORKSPACE_AUTOMATION_REGISTRATION_TOKEN"] || kept?.registrationAccessToken;
  if (token && token === kept?.registrationAccessToken && !isSameAddress(kept.baseUrl, baseUrl))
    throw new AutomationError(
      `the OAuth client ${clientId} was registered at ${kept.baseUrl}, but this connection leads to ${baseUrl}; nothing was sent`,
      "choose the connection to that address with --connection",
    );
  if (token) return token;
  throw new AutomationError(
    `the registration access token of the OAuth client ${clientId} is needed, which the service returned at its registration`,
    'pass it on standard input (--registration-token -), or in WORKSPACE_AUTOMATION_REGISTRATION_TOKEN; "workspacectl oauth-client register --save" would have stored it',
  );
}

function toStoredForm(record: OAuthClient & Partial<RegisteredOAuthClient>): Partial<StoredClient> {
  const {
    client_name: clientName,
    client_secret: clientSecret,
    registration_access_token: registrationAccessToken,
    redirect_uris: redirectUris,
  } = record;
  const all = { clientName, clientSecret, registrationAccessToken, redirectUris };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value != null));
}

function printOne(record: OAuthClient, { json }: ClientShowOptions, io: Io): void {
  if (json) printJson(io, record);
  else printRecord(record, io);
}

function printRecord(record: OAuthClient & Partial<RegisteredOAuthClient>, io: Io): void {
  const seconds = record.token_expires_in;
  printFacts(io, {
    "client id": record.client_id,
    "client secret": record.client_secret,
    "registration access token": record.registration_access_token,
    name: record.client_name,
    "redirect addresses": record.redirect_uris?.join(", "),
    grants: record.grant_types?.join(", "),
    "web address": record.client_uri,
    description: record.description,
    "client secret expires": formatExpiry(record.client_secret_expires_at),
    "tokens live": seconds == null ? undefined : `${seconds} s`,
  });
}

/** @param seconds since the epoch; 0: never */
const formatExpiry = (seconds: number | null | undefined): string | undefined =>
  seconds ? new Date(seconds * 1000).toISOString() : undefined;
