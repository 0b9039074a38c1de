/** One operation of an engine. The providers of all types share a session, so each object is read once. */
import { ProviderError } from "../errors.js";
import type { Session } from "../connection/session.js";
import type { Journal } from "../../recovery/journal.js";
import type { ListSource } from "../definition/definition.js";
import { loadItems } from "../definition/lists.js";
import { getDefinition, definitions } from "../resources/registry.js";
import { createDynamicProvider, openSession, type World } from "./dynamic.js";
import type { DynamicProvider } from "./dynamic-provider.js";

export class Run {
  readonly interruption = new Interruption();
  private opened: Promise<Session> | undefined;
  private config: Readonly<Record<string, unknown>> = {};

  constructor(
    private readonly world: Omit<World, "journal">,
    readonly journal: () => Journal,
  ) {}

  /** @param config by full key, such as `workspace-automation:token` */
  configure(config: Readonly<Record<string, unknown>>): void {
    this.config = config;
    void this.session();
  }

  session(): Promise<Session> {
    return (this.opened ??= openSession({ ...this.world, journal: this.journal }, (key) => {
      const value = this.config[key];
      return typeof value === "string" ? value : undefined;
    }));
  }

  /** Begins to read the lists of these types, as far as only the workspace has one, before the engine asks for an object of them. */
  async readAhead(types: ReadonlySet<string>): Promise<void> {
    const context = (await this.session()).context({});
    for (const { type, list, document } of definitions) {
      const parents = Object.keys(document?.under ?? {});
      if (!types.has(type) || !list || parents.length !== 1 || parents[0] !== "workspace") continue;
      // Whoever needs the list gets the error.
      loadItems(context, list(context, {}) as ListSource).catch(() => undefined);
    }
  }

  /** @throws {ProviderError} when the operation only plans or reads */
  refuseWriteInDryRun(): void {
    if (this.world.dry !== true) return;
    throw new ProviderError(
      "refused",
      "this operation only plans or reads, so nothing is created, changed or deleted",
      'apply changes with "workspacectl up"',
    );
  }

  providerOf(type: string, urn: string): DynamicProvider {
    return createDynamicProvider(getDefinition(type), () => this.session(), this.world, urn);
  }

  /** Closes the session without waiting for its remaining responses. */
  close(): void {
    this.opened?.then((session) => session.close()).catch(() => undefined);
  }
}

/** After a cancellation, operations in progress may still end by themselves within this time. */
const GRACE_MS = 5000;

/** Ends operations for which the engine no longer waits: after a cancellation, or after the program's timeout. */
class Interruption {
  private readonly running = new Set<(error: Error) => void>();
  private cancelled = false;

  cancel(): void {
    this.cancelled = true;
    setTimeout(() => {
      for (const end of this.running) end(createCancelledError());
    }, GRACE_MS).unref();
  }

  /**
   * Waits for an operation.
   * @param seconds its timeout; 0: none
   * @throws {ProviderError} `refused` after a cancellation and after the timeout
   */
  async during<T>(operation: string, seconds: number, work: () => Promise<T>): Promise<T> {
    if (this.cancelled) throw createCancelledError();
    let end: (error: Error) => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      end = reject;
      if (seconds > 0)
        timer = setTimeout(() => reject(createTimeoutError(operation, seconds)), seconds * 1000);
    });
    this.running.add(end);
    try {
      return await Promise.race([work(), ended]);
    } finally {
      this.running.delete(end);
      clearTimeout(timer);
    }
  }
}

const REMEDY = "refresh the stack before the next update";

function createCancelledError(): ProviderError {
  return new ProviderError(
    "refused",
    "the run was cancelled; the service may have made the change nevertheless",
    REMEDY,
  );
}

function createTimeoutError(operation: string, seconds: number): ProviderError {
  return new ProviderError(
    "refused",
    `the ${operation} took longer than the ${seconds} s that the resource's customTimeouts allow; the service may have made the change nevertheless`,
    REMEDY,
  );
}
