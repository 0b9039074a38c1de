/** Reads everything in a workspace. */
import pLimit from "p-limit";
import { ServiceError, type ServiceErrorCode } from "../../client/index.js";
import { formatCount } from "../../diff/format-count.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import {
  type DocumentKind as Kind,
  listKindsUnder,
  WORKSPACE,
} from "../../resources/definition/placement.js";
import { listUnseenArgs } from "../../resources/definition/which-arguments.js";
import { definitions } from "../../resources/registry.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { buildId } from "../crud/state.js";
import { withRemote } from "../crud/target.js";
import { isAdministrator } from "../existence/caller.js";
import { gather, listRemote } from "../existence/sources.js";
import { isComplete, readShownArgs, withNames } from "./arguments.js";
import { type Checkpoint, type Recalled, type Resume, resumeCheckpoint } from "./checkpoint.js";
import { buildNameUnder, getKeyOfNumber, getSectionUnder, type Parent } from "./file-position.js";
import { type ExpectedName, listHidden } from "./hidden-objects.js";
import { type KnownNames, readDeclarableNames } from "./known-names.js";
import { withOwnKeys } from "./own-keys.js";
import { listsSiblings, locateInside, UNSETTLED } from "./unmanaged.js";

/** An object of the workspace. */
export interface DiscoveredObject {
  readonly definition: Definition;
  /** Logical name and key that it would have in a workspace file. */
  readonly name: string;
  readonly key: string;
  /** Its arguments, as far as the service shows them. References are names where a name is unique. */
  readonly args: Fields;
  /** Its outputs: its id, its web address, the name of a person. */
  readonly outputs: Fields;
  /** Arguments that the service should have shown, and did not. */
  readonly unseen: readonly string[];
}

/** Objects that could not be read, or that a workspace file cannot represent. */
export interface Gap {
  readonly type: string;
  /** The object, or its parent; absent for the workspace. */
  readonly name?: string;
  /** The only objects that are affected, if `name` is their parent. */
  readonly only?: string;
  readonly reason: string;
  /** The error of the service, if there was one. */
  readonly code?: ServiceErrorCode;
}

export interface Discovery {
  readonly workspace: string;
  readonly address: string;
  /** Parents come first. Ordered lists have their own order, others are sorted by name. */
  readonly objects: readonly DiscoveredObject[];
  /** Objects that need no declaration: the service creates them by itself, or they are the caller's own. */
  readonly omitted: readonly DiscoveredObject[];
  /** Sections that were read completely, such as `projects/web/pipelines`: an object that is not in them does not exist. */
  readonly sections: ReadonlySet<string>;
  readonly gaps: readonly Gap[];
  /** The responses of an earlier discovery that were used. */
  readonly recalled?: Recalled;
}

export interface DiscoveryOptions {
  /** Whether to read objects of this type, and the objects in them. */
  readonly enters: (type: string) => boolean;
  /** Whether to read the objects in an object. */
  readonly opens: (type: string, key: string) => boolean;
  /** Names that the service hides. */
  readonly names?: KnownNames;
  /** Objects that are expected to exist: one that no list shows may be hidden from the caller. */
  readonly expected?: readonly ExpectedName[];
  /** Receives each object. */
  readonly onObject?: (type: string) => void;
  /** Receives each list, and the number of its objects. */
  readonly onList?: (type: string, objects: number) => void;
  /** Continues an interrupted discovery, without reading its objects again. */
  readonly resume?: Resume;
}

/** Reads all lists of a workspace to their ends, and each object with everything that the service shows. Writes nothing. */
export async function discoverWorkspace(
  connection: Connection,
  options: DiscoveryOptions,
  reading: ReadingOptions = {},
): Promise<Discovery> {
  const session = new Session(connection, reading);
  let checkpoint: Checkpoint | undefined;
  try {
    const context = session.context({});
    if (options.resume) checkpoint = await resumeCheckpoint(context, connection, options.resume);
    const names = await readDeclarableNames(context, options.names ?? new Map());
    const walk = new Walk(context, { ...options, names });
    const objects = await walk.below(WORKSPACE, undefined);
    const { gaps, omitted, sections } = walk;
    gaps.push(...(await listHidden(context, options.expected ?? [], [...objects, ...omitted])));
    const { workspace, address } = context;
    const recalled = checkpoint?.recalled;
    checkpoint?.drop();
    return { workspace, address, objects, omitted, sections, gaps, ...(recalled ? { recalled } : {}) };
  } finally {
    await session.close();
  }
}

