import { areas } from "./api/registry.js";
import { personalToken, type TokenProvider } from "./auth/token.js";
import { connect, type ConnectionOptions } from "./connect.js";
import { Http } from "./http.js";
import type { RateLimitState } from "./rate-limit.js";
import type { Transport } from "./transport.js";

export interface ClientOptions extends ConnectionOptions {
  /** A personal access token, or where tokens come from. */
  token: string | TokenProvider;
}

type Areas = { readonly [Name in keyof typeof areas]: InstanceType<(typeof areas)[Name]> };

/** One property per area. TypeScript cannot see properties that a loop makes, so their type is stated. */
const WithAreas = class {
  constructor(http: Http) {
    for (const [name, Area] of Object.entries(areas)) Object.assign(this, { [name]: new Area(http) });
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

  /** What is left of the user's requests of this hour, as far as the answers so far told. */
  get rateLimit(): RateLimitState {
    return this.#transport.limiter().state;
  }

  /** Closes the connections when no other client uses them. A program may also end without it. */
  close(): Promise<void> {
    return this.#close();
  }
}
