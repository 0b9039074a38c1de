/**
 * Finds objects that a plan creates although they exist, before anything is written. Only reads lists that a creation reads too.
 */
import { ServiceError } from "../../client/index.js";
import { hasUnknown, HIDDEN } from "../../diff/values.js";
import type { Intent, Journal } from "../../recovery/journal.js";
import { convertToSent, readRemoteValue } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { resolveReferences } from "../../resources/definition/references.js";
import { listSecretNames } from "../../resources/definition/secrets/mask.js";
import { ProviderError } from "../../resources/errors.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { listDifferingFrom, mayAdopt } from "../crud/create.js";
import { getIdentity, pickArgs } from "../crud/diff.js";
import { noteOwnership, wasGivenUp } from "../crud/exclusive-ownership.js";
import { buildId } from "../crud/state.js";
import { type Target, withRemote } from "../crud/target.js";
import { describeCreation, describeSpelling, listCandidates } from "../existence/candidates.js";
import { readRemote } from "../existence/observe.js";
import type { PlannedChange } from "./list-changes.js";
import { locateInside, type ManagedObject } from "./unmanaged.js";

/** An object of a plan. It comes after the objects to which it refers. */
export interface ExpectedObject extends Omit<PlannedChange, "operation"> {
  readonly operation: string;
  /** Of a replacement: the engine creates the new object before it deletes the old one. */
  readonly createdFirst?: boolean | undefined;
  /** Logical name. */
  readonly name: string;
  /** Logical name of the object to which an argument refers, if the plan contains it. */
  readonly refersTo: (arg: string) => string | undefined;
}

/** An existing object with the name of a planned one. */
export interface ExistingObject {
  readonly name: string;
  /** Its display name: `group "QA"`. */
  readonly called: string;
  /** The ids of all objects with the name. */
  readonly ids: readonly string[];
  readonly htmlUrl?: string;
  /** Logical name under which the state contains one of them; for a replacement, it may be the planned object itself. */
  readonly managedAs?: string;
  /** The plan adopts it; otherwise the plan fails there. */
  readonly adopted: boolean;
  /** Whether the declaration could adopt it. */
  readonly adoptable: boolean;
  /** For an adoption: the existing arguments without secrets, and the arguments that it sends. */
  readonly before: Fields;
  readonly sends: readonly string[];
  /** Pulumi's id of the first of them. */
  readonly id: string;
  /** The arguments that an adoption may change: those that it sends, and those that are not known yet. */
  readonly mayChange: readonly string[];
}

export interface ExistingObjects {
  readonly found: readonly ExistingObject[];
  /** Logical names of planned objects that certainly did not exist. Absent are those in a new or unknown parent. */
  readonly absent: readonly string[];
}

type Known = Pick<ManagedObject, "id" | "outputs">;

interface Existing {
  readonly connection: Connection;
  /** Tells which creations were interrupted, whose objects count as the project's own. */
  readonly journal: Journal;
  readonly options?: ReadingOptions;
}

export async function findExistingObjects(
  { connection, journal, options }: Existing,
  objects: readonly ExpectedObject[],
): Promise<ExistingObjects> {
  if (!objects.some(mayCollide)) return { found: [], absent: [] };
  const session = new Session(connection, { ...options, journal });
  try {
    return await new Search(session, objects).all();
  } finally {
    await session.close();
  }
}

class Search {
  /** The plan's existing objects, by logical name; undefined for a new one. */
  private readonly known = new Map<string, Known | undefined>();
  /** Logical names of the objects that the plan creates, by what identifies them. */
  private readonly created = new Map<string, string>();
  /** Logical names of the objects in the state, by type and id. */
  private readonly managed = new Map<string, string>();
  private readonly absent: string[] = [];

  constructor(
    private readonly session: Session,
    private readonly objects: readonly ExpectedObject[],
  ) {}

  async all(): Promise<ExistingObjects> {
    for (const { definition, before = {}, after } of this.objects)
      if (after !== undefined && !hasUnknown(getIdentity(definition, before)))
        noteOwnership(definition, this.contextOf(after), before, after);
    for (const { definition, operation, name, before } of this.objects)
      if (before !== undefined && operation !== "create")
        this.managed.set(this.identify(definition, before), name);
    const found: ExistingObject[] = [];
    for (const object of this.objects) {
      const one = mayCollide(object) ? await this.find(object) : undefined;
      if (one !== undefined) found.push(one);
      else this.known.set(object.name, this.inState(object));
    }
    return { found, absent: this.absent };
  }

  private identify(definition: Definition, state: Fields): string {
    return `${definition.type} ${buildId({ definition, context: this.contextOf(state), state })}`;
  }

  private contextOf(args: Fields): Context {
    return this.session.context(args);
  }

  private inState({ operation, definition, before }: ExpectedObject): Known | undefined {
    if (before === undefined || operation === "replace") return undefined;
    return { id: buildId({ definition, context: this.contextOf(before), state: before }), outputs: before };
  }

  /** Ignores errors of the service, which the creation will report. */
  private async find(object: ExpectedObject): Promise<ExistingObject | undefined> {
    try {
      return await this.existing(object);
    } catch (error) {
      if (error instanceof ServiceError || error instanceof ProviderError) return undefined;
      throw error;
    }
  }

