/** Starts and stops an emulator. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { Tokens } from "./auth.js";
import { Clock } from "./clock.js";
import { createDefaultSeed } from "./default-seed.js";
import { generateSecret, isGenerated } from "./encryption.js";
import { scopes } from "./enums.js";
import { Executions } from "./executions.js";
import { Faults } from "./fault-injection.js";
import { checkGateOptions, Gate, isLoopback } from "./gate.js";
import { Repositories } from "./git/repositories.js";
import type { Emulator, OutsideEdit } from "./handle.js";
import { formatHostInUrl, Linker } from "./links.js";
import { ListReadings } from "./list-readings.js";
import type { Outcome } from "./model.js";
import { findUser } from "./operations/people.js";
import { seedRepository } from "./operations/repository.js";
import type { EmulatorOptions } from "./options.js";
import { readSettings } from "./profile.js";
import { RateLimiter } from "./rate-limit.js";
import { Replica } from "./replica.js";
import { RequestLog } from "./request-log.js";
import { internalHeader } from "./request-state.js";
import { routes, tables } from "./resources/list-of-resources.js";
import { Schedules } from "./schedules.js";
import { applySeed } from "./seed.js";
import { checkSeed, type FullSeed, readSeed } from "./seed-schema.js";
import { createServer } from "./server.js";
import type { Service } from "./service.js";
import type { Settings } from "./settings.js";
import { openStore } from "./store.js";
import { authorizePath, registerWeb } from "./web/register-web.js";

/**
 * Starts the emulator.
 * @throws SeedError when the seed is invalid.
 * @throws Error when the port or the data directory is in use.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const seed = await loadSeed(options.seed);
  const emulator = await EmulatorInstance.open(options, seed);
  try {
    await emulator.listen();
  } catch (error) {
    await emulator.close();
    throw error;
  }
  return emulator;
}

async function loadSeed(seed: EmulatorOptions["seed"]): Promise<FullSeed> {
  if (seed === undefined) return createDefaultSeed();
  return typeof seed === "string" ? readSeed(seed) : checkSeed(seed);
}

/** Grace period for requests in progress when the emulator closes. */
const closeMilliseconds = 2000;

/** Implementation of the handle. */
class EmulatorInstance implements Emulator {
  readonly faults: Faults;
  readonly journal: RequestLog;
  readonly clock: Clock;
  readonly settings: Settings;
  baseUrl = "";
  private readonly internalKey = generateSecret();
  private readonly app: FastifyInstance;
  private readonly basePath: string;
  private closed: Promise<void> | undefined;

  private constructor(
    private readonly options: EmulatorOptions,
    private readonly seed: FullSeed,
    private readonly service: Service,
  ) {
    ({ faults: this.faults, requestLog: this.journal, clock: this.clock, settings: this.settings } = service);
    this.basePath = (options.basePath ?? "").replace(/\/+$/, "").replace(/^(?=[^/])/, "/");
    this.app = createServer(service, routes, { basePath: this.basePath, internalKey: this.internalKey });
    registerWeb(
      this.app,
      service,
      routes,
      (userId) => (method, path, body) => this.requestInternally(userId, { method, path, body }),
    );
  }

  static async open(options: EmulatorOptions, seed: FullSeed): Promise<EmulatorInstance> {
    checkGateOptions(options);
    const store = await openStore(tables, options.dataDir);
    const clock = options.clock ?? new Clock();
    // The runner and the schedules are added below because they need the service themselves.
    const parts: Omit<Service, "runner" | "schedules"> = {
      store,
      clock,
      tokens: new Tokens(store, clock),
      limiter: new RateLimiter(clock, options.rateLimit ?? 5000, options.rateWindowSeconds ?? 3600),
      settings: readSettings(options),
      listReadings: new ListReadings(),
      replica: new Replica(store),
      requestLog: new RequestLog(),
      faults: new Faults(),
      gate: new Gate(options),
      links: new Linker("http://localhost", ""),
      repositories: new Repositories(options.dataDir),
      seedFiles: [],
    };
    const service = parts as Service;
    service.runner = new Executions(service);
    service.schedules = new Schedules(service);
    const { token } = options;
    const ownSeed = token === undefined ? seed : withToken(seed, token);
    const emulator = new EmulatorInstance(options, ownSeed, service);
    try {
      if (store.meta.size === 0) await emulator.applySeed();
      else if (token !== undefined) await emulator.adoptToken(token);
      service.gate.knowsToken = token !== undefined || hasChosenToken(seed) || hasStoredToken(service);
      service.runner.resume();
      service.schedules.planAll();
    } catch (error) {
      await store.close();
      throw error;
    }
    return emulator;
  }

  get token(): string {
    const { store } = this.service;
    const row = store.tokens.require(this.meta.principalTokenId);
    return store.encryption.decrypt(row.sealed ?? "");
  }

