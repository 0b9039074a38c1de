/** Everything that is in a workspace: each list read to its end, each object with all that the service shows of it. */
import pLimit from "p-limit";
import { escapeKey } from "../definition/logical-name.js";
import { kindsUnder, WORKSPACE, type DocumentKind as Kind } from "../definition/placement.js";
import { ServiceError, type ClientOptions } from "../../client/index.js";
import { unseenArgs } from "../definition/comparable.js";
import type { Connection } from "../connection/connection.js";
import type { Context } from "../definition/context.js";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { withRemote } from "../crud/target.js";
import { idOf } from "../crud/state.js";
import { gather, listed } from "../crud/remote-object.js";
import { definitions } from "../resources/registry.js";
import { Session } from "../connection/session.js";
import { inside, listsSiblings } from "./unmanaged.js";
import { isComplete, shownArgs, withNames } from "./arguments.js";
import { hiddenOf, type ExpectedName } from "./masked.js";
import { resumed, type Checkpoint, type Recalled, type Resume } from "./checkpoint.js";
import { declarableNames, type KnownNames } from "./known-names.js";

/** An object that is there. */
export interface DiscoveredObject {
  readonly definition: Definition;
  /** Logical name that it would have in a workspace file, and the key in it. */
  readonly name: string;
  readonly key: string;
  /** What the service shows of it, by argument; references by name where one name is one object. */
  readonly args: Fields;
  /** What else the service says of it: its number, its web address, the name of a person. */
  readonly outputs: Fields;
  /** Arguments that the service was to show of it, and did not. */
  readonly unseen: readonly string[];
}

/** Something that could not be read, or that no file could say. */
export interface Gap {
  readonly type: string;
  /** The object, or the one in which they are; absent for the workspace. */
  readonly name?: string;
  /** The name of the only objects that it is about, where it names what they are in. */
  readonly only?: string;
  readonly reason: string;
}

export interface Discovery {
  readonly workspace: string;
  readonly address: string;
  /** What stands in others comes after them; lists with an order have theirs, all else is sorted by name. */
  readonly objects: readonly DiscoveredObject[];
  /** What is there and nobody has to declare: the service made it by itself, or it is the caller's own. */
  readonly omitted: readonly DiscoveredObject[];
  /** Sections that were read to their end, such as `projects/web/pipelines`: what is not in them is not there. */
  readonly sections: ReadonlySet<string>;
  readonly gaps: readonly Gap[];
  /** What of an earlier survey was used. */
  readonly recalled?: Recalled;
}

export interface DiscoveryOptions {
  /** Whether to look for objects of this kind, and for what is in them. */
  readonly enters: (type: string) => boolean;
  /** Whether to look into an object: what is in one that is left out is not read. */
  readonly opens: (type: string, key: string) => boolean;
  /** Names that the service hides. */
  readonly names?: KnownNames;
  /** Objects of the workspace itself that somebody counts on: one that no list shows may only be hidden from the caller. */
  readonly expected?: readonly ExpectedName[];
  /** Told of each object. */
  readonly onObject?: (type: string) => void;
  /** Told of each list, and how many objects are in it. */
  readonly onList?: (type: string, objects: number) => void;
  /** What an interrupted survey of the same has read is not read again. */
  readonly resume?: Resume;
  /** Settings of the client that reads. */
  readonly client?: Partial<ClientOptions>;
}

/** Reads a workspace. Writes nothing. */
export async function discoverWorkspace(
  connection: Connection,
  options: DiscoveryOptions,
  debug?: (line: string) => void,
  print?: (line: string) => void,
): Promise<Discovery> {
  const session = new Session(connection, { print, debug, client: options.client });
  let answers: Checkpoint | undefined;
  try {
    const context = session.context({});
    if (options.resume) answers = await resumed(context, connection, options.resume);
    const names = await declarableNames(context, options.names ?? new Map());
    const walk = new Walk(context, { ...options, names });
    const objects = await walk.below(WORKSPACE, undefined);
    const { gaps, omitted, sections } = walk;
    gaps.push(...(await hiddenOf(context, options.expected ?? [], [...objects, ...omitted])));
    const { workspace, address } = context;
    const recalled = answers?.recalled;
    answers?.drop();
    return { workspace, address, objects, omitted, sections, gaps, ...(recalled ? { recalled } : {}) };
  } finally {
    await session.close();
  }
}

