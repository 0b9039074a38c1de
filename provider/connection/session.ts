/** One run of the provider: its connection, and a context for each workspace. */
import {
  type ClientOptions,
  type Permit,
  type ProgressEvent,
  WorkspaceAutomationClient,
} from "../../client/index.js";
import { type Journal, noJournal } from "../../recovery/journal.js";
import { Context, getAddress, type PlannedRemovals } from "../../resources/definition/context.js";
import type { Fields } from "../../resources/definition/definition.js";
import { isImportRun } from "../../resources/definition/import-mode.js";
import { SharedReadCache } from "../../resources/definition/read-cache.js";
import { parseRenames } from "../../resources/definition/renames.js";
import { ProviderError } from "../../resources/errors.js";
import { definitions } from "../../resources/registry.js";
import { Mentioned } from "../crud/deletion-guard.js";
import { KnownObjects } from "../crud/id-references.js";
import type { Connection } from "./connection.js";
import { EngineState } from "./engine-state.js";
import { buildClientOptions } from "./profile.js";
import type { RequestCounter } from "./request-counter.js";
import { readRequestLimits } from "./request-limits.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Options of a session. The defaults are those of a read-only one. */
export interface SessionOptions {
  /** Receives what a request waits for. */
  readonly onWait?: ((event: ProgressEvent) => void) | undefined;
  readonly debug?: ((line: string) => void) | undefined;
  readonly journal?: Journal;
  readonly requestCounter?: RequestCounter | undefined;
  /** Permission to send requests. What it throws ends the operation. */
  readonly permit?: Permit | undefined;
  /** What the plan of the run removes from lists; absent without a checked plan. */
  readonly removals?: PlannedRemovals | undefined;
  /** Settings of the client. */
  readonly client?: Partial<ClientOptions> | undefined;
  readonly env?: Env;
  /** Objects that other sessions of the same command have read from the same connection. */
  readonly reads?: SharedReadCache | undefined;
  /** The text of the state, as far as it can be read. */
  readonly readState?: (() => Promise<string | undefined>) | undefined;
  /** Refuse objects of any other workspace than the connection's. */
  readonly oneWorkspace?: boolean;
  /** Returns a value of the stack's configuration. A key without a namespace belongs to the project. */
  readonly config?: (key: string) => string | undefined;
}

/** Options of a session that only reads: what a command sets for all of its sessions, and what it has read. */
export type ReadingOptions = Pick<
  SessionOptions,
  "client" | "debug" | "env" | "onWait" | "reads" | "requestCounter"
>;

export class Session {
  readonly config: (key: string) => string | undefined;
  /** The protected objects in which the run declares something. */
  readonly mentioned: Mentioned;
  /** What arguments may refer to by id. */
  readonly known = new KnownObjects();
  /** What the engine does: it reads all objects of a refresh before it checks the first declaration of a plan. */
  stage: "begun" | "refreshing" | "planning" = "begun";
  /** The referenced secrets that were changed outside, by type and id of the objects that a refresh has read. */
  readonly secretsOutside = new Map<string, ReadonlySet<string>>();
  private readonly contexts = new Map<string, Context>();
  private readonly client: WorkspaceAutomationClient;
  private readonly journal: Journal;
  private readonly requestCounter: RequestCounter | undefined;
  private readonly env: Env;
  private readonly reads: SharedReadCache;
  private readonly oneWorkspace: boolean;
  private readonly engineState: EngineState;
  private readonly removals: PlannedRemovals | undefined;

