import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { Tokens } from "./auth.js";
import { Clock } from "./clock.js";
import { Faults, type Fault } from "./faults.js";
import { Journal } from "./journal.js";
import { Linker } from "./links.js";
import { settingsOf, type EmulatorOptions, type Settings } from "./options.js";
import { findUser } from "./operations/people.js";
import { RateLimiter } from "./rate-limit.js";
import { routes } from "./routes/index.js";
import { scopes, type Scope } from "./scopes.js";
import { applySeed } from "./seed.js";
import { checkSeed, defaultSeed, readSeed, type FullSeed } from "./seed-schema.js";
import { createServer, insideHeader } from "./server.js";
import type { Service } from "./service.js";
import { Store } from "./store.js";
import { randomSecret } from "./vault.js";

/** A request made behind the back of whoever is under test. */
export interface OutsideEdit {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base path, with query. */
  path: string;
  body?: unknown;
  /** E-mail of the user who does it; default the principal. All scopes are granted. */
  user?: string;
}

/** A running emulator of the service, and the hands on it that a test has. */
export interface Emulator {
  /** Base address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** A personal access token of the principal: all scopes; owner of the first workspace unless the seed says otherwise. */
  readonly token: string;
  /** Domain of the first workspace. */
  readonly workspace: string;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  /** What the spec leaves open; may be changed at any time. */
  readonly settings: Settings;
  /** Forget everything and begin with the seed again. `token` stays the same. */
  reset(): Promise<void>;
  setApiEnabled(domain: string, enabled: boolean): Promise<void>;
  /** Make a personal access token. Scopes default to all; the user, by e-mail, must exist. */
  createToken(options: {
    user?: string;
    scopes?: readonly Scope[];
    expiresInSeconds?: number;
  }): Promise<string>;
  /** Do something that is neither counted, nor delayed, nor in the journal. */
  edit(request: OutsideEdit): Promise<{ status: number; body: unknown }>;
  /** How many requests the user (by e-mail; default the principal) has left in the window. */
  setRemaining(remaining: number, user?: string): void;
  /** Stop listening and close the data. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Start the service on this machine.
 * @throws SeedError when the seed is not one; Error when the port or the data directory is in use.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const seed = await seedOf(options.seed);
  const running = await RunningEmulator.open(options, seed);
  try {
    await running.listen();
  } catch (error) {
    await running.close();
    throw error;
  }
  return running;
}

async function seedOf(seed: EmulatorOptions["seed"]): Promise<FullSeed> {
  if (seed === undefined) return structuredClone(defaultSeed);
  return typeof seed === "string" ? readSeed(seed) : checkSeed(seed);
}

class RunningEmulator implements Emulator {
  readonly faults: Faults;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: Settings;
  baseUrl = "";
  private readonly insideKey = randomSecret();
  private readonly app: FastifyInstance;
  private readonly basePath: string;
  private closed: Promise<void> | undefined;

  private constructor(
    private readonly options: EmulatorOptions,
    private readonly seed: FullSeed,
    private readonly service: Service,
  ) {
    ({ faults: this.faults, journal: this.journal, clock: this.clock, settings: this.settings } = service);
    this.basePath = (options.basePath ?? "").replace(/\/+$/, "").replace(/^(?=[^/])/, "/");
    this.app = createServer(service, routes, { basePath: this.basePath, insideKey: this.insideKey });
  }

  static async open(options: EmulatorOptions, seed: FullSeed): Promise<RunningEmulator> {
    const store = await Store.open(options.dataDir);
    const clock = options.clock ?? new Clock();
    const service: Service = {
      store,
      clock,
      tokens: new Tokens(store, clock),
      limiter: new RateLimiter(clock, options.rateLimit ?? 5000, options.rateWindowSeconds ?? 3600),
      settings: settingsOf(options),
      journal: new Journal(),
      faults: new Faults(),
      links: new Linker("http://localhost", ""),
      seedFiles: [],
    };
    const running = new RunningEmulator(options, seed, service);
    try {
      if (store.isEmpty) await running.plant();
    } catch (error) {
      await store.close();
      throw error;
    }
    return running;
  }

  get token(): string {
    const { store } = this.service;
    const row = store.tokens.need(this.meta.principalTokenId);
    return store.vault.open(row.sealed ?? "");
  }

  get workspace(): string {
    return this.service.store.workspaces.need(this.meta.workspaceId).domain;
  }

  async listen(): Promise<void> {
    const { host = "127.0.0.1", port = 0, publicOrigin } = this.options;
    await this.app.listen({ host, port });
    const address = this.app.server.address() as AddressInfo;
    const name = host.includes(":") ? `[${host}]` : host === "0.0.0.0" ? "127.0.0.1" : host;
    const origin = publicOrigin?.replace(/\/+$/, "") ?? `http://${name}:${address.port}`;
    this.service.links = new Linker(origin, this.basePath);
    this.baseUrl = this.service.links.api;
  }

  async reset(): Promise<void> {
    const { store, tokens, limiter } = this.service;
    const { token } = this;
    store.clear();
    const [principal] = this.seed.users;
    if (principal !== undefined) principal.tokens[0] = { ...principal.tokens[0], token };
    tokens.reload();
    limiter.clear();
    this.faults.clear();
    this.journal.clear();
    await this.plant();
  }

  async setApiEnabled(domain: string, enabled: boolean): Promise<void> {
    const { store } = this.service;
    const workspace = store.workspaces.byKey(0, domain);
    if (workspace === undefined) throw new Error(`There is no workspace '${domain}'`);
    workspace.apiEnabled = enabled;
    store.workspaces.update(workspace);
    await store.commit();
  }

  async createToken({
    user,
    scopes: granted = scopes,
    expiresInSeconds,
  }: Parameters<Emulator["createToken"]>[0]): Promise<string> {
    const { token } = this.service.tokens.create({
      user: this.userOf(user),
      kind: "personal",
      scopes: granted,
      expiresInSeconds,
    });
    await this.service.store.commit();
    return token;
  }

  async edit({ method, path, body, user }: OutsideEdit): Promise<{ status: number; body: unknown }> {
    const { tokens } = this.service;
    const { token, row } = tokens.create({ user: this.userOf(user), kind: "personal", scopes });
    try {
      const answer = await this.app.inject({
        method,
        url: this.basePath + path,
        headers: { authorization: `Bearer ${token}`, [insideHeader]: this.insideKey },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return { status: answer.statusCode, body: answer.payload === "" ? undefined : answer.json() };
    } finally {
      tokens.remove(row);
      await this.service.store.commit();
    }
  }

  setRemaining(remaining: number, user?: string): void {
    this.service.limiter.setRemaining(this.userOf(user).id, remaining);
  }

  close(): Promise<void> {
    this.closed ??= (async () => {
      await this.app.close();
      this.clock.stop();
      await this.service.store.close();
    })();
    return this.closed;
  }

  private get meta() {
    const [meta] = this.service.store.meta.of(0);
    if (meta === undefined) throw new Error("The emulator holds no data");
    return meta;
  }

  private userOf(email?: string) {
    const { store } = this.service;
    const user =
      email === undefined
        ? store.users.need(store.tokens.need(this.meta.principalTokenId).userId)
        : findUser(this.service, email);
    if (user === undefined) throw new Error(`There is no user ${String(email)}`);
    return user;
  }

  private async plant(): Promise<void> {
    applySeed(this.service, this.seed);
    await this.service.store.commit();
  }
}

export type { Fault };