/** An object in which others are. */
interface Holder {
  readonly name: string;
  readonly id: string;
  readonly outputs: Fields;
}

interface Found extends Holder {
  readonly surveyed: DiscoveredObject;
}

/** So many of one list are looked into at the same time: enough for the client, which sends fewer requests at once. */
const OPENED_AT_A_TIME = 8;

class Walk {
  readonly gaps: Gap[] = [];
  readonly omitted: DiscoveredObject[] = [];
  readonly sections = new Set<string>();

  constructor(
    private readonly context: Context,
    private readonly options: DiscoveryOptions & { readonly names: KnownNames },
  ) {}

  /** What stands in an object, and all that is in that. */
  async below(type: string, holder: Holder | undefined, args: Fields = {}): Promise<DiscoveredObject[]> {
    const kinds = kindsUnder(definitions, type).filter(
      (kind) => !kind.ephemeral && this.options.enters(kind.type),
    );
    const sections = await Promise.all(kinds.map((kind) => this.section(kind, type, holder, args)));
    return sections.flat();
  }

  private async section(
    kind: Kind,
    type: string,
    holder: Holder | undefined,
    holderArgs: Fields,
  ): Promise<DiscoveredObject[]> {
    const { document } = kind;
    const arg = document.under[type];
    const state = holder === undefined || typeof arg !== "string" ? {} : inside(kind, arg, holder);
    if (!listsSiblings(kind, this.context, state)) return [];
    const list = kind.list(this.context, state)!;
    const items = await this.reading(kind, holder?.name, () => listed(this.context, list));
    if (items !== undefined) this.sections.add(sectionUnder(holder, kind));
    this.options.onList?.(kind.type, items?.length ?? 0);
    const found = await Promise.all((items ?? []).map((item) => this.object(kind, item, state, holder)));
    const there = found.filter((one) => one !== undefined);
    const own = holderArgs[document.section];
    if (there.length > 0 && Array.isArray(own) && own.length > 0) {
      const reason = `${there.length} ${kind.noun}${there.length === 1 ? "" : "s"} beside its own field "${document.section}": a file cannot say both`;
      this.gap(kind, holder?.name, reason);
      return [];
    }
    const unique = this.withoutTwins(kind, there, holder);
    const ordered = document.form === "list" ? unique : unique.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const atATime = pLimit(OPENED_AT_A_TIME);
    const opened = await atATime.map(ordered, async (one) => {
      const { key, args } = one.surveyed;
      const inIt = this.options.opens(kind.type, key) ? await this.below(kind.type, one, args) : [];
      return [one.surveyed, ...inIt];
    });
    // What is in an object is asked for by nobody else: a large workspace would fill the memory.
    if (holder !== undefined) this.context.reads.forgetBelow(list.key);
    return opened.flat();
  }

  /** The object with all that is shown of it; undefined when the service made it by itself, or it cannot be read. */
  private async object(
    kind: Kind,
    item: RemoteObject,
    state: Fields,
    holder: Holder | undefined,
  ): Promise<Found | undefined> {
    const { context } = this;
    const label = String(item["name"] ?? item["key"] ?? item[kind.identity.apiName]);
    return this.reading(kind, nameUnder(holder, kind, label), async () => {
      if ((await kind.ignoreUnmanaged?.(context, item, state)) !== undefined) {
        this.omitted.push((await this.seen(kind, item, state, holder)).surveyed);
        return undefined;
      }
      const here = withRemote(kind, state, item);
      const target = { definition: kind, context, state: here };
      const remote = (await gather(target, (seen) => isComplete(kind, seen), item)) ?? item;
      this.options.onObject?.(kind.type);
      const found = await this.seen(kind, remote, state, holder);
      return isComplete(kind, remote) ? found : this.withoutHidden(kind, found, here);
    });
  }

