/** The client of the whole API, with one property per area. */
import * as areas from "./api/areas.js";
import { personalToken, type TokenProvider } from "./auth/token.js";
import { connect, type ConnectionOptions } from "./connect.js";
import type { Endpoint } from "./endpoint.js";
import { Http } from "./http.js";
import type { RateLimitState } from "./rate-limit.js";
import type { Transport } from "./transport.js";

export interface ClientOptions extends ConnectionOptions {
  /** A personal access token, or a provider of tokens. */
  token: string | TokenProvider;
}

/** An area with its calls bound to a connection. */
type Bound<Area> = {
  readonly [Name in keyof Area]: Area[Name] extends (http: Http) => infer Call ? Call : never;
};
type Areas = { readonly [Name in keyof typeof areas]: Bound<(typeof areas)[Name]> };

/** One property per area. TypeScript does not see properties that a loop adds, so their type is stated. */
const WithAreas = class {
  constructor(http: Http) {
    for (const [name, area] of Object.entries<Readonly<Record<string, Endpoint<unknown>>>>(areas)) {
      const calls = Object.entries(area).map(([call, bind]) => [call, bind(http)] as const);
      Object.assign(this, { [name]: Object.fromEntries(calls) });
    }
  }
} as new (http: Http) => Areas;

/** The whole API of the Workspace Automation Service; one property per area (`client.groups`). */
export class WorkspaceAutomationClient extends WithAreas {
  readonly #transport: Transport;
  readonly #close: () => Promise<void>;

  constructor(options: ClientOptions) {
    const tokens = typeof options.token === "string" ? personalToken(options.token) : options.token;
    const { transport, close } = connect(options, tokens);
    super(new Http(transport));
    this.#transport = transport;
    this.#close = close;
  }

  /** What is left of the user's requests of this hour, according to the responses so far. */
  get rateLimit(): RateLimitState {
    return this.#transport.limiter().state;
  }

  /** Closes the connections when no other client uses them. A program may also end without it. */
  close(): Promise<void> {
    return this.#close();
  }
}