interface Found extends Parent {
  readonly object: DiscoveredObject;
}

/** Number of objects of a list whose contents are read at the same time. The client sends fewer requests at once. */
const OPENED_AT_A_TIME = 8;

const RESTRICTED =
  "perhaps more exist that are hidden from this token, since its user is no administrator: use the token of a workspace administrator";

class Walk {
  readonly gaps: Gap[] = [];
  readonly omitted: DiscoveredObject[] = [];
  readonly sections = new Set<string>();

  constructor(
    private readonly context: Context,
    private readonly options: DiscoveryOptions & { readonly names: KnownNames },
  ) {}

  /** All objects below an object. */
  async below(type: string, parent: Parent | undefined, args: Fields = {}): Promise<DiscoveredObject[]> {
    const kinds = listKindsUnder(definitions, type).filter(
      (kind) => !kind.ephemeral && this.options.enters(kind.type),
    );
    const sections = await Promise.all(kinds.map((kind) => this.section(kind, type, parent, args)));
    return sections.flat();
  }

  private async section(
    kind: Kind,
    type: string,
    parent: Parent | undefined,
    parentArgs: Fields,
  ): Promise<DiscoveredObject[]> {
    const { document } = kind;
    const arg = document.under[type];
    const state = parent === undefined || typeof arg !== "string" ? {} : locateInside(kind, arg, parent);
    if (!listsSiblings(kind, this.context, state)) return [];
    const list = kind.list(this.context, state)!;
    const items = await this.orGap(kind, parent?.name, () => listRemote(this.context, list, true));
    if (items !== undefined) await this.noteEnd(kind, parent, list.key);
    this.options.onList?.(kind.type, items?.length ?? 0);
    const found = await Promise.all((items ?? []).map((item) => this.read(kind, item, state, parent)));
    const there = found.filter((one) => one !== undefined);
    const own = parentArgs[document.section];
    if (there.length > 0 && Array.isArray(own) && own.length > 0) {
      const reason = `${formatCount(there.length, kind.noun)} in addition to its own field "${document.section}": a file cannot contain both`;
      this.gap(kind, parent?.name, reason);
      return [];
    }
    const unique =
      kind.sharedKey === undefined
        ? this.withoutTwins(kind, there, parent)
        : withOwnKeys(kind, there, parent);
    const ordered = document.form === "list" ? unique : unique.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const atATime = pLimit(OPENED_AT_A_TIME);
    const opened = await atATime.map(ordered, async (one) => {
      const { key, args } = one.object;
      const inIt = this.options.opens(kind.type, key) ? await this.below(kind.type, one, args) : [];
      return [one.object, ...inIt];
    });
    // These objects are not read again. In a large workspace they would fill the memory.
    if (parent !== undefined) this.context.reads.forgetBelow(list.key);
    return opened.flat();
  }

  /** Notes a section as complete, or why nobody can know that it is. */
  private async noteEnd(kind: Kind, parent: Parent | undefined, key: string): Promise<void> {
    const { context } = this;
    if (context.reads.endOf(key) === "unsettled") this.gap(kind, parent?.name, UNSETTLED);
    else if (kind.restricted && !(await isAdministrator(context))) this.gap(kind, parent?.name, RESTRICTED);
    else this.sections.add(getSectionUnder(parent, kind));
  }

  /** The object with everything that the service shows; undefined when the service created it by itself, or it cannot be read. */
  private async read(
    kind: Kind,
    item: RemoteObject,
    state: Fields,
    parent: Parent | undefined,
  ): Promise<Found | undefined> {
    const { context } = this;
    const label = String(item["name"] ?? item["key"] ?? item[kind.identity.apiName]);
    return this.orGap(kind, buildNameUnder(parent, kind, label), async () => {
      if ((await kind.ignoreUnmanaged?.(context, item, state)) !== undefined) {
        this.omitted.push((await this.described(kind, item, state, parent)).object);
        return undefined;
      }
      const here = withRemote(kind, state, item);
      const target = { definition: kind, context, state: here };
      const remote = (await gather(target, (shown) => isComplete(kind, shown), item)) ?? item;
      this.options.onObject?.(kind.type);
      const found = await this.described(kind, remote, state, parent);
      return isComplete(kind, remote) ? found : this.withoutHidden(kind, found, here);
    });
  }

