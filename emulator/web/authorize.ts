/** Consent page of OAuth. */
import { createBadRequestError, ServiceError } from "../errors.js";
import type { ClientRow } from "../model.js";
import {
  type CodeRequest,
  createOauthError,
  findClient,
  issueCode,
  listAllowedScopes,
  listGrantableScopes,
} from "../oauth.js";
import { findUser } from "../operations/people.js";
import type { Service } from "../service.js";
import { createFormToken, isFormToken } from "./form-token.js";
import { html, renderPage } from "./html.js";

/** Consent page, where a user authorizes an OAuth client. The spec documents no such endpoint. */

type Query = Readonly<Record<string, unknown>>;

function getText(query: Query, name: string): string | undefined {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Where the result of a request goes. */
interface Target {
  client: ClientRow;
  redirectUri: string;
  isNamed: boolean;
  state: string | undefined;
}

/** Reads client and redirect address. Errors in these are shown and not redirected, since nobody has vouched for the address yet. */
function readTarget(service: Service, query: Query): Target {
  const twice = ["client_id", "redirect_uri", "state"].find((name) => Array.isArray(query[name]));
  if (twice !== undefined) throw createBadRequestError(`The parameter ${twice} may be sent once only.`);
  const client = findClient(service, getText(query, "client_id") ?? "");
  if (client === undefined) throw createBadRequestError("The client is not known.");
  const named = getText(query, "redirect_uri");
  const redirectUri = named ?? (client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined);
  if (redirectUri === undefined || !client.redirect_uris.some((one) => isSameRedirect(one, redirectUri)))
    throw createBadRequestError("The redirect_uri is not one of the client's.");
  return { client, redirectUri, isNamed: named !== undefined, state: getText(query, "state") };
}

/** Compares addresses as text, but for the port of a loopback address, which a client chooses when it starts (RFC 8252, 7.3). */
function isSameRedirect(registered: string, sent: string): boolean {
  const anyPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;
  return registered.replace(anyPort, "$1") === sent.replace(anyPort, "$1");
}

type Request = Target & CodeRequest;

/** Reads what is requested. @throws ServiceError with the code for the redirect (RFC 6749, 4.1.2.1) */
function readRequest(service: Service, query: Query): Request {
  const target = readTarget(service, query);
  const { client } = target;
  const twice = Object.keys(query).find((name) => typeof query[name] !== "string");
  if (twice !== undefined)
    throw createOauthError(400, "invalid_request", `The parameter ${twice} may be sent once only.`);
  const type = getText(query, "response_type");
  if (type === undefined) throw createOauthError(400, "invalid_request", "The response_type is missing.");
  if (type !== "code")
    throw createOauthError(400, "unsupported_response_type", "The only response_type is code.");
  if (!client.grant_types.includes("authorization_code"))
    throw createOauthError(400, "unauthorized_client", "The client may not use authorization_code.");
  const challenge = getText(query, "code_challenge") ?? null;
  const method = getText(query, "code_challenge_method");
  if (challenge === null ? method !== undefined : method !== "S256") {
    throw createOauthError(
      400,
      "invalid_request",
      "PKCE needs a code_challenge, with the code_challenge_method S256.",
    );
  }
  if (challenge !== null && !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw createOauthError(
      400,
      "invalid_request",
      "The code_challenge is not one: base64url of a SHA-256, 43 characters.",
    );
  }
  const scope = getText(query, "scope");
  const scopes = scope === undefined ? listAllowedScopes(client) : listGrantableScopes(client, scope);
  return { ...target, scopes, challenge };
}

/** Returns the redirect address with these parameters, and the state of the request. */
function goBack({ redirectUri, state }: Target, params: Readonly<Record<string, string>>): string {
  const back = new URL(redirectUri);
  const all = { ...params, ...(state === undefined ? {} : { state }) };
  for (const [name, value] of Object.entries(all)) back.searchParams.set(name, value);
  return back.href;
}

/** Returns the address to go back to with an error of the request, if there is a trusted one. */
export function findErrorRedirect(service: Service, query: Query, error: unknown): string | undefined {
  if (!(error instanceof ServiceError) || error.extra["error"] === undefined) return undefined;
  return goBack(readTarget(service, query), error.extra);
}

/** Renders the page. @throws ServiceError when the request is invalid. */
export function authorizePage(service: Service, query: Query, target: string): string {
  const { client, redirectUri, scopes } = readRequest(service, query);
  const users = [...service.store.users.all()].filter((user) => user.name !== null);
  return renderPage(
    `${client.client_name} asks for access`,
    [],
    html`<p>It will be sent to ${redirectUri} and may use these scopes:</p>
      <ul>
        ${scopes.map((scope) => html`<li>${scope}</li>`)}
      </ul>
      <form method="post" action="${target}">
        <input type="hidden" name="consent" value="${createFormToken(listQuestion(query))}" />
        <p>
          <label>
            You are
            <select name="user">
              ${users.map((user) => html`<option value="${user.email}">${user.name} (${user.email})</option>`)}
            </select>
          </label>
        </p>
        <button name="decision" value="approve">Allow</button>
        <button name="decision" value="deny">Do not allow</button>
      </form>`,
  );
}

/** Returns the address that the browser is redirected to. */
export function decide(service: Service, query: Query, form: Query): string {
  const request = readRequest(service, query);
  if (!isFormToken(form["consent"], listQuestion(query)))
    throw createBadRequestError("This request does not come from the consent page: open that page again.");
  if (getText(form, "decision") !== "approve") return goBack(request, { error: "access_denied" });
  const user = findUser(service, getText(form, "user") ?? "");
  if (user === undefined) throw createBadRequestError("There is no such user.");
  return goBack(request, { code: issueCode(service, user, request.client, request) });
}

/** What a decision must belong to: the same request. */
const listQuestion = (query: Query) => Object.entries(query).sort();
