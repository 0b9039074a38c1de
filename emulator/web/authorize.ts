import { ServiceError } from "../errors.js";
import { findUser } from "../operations/people.js";
import type { ClientRow } from "../model.js";
import { findClient, issueCode, parseScopes } from "../oauth.js";
import { scopes as allScopes, type Scope } from "../scopes.js";
import type { Service } from "../service.js";
import { html, page } from "./html.js";

/** The authorize page: who are you, and may this client act for you? The spec documents no such endpoint. */
interface Request {
  client: ClientRow;
  redirectUri: string;
  /** Whether the client named the address itself, and so must name it again for the token. */
  isNamed: boolean;
  scopes: readonly Scope[];
  state: string | undefined;
  challenge: string | null;
}

type Query = Readonly<Record<string, unknown>>;

const refuse = (message: string): ServiceError => new ServiceError(400, message);

function text(query: Query, name: string): string | undefined {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What is asked. Before the client and its address are known to be sound nothing may be redirected. */
function read(service: Service, query: Query): Request {
  const client = findClient(service, text(query, "client_id") ?? "");
  if (client === undefined) throw refuse("The client is not known.");
  const named = text(query, "redirect_uri");
  const redirectUri = named ?? (client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined);
  if (redirectUri === undefined || !client.redirect_uris.includes(redirectUri)) {
    throw refuse("The redirect_uri is not one of the client's.");
  }
  if (!client.grant_types.includes("authorization_code") || text(query, "response_type") !== "code") {
    throw refuse("The client may ask for response_type code only, with the grant authorization_code.");
  }
  const challenge = text(query, "code_challenge") ?? null;
  if (challenge !== null && text(query, "code_challenge_method") !== "S256") {
    throw refuse("The code_challenge_method must be S256.");
  }
  const scope = text(query, "scope");
  const scopes = scope === undefined ? allScopes : parseScopes(scope);
  return {
    client,
    redirectUri,
    isNamed: named !== undefined,
    scopes,
    state: text(query, "state"),
    challenge,
  };
}

/** The page with the question. @throws ServiceError when the request is not sound. */
export function authorizePage(service: Service, query: Query, target: string): string {
  const { client, redirectUri, scopes } = read(service, query);
  const users = [...service.store.users.all()].filter((user) => user.name !== null);
  return page(
    `${client.client_name} asks for access`,
    [],
    html`<p>It will be sent to ${redirectUri} and may use these scopes:</p>
      <ul>
        ${scopes.map((scope) => html`<li>${scope}</li>`)}
      </ul>
      <form method="post" action="${target}">
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

/** Where the browser goes after the answer. */
export function decide(service: Service, query: Query, form: Query): string {
  const request = read(service, query);
  const target = new URL(request.redirectUri);
  if (request.state !== undefined) target.searchParams.set("state", request.state);
  if (text(form, "decision") !== "approve") {
    target.searchParams.set("error", "access_denied");
    return target.href;
  }
  const user = findUser(service, text(form, "user") ?? "");
  if (user === undefined) throw refuse("There is no such user.");
  const { client, scopes, challenge, isNamed, redirectUri } = request;
  const code = issueCode(service, user, client, scopes, isNamed ? redirectUri : null, challenge);
  target.searchParams.set("code", code);
  return target.href;
}
