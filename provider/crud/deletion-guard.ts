/**
 * Protects objects and their contents in every host, because plain Pulumi checks no plan. A protected object is deleted only once the
 * state says otherwise, also by `pulumi destroy`. Its protection takes effect only after everything in it was deleted, so the provider
 * notes in which protected objects a run declares something, and deletes nothing in the others. A run that declares nothing (`pulumi destroy`,
 * an emptied program) deletes only in those that are not protected according to the refresh or the state.
 */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../../resources/definition/context.js";
import {
  type Definition,
  type Fields,
  isProtected,
  type Reference,
} from "../../resources/definition/definition.js";
import { loadItems } from "../../resources/definition/lists.js";
import { canonicalize } from "../../resources/definition/spelling.js";
import { ProviderError } from "../../resources/errors.js";
import { findDefinition } from "../../resources/registry.js";

/** Names of the objects whose contents may be deleted, separated by commas; `*` for all. */
export const DELETE_VARIABLE = "WORKSPACE_AUTOMATION_DELETE_PROJECTS";

/** An object that is protected by default, and contains others. */
interface Held {
  readonly parent: Definition;
  readonly name: string;
}

/** The state of the engine. */
interface RecordedState {
  /** Whether this process may be able to read it. */
  readonly mayBeReadable: boolean;
  /** Its objects; undefined where it cannot be read. */
  list(): Promise<readonly RecordedObject[] | undefined>;
}

interface RecordedObject {
  readonly type: string;
  readonly outputs: Fields;
}

export class Mentioned {
  private readonly names = new Set<string>();
  private readonly replaced = new Set<string>();
  /** Whether the run declares anything. */
  private declares = false;
  /** Whether the objects that a refresh has read are protected; absent without a refresh. */
  private read: Map<string, boolean> | undefined;
  private inState: Promise<ReadonlyMap<string, boolean> | undefined> | undefined;

  /**
   * @param parents definitions of types whose objects are protected by default
   * @param state of the engine
   */
  constructor(
    private readonly parents: readonly Definition[],
    private readonly env: Readonly<Record<string, string | undefined>> = process.env,
    private readonly state?: RecordedState,
  ) {}

  /** Notes a declared object and its parents, by their old and new names. */
  note(definition: Definition, ...all: readonly Fields[]): void {
    this.declares = true;
    for (const fields of all) {
      const { state } = definition.identity;
      if (definition.protect)
        this.add(definition, fields[state], ...definition.naturalKey.map((n) => fields[n]));
      for (const { parent, name } of this.holdersIn(definition, fields)) this.add(parent, name);
    }
  }

  /** Notes an object that a refresh has read. */
  noteRead(definition: Definition, ...all: readonly Fields[]): void {
    this.read ??= new Map();
    if (this.parents.includes(definition)) addProtection(this.read, definition, ...all);
  }

  /** Notes an object that the run replaces. Its definition has allowed the change. */
  noteReplacement({ type }: Definition, id: string): void {
    this.replaced.add(`${type} ${id}`);
  }