  /**
   * Fields without a name of ours that nothing shows. An object that has none looks the same in a list that shows none; only the
   * object itself tells.
   */
  private async withoutHidden(kind: Kind, found: Found, here: Fields): Promise<Found> {
    const { args, unseen, ...surveyed } = found.surveyed;
    const isRest = (name: string) =>
      kind.apiFields[name]?.rest !== undefined && Object.keys(args[name] as Fields).length === 0;
    const rest = Object.keys(args).filter(isRest);
    if (rest.length === 0) return found;
    const sources: Kind["sources"] = (...of) =>
      kind.sources(...of).filter((source) => source.kind === "single");
    const target = { definition: { ...kind, sources }, context: this.context, state: here };
    if ((await gather(target, () => false)) !== undefined) return found;
    const shown = Object.fromEntries(Object.entries(args).filter(([name]) => !rest.includes(name)));
    return { ...found, surveyed: { ...surveyed, args: shown, unseen: [...unseen, ...rest] } };
  }

  /** An object as this much of it tells. */
  private async seen(
    kind: Kind,
    remote: RemoteObject,
    state: Fields,
    holder: Holder | undefined,
  ): Promise<Found> {
    const { context } = this;
    const shown = { ...this.hidden(kind, remote), ...shownArgs(kind, remote) };
    const args = await withNames(kind, context, withRemote(kind, state, remote), shown, this.options.names);
    const named = args[kind.document.keyedBy];
    const key = typeof named === "string" ? named : keyOfNumber(kind, remote);
    const name = nameUnder(holder, kind, key);
    const { state: number, apiName } = kind.identity;
    const outputs = { ...withRemote(kind, { ...state, ...shown }, remote), [number]: remote[apiName] };
    const unseen = unseenArgs(kind, remote, shown);
    return {
      name,
      id: idOf({ definition: kind, context, state: outputs }),
      outputs,
      surveyed: { definition: kind, name, key, args, outputs, unseen },
    };
  }

  /** The key that the service hides and somebody knows, and the number that makes up for it. */
  private hidden({ type, identity, document }: Kind, remote: RemoteObject): Fields {
    const id = remote[identity.apiName];
    const { keyedBy, numberedBy } = document;
    const name = this.options.names.get(type)?.get(Number(id));
    if (name === undefined || numberedBy === undefined || remote[keyedBy] !== undefined) return {};
    return { [keyedBy]: name, [numberedBy]: id };
  }

  /** Two of one name cannot be told apart by a file. */
  private withoutTwins(kind: Kind, found: readonly Found[], holder: Holder | undefined): Found[] {
    const times = new Map<string, number>();
    for (const { name } of found) times.set(name, (times.get(name) ?? 0) + 1);
    // One of the two may be the service's own.
    for (const { name } of this.omitted) if (times.has(name)) times.set(name, times.get(name)! + 1);
    for (const [name, count] of times) {
      if (count === 1) continue;
      const key = found.find((one) => one.name === name)?.surveyed.key ?? "";
      this.gap(
        kind,
        holder?.name,
        `${count} of the name "${key}": a file cannot tell them apart; rename all but one`,
        name,
      );
    }
    return found.filter(({ name }) => times.get(name) === 1);
  }

  /** What cannot be read is told, and all else is read; undefined then. */
  private async reading<T>(
    kind: Kind,
    name: string | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceError) || concernsAll(error)) throw error;
      this.gap(kind, name, error.message);
      return undefined;
    }
  }

  private gap({ type }: Definition, name: string | undefined, reason: string, only?: string): void {
    const where = { ...(name === undefined ? {} : { name }), ...(only === undefined ? {} : { only }) };
    this.gaps.push({ type, ...where, reason });
  }
}

function nameUnder(holder: Holder | undefined, kind: Kind, key: string): string {
  return `${sectionUnder(holder, kind)}/${escapeKey(key)}`;
}

function sectionUnder(holder: Holder | undefined, { document }: Kind): string {
  return holder === undefined ? document.section : `${holder.name}/${document.section}`;
}

/** What an object is called whose key would be a number: in a plain list the number, else a person's name. */
function keyOfNumber(kind: Kind, remote: RemoteObject): string {
  const number = String(remote[kind.identity.apiName]);
  const { name } = remote;
  return kind.document.form === "keys" || typeof name !== "string" ? number : `${name} (${number})`;
}

/** Errors after which nothing else can be read either. */
function concernsAll({ code }: ServiceError): boolean {
  return ["unauthorized", "api-disabled", "rate-limited", "network"].includes(code);
}
