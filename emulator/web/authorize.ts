/** Consent page of OAuth. */
import { createBadRequestError } from "../errors.js";
import type { ClientRow } from "../model.js";
import { type CodeRequest, findClient, issueCode, listAllowedScopes, listGrantableScopes } from "../oauth.js";
import { findUser } from "../operations/people.js";
import type { Service } from "../service.js";
import { createFormToken, isFormToken } from "./form-token.js";
import { html, renderPage } from "./html.js";

/** Consent page, where a user authorizes an OAuth client. The spec documents no such endpoint. */

interface Request extends CodeRequest {
  client: ClientRow;
  state: string | undefined;
}

type Query = Readonly<Record<string, unknown>>;

function getText(query: Query, name: string): string | undefined {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Reads and checks the request. Errors are shown and not redirected, since the redirect address is not trusted before
 * it is checked.
 */
function readRequest(service: Service, query: Query): Request {
  const twice = Object.keys(query).find((name) => typeof query[name] !== "string");
  if (twice !== undefined) throw createBadRequestError(`The parameter ${twice} may be sent once only.`);
  const client = findClient(service, getText(query, "client_id") ?? "");
  if (client === undefined) throw createBadRequestError("The client is not known.");
  const named = getText(query, "redirect_uri");
  const redirectUri = named ?? (client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined);
  if (redirectUri === undefined || !client.redirect_uris.includes(redirectUri)) {
    throw createBadRequestError("The redirect_uri is not one of the client's.");
  }
  if (!client.grant_types.includes("authorization_code") || getText(query, "response_type") !== "code") {
    throw createBadRequestError(
      "The client may ask for response_type code only, with the grant authorization_code.",
    );
  }
  const challenge = getText(query, "code_challenge") ?? null;
  const method = getText(query, "code_challenge_method");
  if (challenge === null ? method !== undefined : method !== "S256") {
    throw createBadRequestError("PKCE needs a code_challenge, with the code_challenge_method S256.");
  }
  if (challenge !== null && !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw createBadRequestError("The code_challenge is not one: base64url of a SHA-256, 43 characters.");
  }
  const scope = getText(query, "scope");
  const scopes = scope === undefined ? listAllowedScopes(client) : listGrantableScopes(client, scope);
  return {
    client,
    redirectUri,
    isNamed: named !== undefined,
    scopes,
    state: getText(query, "state"),
    challenge,
  };
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
  const back = new URL(request.redirectUri);
  if (request.state !== undefined) back.searchParams.set("state", request.state);
  if (getText(form, "decision") !== "approve") {
    back.searchParams.set("error", "access_denied");
    return back.href;
  }
  const user = findUser(service, getText(form, "user") ?? "");
  if (user === undefined) throw createBadRequestError("There is no such user.");
  back.searchParams.set("code", issueCode(service, user, request.client, request));
  return back.href;
}

/** What a decision must belong to: the same request. */
const listQuestion = (query: Query) => Object.entries(query).sort();
