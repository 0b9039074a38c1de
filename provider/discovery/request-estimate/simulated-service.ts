/**
 * Simulates the service: contains the objects of the state, accepts every request, and counts the requests. The provider's own code
 * sends it the same requests as the real one.
 */
import { countPageRequests, type WorkspaceAutomationClient } from "../../../client/index.js";
import { convertToSent, requestBody, toSnakeCase } from "../../../resources/definition/api-names.js";
import { Context } from "../../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../../resources/definition/definition.js";
import { ReadCache } from "../../../resources/definition/read-cache.js";

/** A known object. */
export interface KnownObject {
  readonly definition: Definition;
  /** Arguments and outputs. */
  readonly state: Fields;
}

export interface Count {
  readonly reads: number;
  readonly writes: number;
}

/** The first id of objects that are created here. The service's own ids are smaller. */
const FIRST_NUMBER = 9e12;
/** The id of an unknown caller. */
const SOMEBODY = -1;

/** Facts about the real service. */
export interface ServiceFacts {
  readonly workspace: string;
  readonly baseUrl: string;
  readonly callerId?: number;
  /** The number of items of each list in an earlier run, by the key of the list. */
  readonly sizes?: ReadonlyMap<string, number>;
  /** Whether a list or an object was read before, by its key. */
  readonly isRead?: (key: string) => boolean;
}

export class SimulatedService {
  readonly context: Context;
  reads = 0;
  writes = 0;
  private readonly known = new Map<string, KnownObject & { readonly sources: readonly string[] }>();
  /** The names of known objects, by the sources from which they can be read. */
  private readonly sources = new Map<string, Set<string>>();
  /** Keys that were read here, so that repeating the read takes a request. */
  private readonly read = new Set<string>();
  private next = FIRST_NUMBER;

  constructor(private readonly facts: ServiceFacts) {
    const api = createAreas((area, method, args) => this.respond(area, method, args));
    this.context = new Context(api, facts.workspace, facts.baseUrl, new SimulatedReads(this));
  }

  newNumber(): number {
    return this.next++;
  }

  know(name: string, known: KnownObject): void {
    this.forget(name);
    const { definition, state } = known;
    const list = definition.list(this.context, state);
    const ownership = definition.owns?.(this.context, state);
    const sources = [
      ...(list ? [`list ${list.key}`] : []),
      ...(list?.within ? [`within ${list.within.key}`] : []),
      ...(ownership?.isOwned ? [`owned ${ownership.list}`] : []),
      ...definition
        .sources(this.context, state)
        .flatMap(({ kind, key }) => (kind === "single" ? [`single ${key}`] : [])),
      `type ${definition.type}`,
    ];
    this.known.set(name, { ...known, sources });
    for (const source of sources) this.at(source).add(name);
  }

  forget(name: string): void {
    for (const source of this.known.get(name)?.sources ?? []) this.at(source).delete(name);
    this.known.delete(name);
  }

  find(name: string): KnownObject | undefined {
    return this.known.get(name);
  }

  /** All items of a list, read page by page. */
  list(key: string, isSure: boolean): RemoteObject[] {
    const own = this.knownAt(`list ${key}`).map(buildShown);
    const items = [...own, ...this.ownedIn(key).filter(({ id }) => !own.some((one) => one["id"] === id))];
    this.count(key, countPageRequests(Math.max(items.length, this.facts.sizes?.get(key) ?? 0), isSure));
    return items;
  }

  /** A single object, with the lists that are a part of it. */
  single(key: string): RemoteObject {
    this.count(key, 1);
    const caller = this.facts.callerId ?? SOMEBODY;
    if (key === "user") return { id: caller };
    if (key === `members/${caller}`) return { id: caller, admin: true };
    const [found] = this.knownAt(`single ${key}`);
    const parts: Record<string, KnownObject[]> = {};
    for (const one of this.knownAt(`within ${key}`)) {
      const part = one.definition.list(this.context, one.state)?.within?.part;
      if (part !== undefined) (parts[part] ??= []).push(one);
    }
    const shownParts = Object.entries(parts).map(([part, items]) => [
      part,
      this.inOrder(items).map(buildShown),
    ]);
    return { ...(found ? buildShown(found) : {}), ...(Object.fromEntries(shownParts) as RemoteObject) };
  }