  private async existing(object: ExpectedObject): Promise<ExistingObject | undefined> {
    const { definition, name, operation, before = {} } = object;
    const state = await this.placed(object);
    if (state === undefined) return undefined;
    const context = this.contextOf(state);
    const subject = operation === "create" ? describeCreation(definition, context, state) : undefined;
    const intent = subject && (await context.journal.openIntent(subject));
    const all = await listCandidates(definition, context, state, intent && readOnly(intent));
    const { identity } = definition;
    const others = all.filter(
      (remote) => object.createdFirst === true || remote[identity.apiName] !== before[identity.state],
    );
    const [first] = others;
    if (first === undefined) {
      this.absent.push(name);
      return subject && this.createdTwice(object, subject.key, state);
    }
    const managedAs = others
      .map((remote) => this.managed.get(this.identify(definition, withRemote(definition, state, remote))))
      .find((other) => other !== undefined);
    const here = withRemote(definition, state, first);
    const id = buildId({ definition, context, state: here });
    this.known.set(name, { id, outputs: here });
    const target = { definition, context, state };
    const isOurs = intent !== undefined || others.every((remote) => wasGivenUp(target, remote));
    const adopts = isOurs || mayAdopt(definition, context, state);
    const mayBeAdopted = operation !== "update" && others.length === 1 && managedAs === undefined;
    const adopted = adopts && mayBeAdopted;
    const { htmlUrl } = here;
    const adoption = adopted
      ? await describeAdoption({ ...target, state: here }, first)
      : { before: {}, sends: [] };
    const unknown = Object.entries(object.after ?? {}).flatMap(([arg, value]) =>
      hasUnknown(value) ? [arg] : [],
    );
    return {
      name,
      id,
      mayChange: [...adoption.sends, ...unknown],
      called: getDisplayName(definition, state) + describeSpelling(definition, state, first),
      ids: others.map((remote) => String(remote[identity.apiName])),
      ...(typeof htmlUrl === "string" ? { htmlUrl } : {}),
      adopted,
      ...(managedAs === undefined ? {} : { managedAs }),
      adoptable: mayBeAdopted,
      ...adoption,
    };
  }

  /** The planned object of the same name in any spelling, of which a run creates only the first. */
  private createdTwice(
    { definition, name }: ExpectedObject,
    key: string,
    state: Fields,
  ): ExistingObject | undefined {
    const other = this.created.get(key);
    if (other === undefined) {
      this.created.set(key, name);
      return undefined;
    }
    const called = getDisplayName(definition, state);
    const nothing = {
      ...{ ids: [], adopted: false, adoptable: false },
      ...{ before: {}, sends: [], id: "", mayChange: [] },
    };
    return { ...nothing, name, called, managedAs: other };
  }

  /** The arguments with the ids of references; undefined when a parent is new or unknown, so that the object cannot exist. */
  private async placed({ definition, before, after = {}, refersTo }: ExpectedObject) {
    let state: Fields = Object.fromEntries(Object.entries(after).filter(([, value]) => !hasUnknown(value)));
    for (const arg of listLeadingTo(definition)) {
      const name = refersTo(arg);
      if (name === undefined || !this.known.has(name)) {
        if (hasUnknown(after[arg])) return undefined;
        continue;
      }
      const target = this.known.get(name);
      if (target === undefined) return undefined;
      state = { ...state, ...locateInside(definition, arg, target) };
    }
    if (definition.naturalKey.some((arg) => hasUnknown(after[arg]) && state[arg] === undefined))
      return undefined;
    const context = this.contextOf(state);
    // Other referenced objects may be new, since they do not identify the object.
    const needed = Object.fromEntries(
      listLeadingTo(definition).map((arg) => [arg, definition.references[arg]!]),
    );
    const identity = before === undefined ? {} : getIdentity(definition, before);
    const ids = { ...identity, ...state, ...(await resolveReferences(needed, context, state)) };
    const rest = await resolveReferences(definition.references, context, ids).catch(() => ({}));
    return { ...ids, ...rest };
  }
}

/** Whether an object of the same name may exist: only when the plan creates or renames this one. */
function mayCollide({ definition, operation, before, after }: ExpectedObject): boolean {
  if (definition.naturalKey.length === 0 || definition.ephemeral || after === undefined) return false;
  if (operation === "create" || operation === "replace") return true;
  if (operation !== "update") return false;
  return definition.naturalKey.some(
    (arg) => definition.references[arg] === undefined && before?.[arg] !== after[arg],
  );
}

/** References to the object's parents, and references that identify it. */
function listLeadingTo({ references, naturalKey, document }: Definition): string[] {
  const parents = Object.values(document?.under ?? {});
  return Object.keys(references).filter(
    (arg) => naturalKey.includes(arg) || parents.includes(arg) || references[arg]?.property !== undefined,
  );
}

/** The intent without its methods, since only a run that writes may change it. */
function readOnly({ id, before, mayAppearUntil }: Intent): Intent {
  return {
    id,
    before,
    mayAppearUntil,
    made: () => Promise.resolve(),
    handOver: () => {},
    close: () => {},
    forget: () => Promise.resolve(),
  };
}

async function describeAdoption(
  target: Target,
  listed: RemoteObject,
): Promise<Pick<ExistingObject, "before" | "sends">> {
  const { definition, state } = target;
  const remote = (await readRemote(target)) ?? listed;
  const unseen = [...definition.writeOnly(state), ...definition.masked(state)];
  const sent = convertToSent(definition, state);
  const args: Record<string, unknown> = {};
  for (const name of Object.keys(pickArgs(definition, state))) {
    const shown = unseen.includes(name) ? undefined : readRemoteValue(definition, remote, name, sent[name]);
    if (shown !== undefined) args[name] = shown;
    else if (!unseen.includes(name)) args[name] = state[name];
  }
  for (const secret of listSecretNames(definition, { ...state, ...args }))
    if (args[secret] !== undefined) args[secret] = HIDDEN;
  return {
    before: { ...withRemote(definition, {}, remote), ...args },
    sends: listDifferingFrom(target, remote),
  };
}