  get authorizeUrl(): string {
    return this.service.links.origin + authorizePath;
  }

  get webUrl(): string {
    return this.service.links.web;
  }

  get isPublic(): boolean {
    return !isLoopback(this.options.host ?? "127.0.0.1");
  }

  get key(): string | undefined {
    return this.service.gate.key;
  }

  get workspace(): string {
    return this.service.store.workspaces.require(this.meta.workspaceId).domain;
  }

  async listen(): Promise<void> {
    if (this.options.control === true) {
      const { registerControl } = await import("./control.js");
      registerControl(this.app, this, this.service.gate);
    }
    const { host = "127.0.0.1", port = 0, publicOrigin } = this.options;
    await this.app.listen({ host, port });
    const address = this.app.server.address() as AddressInfo;
    const origin = publicOrigin?.replace(/\/+$/, "") ?? `http://${formatHostInUrl(host)}:${address.port}`;
    this.service.links = new Linker(origin, this.basePath);
    this.baseUrl = this.service.links.api;
  }

  async reset(): Promise<void> {
    const { store, tokens, limiter, replica } = this.service;
    const { token } = this;
    this.service.runner.stop();
    this.service.schedules.stop();
    store.clear();
    replica.drop();
    const [principal] = this.seed.users;
    if (principal !== undefined) principal.tokens[0] = { ...principal.tokens[0], token };
    tokens.reload();
    limiter.clear();
    this.faults.clear();
    this.journal.clear();
    await this.service.repositories.clear();
    await this.applySeed();
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

  edit(request: OutsideEdit): Promise<{ status: number; body: unknown }> {
    return this.requestInternally(this.userOf(request.user).id, request);
  }

  setRemaining(remaining: number, user?: string): void {
    this.service.limiter.setRemaining(this.userOf(user).id, remaining);
  }

  async setOutcomes(pipelineId: number, outcomes: readonly Outcome[]): Promise<void> {
    const { store } = this.service;
    const pipeline = store.pipelines.get(pipelineId);
    if (pipeline === undefined) throw new Error(`There is no pipeline ${pipelineId}`);
    pipeline.outcomes = [...outcomes];
    store.pipelines.update(pipeline);
    await store.commit();
  }

  close(): Promise<void> {
    this.closed ??= (async () => {
      // Lets requests in progress finish, and closes connections that do not end in time.
      const cut = setTimeout(() => this.app.server.closeAllConnections(), closeMilliseconds);
      await this.app.close();
      clearTimeout(cut);
      this.service.runner.stop();
      this.service.schedules.stop();
      await this.service.store.close();
      await this.service.repositories.close();
    })();
    return this.closed;
  }

  /** Sends a request from the emulator to itself. */
  private async requestInternally(
    userId: number,
    { method, path, body }: OutsideEdit,
  ): Promise<{ status: number; body: unknown }> {
    const response = await this.app.inject({
      method,
      url: this.basePath + path,
      headers: { [internalHeader]: `${this.internalKey}:${userId}` },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: response.statusCode, body: response.payload === "" ? undefined : response.json() };
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
        ? store.users.require(store.tokens.require(this.meta.principalTokenId).userId)
        : findUser(this.service, email);
    if (user === undefined) throw new Error(`There is no user ${String(email)}`);
    return user;
  }

  /** Makes a token the reported one, for data that were created with another token. */
  private async adoptToken(token: string): Promise<void> {
    const { store, tokens } = this.service;
    const user = this.userOf();
    const row =
      tokens.find(token) ?? tokens.create({ user, kind: "personal", scopes, token, remember: true }).row;
    if (row.userId !== user.id || row.kind !== "personal" || row.sealed === null)
      throw new Error("the token is in use for something else in the stored data: choose another one");
    this.meta.principalTokenId = row.id;
    store.meta.update(this.meta);
    await store.commit();
  }

  private async applySeed(): Promise<void> {
    applySeed(this.service, this.seed);
    for (const files of this.service.seedFiles.splice(0)) await seedRepository(this.service, files);
    await this.service.store.commit();
  }
}

function hasChosenToken({ users }: FullSeed): boolean {
  return users.some(({ tokens }) => tokens.some(({ token }) => token !== undefined));
}

/** Whether an earlier start has stored a token that somebody chose. */
function hasStoredToken({ store }: Service): boolean {
  return [...store.tokens.all()].some(
    ({ sealed }) => sealed !== null && !isGenerated(store.encryption.decrypt(sealed)),
  );
}

/** Returns the seed with this token as the principal's first one, which is the reported one. */
function withToken(seed: FullSeed, token: string): FullSeed {
  const [principal, ...others] = seed.users;
  if (principal === undefined) return seed;
  const own = principal.tokens.find((each) => each.token === token) ?? { token };
  return {
    ...seed,
    users: [{ ...principal, tokens: [own, ...principal.tokens.filter((each) => each !== own)] }, ...others],
  };
}
