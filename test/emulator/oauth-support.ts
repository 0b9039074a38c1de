/** OAuth clients and requests for tests. */
import type { Emulator, Scope } from "../../emulator/index.js";
import { type ApiResponse, callerOf, send, start } from "./support.js";

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

export interface OauthBody {
  client_id: string;
  client_secret: string;
  registration_access_token: string;
  registration_client_uri: string;
  access_token: string;
  refresh_token: string;
  error: string;
}
export const oauthBody = (response: ApiResponse) => response.body as unknown as OauthBody;

export function form(
  emulator: Emulator,
  path: string,
  fields: Record<string, string>,
  basic?: string,
): Promise<ApiResponse> {
  return send(emulator.baseUrl, "POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` }),
    },
  });
}

/** Registers a client of the owner, with a token that has these scopes, or all of them. */
export async function registered(scopes?: readonly Scope[]) {
  const { emulator, call } = await start();
  const registrant = scopes === undefined ? call : callerOf(emulator, await emulator.createToken({ scopes }));
  const response = await registrant("POST", "/oauth2/register", record);
  const client = oauthBody(response);
  const basic = `${client.client_id}:${client.client_secret}`;
  const token = (fields: Record<string, string>, as: string | undefined = basic) =>
    form(emulator, "/oauth2/token", fields, as);
  return { emulator, call, response, client, basic, token };
}

/** Acts like a user in a browser: opens the consent page, chooses a user and approves. */
export async function authorize(
  emulator: Emulator,
  query: Record<string, string>,
  decision: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const page = await fetch(`${emulator.authorizeUrl}?${new URLSearchParams(query).toString()}`, {
    redirect: "manual",
  });
  const html = await page.text();
  const back = page.headers.get("location");
  if (back !== null) return { page, html, status: page.status, location: new URL(back) };
  const action = /action="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  if (action === undefined) return { page, html, status: page.status, location: undefined };
  const consent = /name="consent" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const response = await fetch(new URL(action, emulator.authorizeUrl), {
    method: "POST",
    redirect: "manual",
    headers,
    body: new URLSearchParams({ consent, ...decision }),
  });
  const location = response.headers.get("location");
  const { status } = response;
  return { page, html, status, location: location === null ? undefined : new URL(location) };
}
