/** Tokens of an OAuth login: renews them in time, and stores them for the next process. */
import {
  clientCredentials,
  isServiceError,
  OAuthServer,
  type OAuthServerOptions,
  refreshingToken,
  type TokenProvider,
  type Tokens,
  type TokenStore,
} from "../../client/index.js";
import { ProviderError } from "../../resources/errors.js";
import { readCredentials, runLocked, type StoredOAuth, writeChanged } from "./credentials.js";

export interface StoredTokensOptions {
  readonly file: string;
  /** Name of the connection in the file. */
  readonly name: string;
  readonly oauth: StoredOAuth;
  /** How to reach the authorization server. */
  readonly server: Omit<OAuthServerOptions, "clientId" | "clientSecret">;
}

/** The access tokens of a connection. File and network are not used before the first token is requested. */
export function storedTokens({ file, name, oauth, server }: StoredTokensOptions): TokenProvider {
  const { clientId, clientSecret, scopes, grant } = oauth;
  // Two clients of one login share one rate limiter.
  const identity = `login ${name} ${clientId}`;
  let provider: TokenProvider | undefined;
  const open = (): TokenProvider => {
    const state = new OAuthServer({ ...server, clientId, ...(clientSecret ? { clientSecret } : {}) });
    const store = createTokenStore(file, name, clientId);
    return grant === "client_credentials"
      ? clientCredentials(state, scopes, { identity, store })
      : refreshingToken(state, store, { identity });
  };
  return {
    identity,
    async token(options) {
      try {
        return await (provider ??= open()).token(options);
      } catch (error) {
        if (!isServiceError(error, "unauthorized")) throw error;
        throw new ProviderError(
          "no-connection",
          `the login of connection ${name} is no longer valid: ${error.message}`,
          `Run "workspacectl login --connection ${name}"`,
          { cause: error },
        );
      }
    },
  };
}

/** The connection's entry in the file. Tokens are saved under the lock, and only while the login is the same. */
function createTokenStore(file: string, name: string, clientId: string): TokenStore {
  return {
    load() {
      const oauth = readCredentials(file).connections[name]?.oauth;
      return Promise.resolve(oauth?.clientId === clientId ? (oauth.tokens as Tokens | undefined) : undefined);
    },
    save: (tokens) =>
      writeChanged(file, ({ connections }) => {
        const oauth = connections[name]?.oauth;
        // Logged out in the meantime: the tokens must not come back.
        if (oauth?.clientId !== clientId) return false;
        oauth.tokens = { ...tokens };
      }),
    exclusively: (work) => runLocked(file, work),
  };
}