  private count(key: string, requests: number): void {
    const isKnown = !this.read.has(key) && this.facts.isRead?.(key) === true;
    this.read.add(key);
    if (!isKnown) this.reads += requests;
  }

  private at(source: string): Set<string> {
    const names = this.sources.get(source) ?? new Set();
    this.sources.set(source, names);
    return names;
  }

  private knownAt(source: string): KnownObject[] {
    return [...(this.sources.get(source) ?? [])].flatMap((name) => this.known.get(name) ?? []);
  }

  /** The items of a list that an object owns (exclusive-ownership.ts). */
  private ownedIn(key: string): RemoteObject[] {
    return this.knownAt(`owned ${key}`).flatMap(({ definition, state }) =>
      (definition.owns?.(this.context, state)?.objects ?? []).map(({ identity }) => ({ id: identity })),
    );
  }

  /** The items of an ordered list, in the order of its owner. Items that it does not name come last. */
  private inOrder(items: readonly KnownObject[]): KnownObject[] {
    const order = items[0]?.definition.document?.order;
    if (order === undefined) return [...items];
    const numberOf = ({ definition, state }: KnownObject) => String(state[definition.identity.state]);
    const numbers = new Set(items.map(numberOf));
    const owned = this.knownAt(`type ${order.type}`)
      .map((owner) => (owner.state[order.items] as readonly unknown[]).map(String))
      .find((list) => list.some((number) => numbers.has(number)));
    const positions = new Map(owned?.map((number, position) => [number, position]));
    const positionOf = (item: KnownObject) => positions.get(numberOf(item)) ?? positions.size;
    return items.toSorted((a, b) => positionOf(a) - positionOf(b));
  }

  /** A request without the read cache. */
  private respond(area: string, method: string, args: readonly unknown[]): unknown {
    if (method === "get") {
      this.reads++;
      const number = args.at(-1);
      const found = [...this.known.values()].find(
        ({ definition, state }) =>
          getArea(definition) === area && state[definition.identity.state] === number,
      );
      return Promise.resolve(found ? buildShown(found) : { id: number });
    }
    this.writes++;
    const body = args.find((arg) => typeof arg === "object" && arg !== null) as RemoteObject | undefined;
    return Promise.resolve({ id: this.newNumber(), ...body });
  }
}

/** The read cache of the simulated service. */
class SimulatedReads extends ReadCache {
  constructor(private readonly service: SimulatedService) {
    super();
  }

  override list<T extends object>(key: string, _load: unknown, isSure = false): Promise<readonly T[]> {
    return super.list(key, () =>
      Promise.resolve({
        items: this.service.list(key, isSure) as readonly object[] as readonly T[],
        end: "proven" as const,
      }),
    );
  }

  override single<T extends object>(key: string): Promise<T> {
    return super.single(key, () => Promise.resolve(this.service.single(key) as object as T));
  }
}

/** A client whose calls are passed to a function. */
function createAreas(
  respond: (area: string, method: string, args: readonly unknown[]) => unknown,
): WorkspaceAutomationClient {
  const methods = (area: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...args: unknown[]) =>
            respond(area, String(method), args),
      },
    );
  return new Proxy({}, { get: (_, area) => methods(String(area)) }) as WorkspaceAutomationClient;
}

/** `project member` → `projectMembers`: the client's areas have the names of the types' nouns. */
function getArea({ noun }: Definition): string {
  return `${noun.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}s`;
}

/** A known object as the service would show it. */
function buildShown({ definition, state }: KnownObject): RemoteObject {
  const outputs = Object.entries(definition.outputs).flatMap(([name, { apiName }]) =>
    apiName === undefined || state[name] === undefined ? [] : [[apiName, state[name]] as const],
  );
  const names = Object.keys(state).filter((name) => name in definition.args.shape);
  const { identity } = definition;
  return {
    ...Object.fromEntries(names.map((name) => [toSnakeCase(name), state[name]])),
    ...requestBody(definition, convertToSent(definition, state), names, true),
    ...Object.fromEntries(outputs),
    [identity.apiName]: state[identity.state],
  };
}
