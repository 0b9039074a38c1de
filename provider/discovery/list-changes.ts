/**
 * Finds how a change affects the objects in a list that the changed object owns: an object that leaves the list is deleted, like
 * a resource of its own. Only reads, and only when the list changes.
 */
import { UNKNOWN } from "../../diff/values.js";
import type { Context, ListedObject } from "../../resources/definition/context.js";
import type { Candidate, Definition, Fields, Reference } from "../../resources/definition/definition.js";
import { mapReferences } from "../../resources/definition/reference-paths.js";
import { findNamed } from "../../resources/definition/spelling.js";
import { ProviderError } from "../../resources/errors.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { mayAdopt } from "../crud/create.js";
import { diffResource } from "../crud/diff.js";
import { read } from "../crud/read.js";
import { withRemote } from "../crud/target.js";
import { findExisting } from "../existence/sources.js";

/** A planned operation on an object. */
export interface PlannedChange {
  readonly operation: "same" | "create" | "adopt" | "update" | "replace" | "delete" | "release";
  readonly definition: Definition;
  /** Arguments and outputs in the state. */
  readonly before?: Fields;
  /** Declared arguments. Unknown values are Pulumi's fixed text, and secrets are marked or masked. */
  readonly after?: Fields;
}

/** A change of an object that may own a list. */
export interface ParentChange extends PlannedChange {
  /** An existing object of the same name is adopted. */
  readonly adopts: boolean;
}

export interface ListedChange extends ListedObject {
  readonly operation: "same" | "replace" | "delete";
  /** Keys of the list from which an update removes it: by the former and the new name of its owner. */
  readonly removedFrom?: readonly string[];
}

/** Reads the lists that objects own. */
export class ListReader {
  private opened: Session | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly options: ReadingOptions = {},
  ) {}

  changes(change: ParentChange): Promise<ListedChange[]> {
    this.opened ??= new Session(this.connection, this.options);
    return listChanges(this.opened.context(change.before ?? change.after ?? {}), change);
  }

  async close(): Promise<void> {
    await this.opened?.close();
  }
}

/** The operation on each object in the list that an object owns; none where it owns no list. */
async function listChanges(context: Context, change: ParentChange): Promise<ListedChange[]> {
  const { operation, definition, before = {}, after = {} } = change;
  if (definition.owns === undefined) return [];
  const [was, willBe] = [definition.owns(context, before), definition.owns(context, after)];
  const owned = was?.isOwned ? was.objects : [];
  const all = (of: ListedChange["operation"]) => owned.map((one) => ({ ...one, operation: of }));
  if (operation === "delete") return all("delete");
  if (operation === "same" || operation === "release") return all("same");
  // Giving up the list removes no object.
  if (!willBe?.isOwned) return operation === "replace" ? all("delete") : [];
  const stays = () => !diffResource(definition, before, after).changed.includes(willBe.argument);
  if (operation === "update" && was?.isOwned && stays()) return all("same");

  const ids = await resolveNumbers(context, definition, willBe.argument, after);
  const declared = new Set(definition.owns(context, { ...after, ...ids })?.objects.map(getIdentity));
  const isDeclared = (one: ListedObject) => declared.has(getIdentity(one));
  if (operation === "replace")
    return owned.map((one) => ({ ...one, operation: isDeclared(one) ? "replace" : "delete" }));
  const there =
    operation === "create" || operation === "adopt" ? await findAdoptedObject(context, change) : before;
  if (there === undefined) return [];
  // The list that the update will find, without the members who always stay.
  const remote = await read(definition, context, { ...there, ...after, ...ids });
  if (remote === undefined) return [];
  const removedFrom = listKeysOfList(context, definition, remote.outs, after);
  const objects = definition.owns(context, remote.outs)?.objects ?? [];
  return objects.map((one) =>
    isDeclared(one) ? { ...one, operation: "same" } : { ...one, operation: "delete", removedFrom },
  );
}

/** A run that changes the name of the owner finds the list by its new name. */
function listKeysOfList(context: Context, definition: Definition, outs: Fields, after: Fields): string[] {
  const { identity, naturalKey } = definition;
  const isNamed = typeof outs[identity.state] === "string";
  const names = isNamed ? naturalKey.map((arg) => after[arg]).filter((name) => typeof name === "string") : [];
  const owners = [outs, ...names.map((name) => ({ ...outs, [identity.state]: name }))];
  return owners.flatMap((owner) => definition.owns?.(context, owner)?.list ?? []);
}

const getIdentity = ({ identity }: ListedObject) => identity;

/** The id of a member who does not exist yet. */
const NOBODY = 0;

/** The declared list with ids instead of names, as the output with the ids. */
async function resolveNumbers(
  context: Context,
  { references }: Definition,
  argument: string,
  after: Fields,
): Promise<Fields> {
  const reference = references[argument];
  if (reference?.idOutput === undefined) return {};
  const numbers = new Map<string, number>();
  const names: [Reference, string][] = [];
  mapReferences(reference, after[argument], (inner, name) => {
    if (typeof name === "string") names.push([inner, name]);
    return name;
  });
  for (const [inner, name] of names) {
    const all = name === UNKNOWN ? [] : await listCandidates(inner, context, after);
    numbers.set(
      getKey(inner, name),
      findNamed(all, inner.spelling, name, (one) => one.name)[0]?.id ?? NOBODY,
    );
  }
  const numbered = mapReferences(
    reference,
    after[argument],
    (inner, name) => numbers.get(getKey(inner, name)) ?? name,
  );
  return { [reference.idOutput]: numbered };
}

const getKey = ({ to }: Reference, name: unknown) => `${to} ${String(name)}`;

/** All objects that a name may refer to; none where names cannot be looked up. */
async function listCandidates(
  { lookup }: Reference,
  context: Context,
  state: Fields,
): Promise<readonly Candidate[]> {
  try {
    return (await lookup?.(context, state)) ?? [];
  } catch (error) {
    if (error instanceof ProviderError) return [];
    throw error;
  }
}

/** The object that a creation adopts; undefined where it creates a new one. */
async function findAdoptedObject(
  context: Context,
  { definition, after = {}, adopts }: ParentChange,
): Promise<Fields | undefined> {
  if (!adopts && !mayAdopt(definition, context, after)) return undefined;
  const [remote] = await findExisting({ definition, context, state: after });
  return remote && withRemote(definition, after, remote);
}
