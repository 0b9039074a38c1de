/** One operation of an engine: the providers of all types share a session, and so what was read. */
import { dynamicProvider, openSession, type DynamicProvider, type World } from "./dynamic.js";
import { Interruption } from "./interruption.js";
import type { Journal } from "../recovery/create-journal.js";
import { definitionOf } from "../resources/registry.js";
import type { Session } from "../connection/session.js";

export class Run {
  readonly interruption = new Interruption();
  private opened: Promise<Session> | undefined;
  private readonly providers = new Map<string, DynamicProvider>();

  constructor(
    private readonly world: Omit<World, "journal">,
    private readonly journal: () => Journal,
  ) {}

  /** @param config by full key, such as `workspace-automation:token` */
  configure(config: Readonly<Record<string, unknown>>): void {
    this.opened ??= this.open((key) => {
      const value = config[key];
      return typeof value === "string" ? value : undefined;
    });
  }

  session(): Promise<Session> {
    return (this.opened ??= this.open(() => undefined));
  }

  providerOf(type: string): DynamicProvider {
    const known =
      this.providers.get(type) ?? dynamicProvider(definitionOf(type), () => this.session(), this.world);
    this.providers.set(type, known);
    return known;
  }

  close(): void {
    // Who stopped the engine at once does not wait for answers that nobody takes any more.
    this.opened?.then((session) => session.close()).catch(() => undefined);
  }

  private open(get: (key: string) => string | undefined): Promise<Session> {
    return openSession({ ...this.world, journal: this.journal }, get);
  }
}
