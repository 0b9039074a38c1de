import type { Emulator } from "../../emulator/index.js";
import type { Scope } from "../../emulator/index.js";
import { callerOf, send, start, type Answered } from "./support.js";

export const record = {
  client_name: "my tool",
  redirect_uris: ["https://tool.example.com/back"],
  grant_types: ["authorization_code", "refresh_token", "client_credentials"],
  response_types: ["code"],
  token_endpoint_auth_method: "client_secret_basic",
  client_uri: "https://tool.example.com",
  description: "A tool",
  token_expires_in: 600,
};

export interface OauthAnswer {
  client_id: string;
  client_secret: string;
  registration_access_token: string;
  registration_client_uri: string;
  access_token: string;
  refresh_token: string;
  error: string;
}
export const oauthBody = (answer: Answered) => answer.body as unknown as OauthAnswer;

export function form(
  emulator: Emulator,
  path: string,
  fields: Record<string, string>,
  basic?: string,
): Promise<Answered> {
  return send(emulator.baseUrl, "POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` }),
    },
  });
}

/** A client of the owner's, registered with a token of all scopes or of those given. */
export async function registered(scopes?: readonly Scope[]) {
  const { emulator, call } = await start();
  const registrant = scopes === undefined ? call : callerOf(emulator, await emulator.createToken({ scopes }));
  const answer = await registrant("POST", "/oauth2/register", record);
  const client = oauthBody(answer);
  const basic = `${client.client_id}:${client.client_secret}`;
  const token = (fields: Record<string, string>, as: string | undefined = basic) =>
    form(emulator, "/oauth2/token", fields, as);
  return { emulator, call, answer, client, basic, token };
}

/** Walk the authorize page as a person with a browser would: see it, choose a user, approve. */
export async function authorize(
  emulator: Emulator,
  query: Record<string, string>,
  answer: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const page = await fetch(`${emulator.authorizeUrl}?${new URLSearchParams(query).toString()}`);
  const html = await page.text();
  const action = /action="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  if (action === undefined) return { page, html, status: page.status, location: undefined };
  const consent = /name="consent" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const response = await fetch(new URL(action, emulator.authorizeUrl), {
    method: "POST",
    redirect: "manual",
    headers,
    body: new URLSearchParams({ consent, ...answer }),
  });
  const location = response.headers.get("location");
  const { status } = response;
  return { page, html, status, location: location === null ? undefined : new URL(location) };
}