  /**
   * @throws {ProviderError} when the object is protected, or when the run would empty the object's parent and declares nothing else in it
   */
  async refuseDeletion(definition: Definition, context: Context, id: string, state: Fields): Promise<void> {
    const allowed = (this.env[DELETE_VARIABLE] ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
    if (allowed.includes("*")) return;
    if (definition.protect !== undefined) return this.refuseProtected(definition, id, state, allowed);
    // Pulumi's own runs have a state; the plans of `workspacectl` are checked before.
    if (!this.declares && this.state?.mayBeReadable !== true && this.read === undefined) return;
    const known = this.declares ? undefined : await this.findProtections();
    if (known === "unknown") return this.refuseUnknown(definition, context, state, allowed);
    const isKept = ({ parent, name }: Held) =>
      allowed.includes(name) ||
      (known === undefined ? this.names.has(getKey(parent, name)) : known.get(getKey(parent, name)) !== true);
    const named = this.holdersIn(definition, state);
    const lost =
      named.find((one) => !isKept(one)) ??
      (named.length > 0 ? undefined : await this.holderById(definition, context, state, isKept));
    if (lost === undefined) return;
    const { parent, name } = lost;
    if (known !== undefined)
      throw new ProviderError(
        "refused",
        `${parent.noun} "${name}" is protected, so it is not deleted, and neither is the ${describe(definition, state)} in it`,
        explainProtection(parent, name),
      );
    throw new ProviderError(
      "refused",
      `${describe(definition, state)} in ${parent.noun} "${name}" is not deleted: the program declares nothing in that ${parent.noun} any more, which may be a mistake`,
      `Declare it again; or, to delete everything in it, set ${DELETE_VARIABLE}=${quote(name)} (after "pulumi state unprotect" of the ${parent.noun}, if Pulumi protects it too), or use "workspacectl up --delete-project ${quote(name)}"`,
    );
  }

  /** Only `false` lifts the protection: states of earlier releases lack the argument. */
  private refuseProtected(
    definition: Definition,
    id: string,
    state: Fields,
    allowed: readonly string[],
  ): void {
    const { type, noun, identity } = definition;
    const name = String(state[identity.state]);
    if (!isProtected(definition, state) || allowed.includes(name) || this.replaced.has(`${type} ${id}`))
      return;
    throw new ProviderError(
      "refused",
      `${noun} "${name}" is protected, so it is not deleted`,
      explainProtection(definition, name),
    );
  }

  /** @throws {ProviderError} where nothing shows whether the object is in a protected one */
  private async refuseUnknown(
    definition: Definition,
    context: Context,
    state: Fields,
    allowed: readonly string[],
  ): Promise<void> {
    const { references } = definition;
    const isParent = (to: string) => this.parents.some(({ type }) => type === to);
    const held = Object.entries(references).find(([arg, { to, identity, idOutput = "" }]) =>
      isParent(to)
        ? // The stack does not manage what a program names without its id.
          state[arg] !== undefined && (identity === undefined || state[identity] !== undefined)
        : typeof state[idOutput] === "number" &&
          Object.values(findDefinition(to)?.references ?? {}).some((inner) => isParent(inner.to)),
    );
    if (held === undefined) return;
    const isOther = ({ name }: Held) => !allowed.includes(name);
    const named = this.holdersIn(definition, state);
    const isAllowed =
      named.length > 0
        ? !named.some(isOther)
        : allowed.length > 0 && (await this.holderById(definition, context, state, isOther)) !== undefined;
    if (isAllowed) return;
    throw new ProviderError(
      "refused",
      `${describe(definition, state)} is not deleted: whether the project that it is in is protected is unknown, because the state cannot be read`,
      `Add --refresh, which shows it; or set ${DELETE_VARIABLE} to the name of the project for this run`,
    );
  }

  /** Which objects are protected, according to the state or the refresh. */
  private async findProtections(): Promise<ReadonlyMap<string, boolean> | "unknown"> {
    this.inState ??= this.state?.list().then((objects) => objects && listProtections(objects, this.parents));
    return (await this.inState) ?? this.read ?? "unknown";
  }

  /** Finds the parent of an object that names it by the ids of what is in between, among those that the run does not mention. */
  private async holderById(
    definition: Definition,
    context: Context,
    state: Fields,
    isKept: (one: Held) => boolean,
  ): Promise<Held | undefined> {
    const way = Object.values(definition.references).filter(({ lookup, idOutput }) => lookup && idOutput);
    const last = way.findLastIndex(({ idOutput = "" }) => typeof state[idOutput] === "number");
    if (last < 0) return undefined;
    for (const [arg, { to }] of Object.entries(definition.references)) {
      const parent = this.parents.find(({ type }) => type === to);
      const all = parent?.list(context, {});
      if (parent === undefined || all === undefined) continue;
      for (const remote of (await loadItems(context, all)) as readonly Fields[]) {
        const one = { parent, name: String(remote[parent.identity.apiName]) };
        if (!isKept(one) && (await leadsTo(context, { ...state, [arg]: one.name }, way.slice(0, last + 1))))
          return one;
      }
    }
    return undefined;
  }

  private add(parent: Definition, ...names: readonly unknown[]): void {
    for (const name of names) if (typeof name === "string") this.names.add(getKey(parent, name));
  }

  private holdersIn({ references }: Definition, fields: Fields): Held[] {
    return Object.entries(references).flatMap(([arg, { to }]) => {
      const parent = this.parents.find(({ type }) => type === to);
      const name = fields[arg];
      return parent && typeof name === "string" ? [{ parent, name }] : [];
    });
  }
}

const getKey = ({ type, spelling, naturalKey: [arg = ""] }: Definition, name: string) =>
  `${type} ${canonicalize(spelling[arg], name)}`;

/** Notes the protection of an object by all of its names. */
function addProtection(to: Map<string, boolean>, definition: Definition, ...all: readonly Fields[]): void {
  const fields = Object.assign({}, ...all) as Fields;
  const { identity, naturalKey } = definition;
  const names = all.flatMap((one) => [one[identity.state], ...naturalKey.map((name) => one[name])]);
  for (const name of names)
    if (typeof name === "string") to.set(getKey(definition, name), isProtected(definition, fields));
}

/** Which objects of a state are protected. */
function listProtections(
  objects: readonly RecordedObject[],
  parents: readonly Definition[],
): ReadonlyMap<string, boolean> {
  const protections = new Map<string, boolean>();
  for (const { type, outputs } of objects) {
    const definition = parents.find((one) => one.type === type);
    if (definition !== undefined) addProtection(protections, definition, outputs);
  }
  return protections;
}

/** The object without its parents, which the message names next to it. */
function describe({ noun, document }: Definition, state: Fields): string {
  const key = state[document?.keyedBy ?? ""];
  return typeof key === "string" || typeof key === "number" ? `${noun} "${key}"` : noun;
}

/** Quotes a name that a shell would split or change. */
function quote(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

function explainProtection({ protect }: Definition, name: string): string {
  return `To delete it, set ${String(protect)}: false, run "pulumi up", and then delete it; or set ${DELETE_VARIABLE}=${quote(name)} for this run, or use workspacectl ("up --delete-project ${quote(name)}", "destroy --include-protected"). To keep it and only remove it from the stack, use "pulumi state delete"`;
}

/** Whether the objects with the ids of a state exist one in the other. An id that is not known may be any. */
async function leadsTo(
  context: Context,
  state: Fields,
  [step, ...rest]: readonly Reference[],
): Promise<boolean> {
  if (step?.lookup === undefined || step.idOutput === undefined) return true;
  const { lookup, idOutput } = step;
  const known = state[idOutput];
  const found = await lookup(context, state).catch((error: unknown) => {
    // What the token may not read, it cannot change.
    if (isServiceError(error) && (error.status === 403 || error.status === 404)) return [];
    throw error;
  });
  for (const { id } of found)
    if ((known === undefined || known === id) && (await leadsTo(context, { ...state, [idOutput]: id }, rest)))
      return true;
  return false;
}
