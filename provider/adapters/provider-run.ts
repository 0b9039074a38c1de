/** One operation of an engine. The providers of all objects share its session, so each object is read once, and its journal. */
import type { Permit } from "../../client/index.js";
import { openHomeJournal } from "../../recovery/home-journal.js";
import type { Journal, JournaledChange } from "../../recovery/journal.js";
import type { RunJournal } from "../../recovery/run-journal.js";
import type { SharedReadCache } from "../../resources/definition/read-cache.js";
import { PartialCreation, ProviderError } from "../../resources/errors.js";
import { refuseConfiguration } from "../../trust/variables.js";
import { type Connection, connectionKeys, resolveConnection } from "../connection/connection.js";
import { getCredentialsFile, readCredentials } from "../connection/credentials.js";
import { debugWriter } from "../connection/debug.js";
import { createWaitPrinter } from "../connection/progress-line.js";
import { openRequestCounter } from "../connection/request-counter.js";
import { Session } from "../connection/session.js";
import { wasNotCreated } from "../existence/candidates.js";
import { type DeclaredReferences, RegisteredReferences } from "./declared-references.js";
import { Interruption } from "./interruption.js";
import type { OpenArguments } from "./open-arguments.js";
import type { PermittedOperations } from "./permitted-operations.js";
import type { PlannedArguments } from "./planned-arguments.js";

/** What surrounds the providers of a run. */
export interface ProviderEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shows a line to the user. */
  readonly print: (line: string) => void;
  /** Objects that the command has already read. */
  readonly reads?: SharedReadCache | undefined;
  /** The connection that the command has found. Otherwise, it is that of the stack's configuration, the environment or a login. */
  readonly connection?: Connection | undefined;
  /** The operation only plans or reads: the provider refuses every write. */
  readonly dry?: boolean | undefined;
  /** Settles when the engine may work on its state. What it throws ends the operation. */
  readonly begin?: (() => Promise<void>) | undefined;
  /** The only operations that the run may perform; absent without a checked plan. */
  readonly permitted?: PermittedOperations | undefined;
  /** Receives the arguments of what a preview plans. */
  readonly planned?: PlannedArguments | undefined;
  /** Receives what reports may show of arguments that are secret for the engine. */
  readonly open?: OpenArguments | undefined;
  /** The run still has the lock of its stack. */
  readonly permit?: Permit | undefined;
  /** The text of the state of the engine that started this process, as far as it can be read. */
  readonly readState?: (() => Promise<string | undefined>) | undefined;
  /** Returns a value of the stack's configuration, where the engine does not pass all of it. */
  readonly config?: ((key: string) => string | undefined) | undefined;
  /** The references to secrets of the workspace file; absent for those of a program. */
  readonly references?: DeclaredReferences | undefined;
}

type Configuration = (key: string) => string | undefined;

export class Run {
  readonly interruption = new Interruption();
  /** The references to secrets that may be opened. */
  readonly references: DeclaredReferences;
  /** Address of the engine, once it has attached to this process. */
  engine: string | undefined;
  /** URNs of the objects that the engine has read, which are in its state. */
  readonly urnsInState = new Set<string>();
  private session: Promise<Session> | undefined;
  private openedJournal: Journal | undefined;
  private stackConfiguration: Configuration = () => undefined;

  /** @param openJournal called when the journal is needed first */
  constructor(
    readonly environment: ProviderEnvironment,
    private readonly openJournal: () => Journal,
  ) {
    this.references = environment.references ?? new RegisteredReferences();
  }

  /**
   * Opens the session. The engine may call other methods before this one has ended, and does not wait for its promise.
   * @param stackConfiguration returns a value by its full key, such as `workspace-automation:token`
   */
  configure(stackConfiguration: Configuration): void {
    this.stackConfiguration = stackConfiguration;
    void this.openSession();
  }

  /** The promise rejects when there is no usable connection; nothing fails before the session is used. */
  openSession(): Promise<Session> {
    if (this.session === undefined) {
      this.session = Promise.resolve().then(() => this.createSession());
      // Every operation awaits it and fails with it, except the preview of a new object.
      this.session.catch((error: Error) =>
        this.environment.print(`nothing is compared with the service, and up will fail: ${error.message}`),
      );
    }
    return this.session;
  }

  /** @throws {ProviderError} when the operation only plans or reads */
  refuseWriteInDryRun(urn: string): void {
    if (this.environment.dry !== true) return;
    throw new ProviderError(
      "refused",
      `${urn.slice(urn.lastIndexOf("::") + 2)} was not created, changed or deleted, because this command only plans or reads`,
      'to apply changes, run "workspacectl up"',
    );
  }

  /** Makes a change with an intent in the journal. */
  async record<T>(change: JournaledChange, work: () => Promise<T>): Promise<T> {
    const intent = await this.journal.change(change);
    try {
      const result = await work();
      intent.handOver();
      return result;
    } catch (error) {
      if (error instanceof PartialCreation) intent.handOver();
      else if (wasNotCreated(error)) intent.close();
      throw error;
    }
  }

  /**
   * Closes the session without waiting for its remaining responses.
   * @param _orderly whether the engine ended by itself, so that it has saved all results
   */
  close(_orderly = false): void {
    this.session?.then((session) => session.abandon()).catch(() => undefined);
  }

  /** The engine was interrupted. */
  cancel(): void {
    this.interruption.cancel();
  }

  private get journal(): Journal {
    return (this.openedJournal ??= this.openJournal());
  }

  private createSession(): Session {
    const { env, print, reads, permit, permitted, connection, readState, config } = this.environment;
    const debug = debugWriter(env, print);
    return new Session(connection ?? this.findConnection(debug), {
      onWait: createWaitPrinter(print),
      debug,
      journal: this.journal,
      requestCounter: openRequestCounter(env),
      env,
      reads,
      permit,
      removals: permitted,
      readState,
      client: { hurry: this.interruption.hurry },
      // A state names workspaces too, and the one of a workspace file may come with a checkout.
      oneWorkspace: connection !== undefined,
      config: (key) => {
        const full = key.includes(":") ? key : `${env["PULUMI_NODEJS_PROJECT"] ?? ""}:${key}`;
        refuseConfiguration(full);
        return this.stackConfiguration(full) ?? config?.(key);
      },
    });
  }

  private findConnection(debug: ((line: string) => void) | undefined): Connection {
    const { env } = this.environment;
    const settings = connectionKeys.map((key) => [
      key,
      this.stackConfiguration(`workspace-automation:${key}`),
    ]);
    return resolveConnection({
      config: Object.fromEntries(settings) as Record<string, string | undefined>,
      env,
      debug,
      credentials: readCredentials(getCredentialsFile(env)),
    });
  }
}

/** The operation of an engine that attaches to a provider of this process. */
export class AttachedRun extends Run {
  private readonly runJournal: RunJournal;

  /** @param journal the one next to the state. Default: the user's own, which ends with the provider. */
  constructor(environment: ProviderEnvironment, journal: RunJournal = openHomeJournal(environment)) {
    super(environment, () => journal);
    this.runJournal = journal;
    journal.engine = () => this.engine;
  }

  /** Requests that were sent end by themselves. A second interrupt stops the command at once. */
  override cancel(): void {
    this.interruption.stopWaiting();
  }

  override close(orderly = false): void {
    if (orderly && !this.runJournal.besideState) this.runJournal.end();
    super.close();
  }
}