  /**
   * Marks additional fields as unseen when no source shows them. A list that omits them looks like an object that has none, so the
   * object is read by itself.
   */
  private async withoutHidden(kind: Kind, found: Found, here: Fields): Promise<Found> {
    const { args, unseen, ...rest } = found.object;
    const isRest = (name: string) =>
      kind.apiFields[name]?.rest !== undefined && Object.keys(args[name] as Fields).length === 0;
    const additional = Object.keys(args).filter(isRest);
    if (additional.length === 0) return found;
    const sources: Kind["sources"] = (...of) =>
      kind.sources(...of).filter((source) => source.kind === "single");
    const target = { definition: { ...kind, sources }, context: this.context, state: here };
    if ((await gather(target, () => false)) !== undefined) return found;
    const shown = Object.fromEntries(Object.entries(args).filter(([name]) => !additional.includes(name)));
    return { ...found, object: { ...rest, args: shown, unseen: [...unseen, ...additional] } };
  }

  /** Describes an object, as far as the service shows it. */
  private async described(
    kind: Kind,
    remote: RemoteObject,
    state: Fields,
    parent: Parent | undefined,
  ): Promise<Found> {
    const { context } = this;
    const shown = { ...this.hidden(kind, remote), ...readShownArgs(kind, remote) };
    const args = await withNames(kind, context, withRemote(kind, state, remote), shown, this.options.names);
    const named = args[kind.document.keyedBy];
    const key = typeof named === "string" ? named : getKeyOfNumber(kind, remote);
    const name = buildNameUnder(parent, kind, key);
    const { state: identity, apiName } = kind.identity;
    const outputs = { ...withRemote(kind, { ...state, ...shown }, remote), [identity]: remote[apiName] };
    const unseen = listUnseenArgs(kind, remote, shown);
    return {
      name,
      id: buildId({ definition: kind, context, state: outputs }),
      outputs,
      object: { definition: kind, name, key, args, outputs, unseen },
    };
  }

  /** The key that the service hides and the caller knows, with the id by which the service identifies the object. */
  private hidden({ type, identity, document }: Kind, remote: RemoteObject): Fields {
    const id = remote[identity.apiName];
    const { keyedBy, numberedBy } = document;
    const name = this.options.names.get(type)?.get(Number(id));
    if (name === undefined || numberedBy === undefined || remote[keyedBy] !== undefined) return {};
    return { [keyedBy]: name, [numberedBy]: id };
  }

  /** Removes objects with the same name, which a file cannot distinguish. */
  private withoutTwins(kind: Kind, found: readonly Found[], parent: Parent | undefined): Found[] {
    const times = new Map<string, number>();
    for (const { name } of found) times.set(name, (times.get(name) ?? 0) + 1);
    // The service may have created one of them by itself.
    for (const { name } of this.omitted) if (times.has(name)) times.set(name, times.get(name)! + 1);
    for (const [name, count] of times) {
      if (count === 1) continue;
      const key = found.find((one) => one.name === name)?.object.key ?? "";
      this.gap(
        kind,
        parent?.name,
        `${count} of the name "${key}": a file cannot tell them apart; rename all but one`,
        name,
      );
    }
    return found.filter(({ name }) => times.get(name) === 1);
  }

  /** Reads something. Notes a gap, and returns undefined, when it cannot be read. */
  private async orGap<T>(
    kind: Kind,
    name: string | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceError) || concernsAll(error)) throw error;
      this.gaps.push({
        type: kind.type,
        reason: error.message,
        code: error.code,
        ...(name === undefined ? {} : { name }),
      });
      return undefined;
    }
  }

  private gap({ type }: Definition, name: string | undefined, reason: string, only?: string): void {
    const where = { ...(name === undefined ? {} : { name }), ...(only === undefined ? {} : { only }) };
    this.gaps.push({ type, ...where, reason });
  }
}

/** Whether nothing else can be read after an error. */
function concernsAll({ code }: ServiceError): boolean {
  return ["unauthorized", "api-disabled", "rate-limited", "network"].includes(code);
}