  constructor(
    private readonly connection: Connection,
    {
      onWait,
      debug,
      journal = noJournal,
      requestCounter,
      permit,
      removals,
      client,
      env = process.env,
      reads,
      readState,
      oneWorkspace = false,
      config,
    }: SessionOptions = {},
  ) {
    const clock = client?.clock;
    this.config = config ?? (() => undefined);
    this.journal = journal;
    this.requestCounter = requestCounter;
    this.env = env;
    this.oneWorkspace = oneWorkspace;
    this.removals = removals;
    this.reads = reads ?? new SharedReadCache(requestCounter?.listed, clock && (() => clock.now()));
    this.engineState = new EngineState(readState);
    this.mentioned = new Mentioned(
      definitions.filter(({ protect }) => protect !== undefined),
      env,
      this.engineState,
    );
    this.client = new WorkspaceAutomationClient({
      baseUrl: connection.baseUrl,
      token: connection.token,
      credential: connection.credential,
      addressSource: connection.addressSource,
      allowInsecure: connection.allowInsecure,
      ...(debug ? { debug } : {}),
      ...(permit ? { permit } : {}),
      ...(requestCounter ? { onExchange: requestCounter.exchanged } : {}),
      ...(onWait ? { onProgress: onWait } : {}),
      ...readRequestLimits(env),
      ...buildClientOptions(connection.profile?.behavior),
      ...client,
    });
  }

  /**
   * The context of the workspace that these arguments name, or of the connection's.
   * @throws {ProviderError} `other-workspace` when the session has another one
   */
  context(args: Fields): Context {
    const workspace = this.workspaceOf(args);
    if (this.oneWorkspace && workspace !== this.connection.workspace)
      throw new ProviderError(
        "other-workspace",
        `this stack contains an object of workspace ${workspace}, but the command runs for workspace ${this.connection.workspace}; nothing was read or written`,
        `run it for workspace ${workspace} (WORKSPACE_AUTOMATION_DOMAIN, "workspace:" of the file), or choose another stack with --stack`,
      );
    if (workspace === undefined) {
      throw new ProviderError(
        "no-connection",
        "no workspace was specified",
        'write "workspace:" in the workspace file, set WORKSPACE_AUTOMATION_DOMAIN, or run "workspacectl config set workspace-automation:workspace <domain>"',
      );
    }
    const known =
      this.contexts.get(workspace) ??
      new Context(
        this.client,
        workspace,
        this.connection.baseUrl,
        this.reads.of(getAddress(this.connection.baseUrl, workspace)),
        this.journal,
        this.requestCounter?.renamed,
        this.requestCounter?.adopted,
        isImportRun(this.env),
        this.connection.profile?.behavior,
        this.requestCounter?.hidden,
        this.removals,
        (type, id) => this.engineState.contains(type, id),
      );
    // Outside renames of projects that an earlier run has found.
    if (!this.contexts.has(workspace))
      for (const { from, to } of parseRenames(this.env)) known.projectRenamed(from, to);
    this.contexts.set(workspace, known);
    return known;
  }

  /** Name of the connection, if it has one. */
  get connectionName(): string | undefined {
    return this.connection.name;
  }

  /** The workspace of an object with these arguments; undefined if none is known. */
  workspaceOf({ workspace }: Fields): string | undefined {
    return typeof workspace === "string" ? workspace : this.connection.workspace;
  }

  /**
   * The context of an object in the state.
   * @param args new arguments, whose workspace may differ from that of the state
   * @throws {ProviderError} `other-workspace` when the connection points elsewhere: in another account, every object would
   * look deleted
   */
  contextOf(state: Fields, type: string, id: string, args: Fields = {}): Context {
    const context = this.context("workspace" in args ? args : state);
    const { address } = state;
    if (typeof address === "string" && address !== context.address) {
      throw new ProviderError(
        "other-workspace",
        `this stack manages objects of ${address}, such as ${id}, but this connection leads to ${context.address}; nothing was read or written`,
        "Choose the right connection with --connection, or another stack with --stack",
      );
    }
    this.journal.known({ type, address: context.address, id });
    context.noteManaged(type, id);
    return context;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Closes the session before all responses have arrived. Sessions that share its reads do not wait for them. */
  abandon(): Promise<void> {
    for (const { reads } of this.contexts.values()) reads.forgetPending();
    return this.close();
  }
}
