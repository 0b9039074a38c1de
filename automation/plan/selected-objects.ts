/** Limits an operation on a workspace file to selected objects: what else it needs, and the URNs for Pulumi's `--target`. */
import { type Fields, SpelledNames } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { matchesPattern } from "../../resources/definition/name-pattern.js";
import { suggestOr } from "../../resources/definition/problems.js";
import { collectNeeds, type LoadedFile, type ResourceDeclaration } from "../../workspace-file/load/load.js";
import { AutomationError } from "../errors.js";
import { type Deployment, isManaged } from "../stack/state.js";
import { compareByName, findDefinitionAt, parseIdentity } from "../urn.js";
import type { PlannedObject } from "./planned-objects.js";
import type { PlanProblem, PlanStep } from "./record-plan.js";

export interface SelectionOptions {
  /** Patterns of logical names. */
  readonly only?: readonly string[] | undefined;
  /** Logical names. */
  readonly objects?: readonly string[] | undefined;
}

/** Whether a run concerns some objects only. */
export const isLimited = ({ only, objects = [] }: SelectionOptions): boolean =>
  only !== undefined || objects.length > 0;

/** Whether an operation refreshes all objects of the file. */
export function readsAll(options: SelectionOptions & { readonly refresh: boolean }): boolean {
  return options.refresh && !isLimited(options);
}

/** The objects to which an operation is limited. */
export interface SelectedObjects {
  readonly patterns: readonly string[];
  readonly names: ReadonlySet<string>;
  /** Those of them that match no pattern, but that a matching one needs, and that do not exist yet. */
  readonly needed: readonly string[];
  /** Those of them that match no pattern, but that are in a matching one which is renamed, or depend on it. */
  readonly following: readonly string[];
  /** Number of declared or managed objects that stay as they are. */
  readonly others: number;
  /** What Pulumi's `--target` takes. */
  readonly targets: readonly string[];
  /** The other objects of the state. */
  readonly outside: readonly StackObject[];
}

interface StackObject {
  /** The name under which it is declared, if it is. */
  readonly name: string;
  readonly nameInState: string;
  readonly urn: string;
  readonly type: string;
  /** Pulumi type token. */
  readonly token: string;
  readonly before: Fields;
  readonly inputs: Fields;
  readonly isProtected: boolean;
  /** Names of the objects that it depends on. */
  readonly needs: readonly string[];
}

/** The part of an open stack that a selection depends on. */
interface SelectableStack {
  readonly file: { readonly declared?: LoadedFile };
  readonly state: () => Promise<Deployment>;
  /** Present while the stack does not exist. */
  readonly create?: unknown;
}

/** The file and the state of a stack, as far as a selection depends on them. */
interface Known {
  readonly declared: ReadonlyMap<string, ResourceDeclaration>;
  /** Names of the declarations that each one needs. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  readonly state: ReadonlyMap<string, StackObject>;
  /** The name under which an object of the state is declared now. */
  readonly current: (name: string) => string;
}

/**
 * Finds the selected objects; undefined when the operation is not limited.
 * @throws {AutomationError} when a pattern matches nothing, or when a selected object cannot be changed without others
 */
export async function selectObjects(
  open: SelectableStack,
  options: SelectionOptions,
): Promise<SelectedObjects | undefined> {
  const { only, objects = [] } = options;
  if (!isLimited(options)) return undefined;
  if (open.file.declared === undefined)
    throw new AutomationError(
      "--only selects what a workspace file declares",
      'limit a program with "pulumi up --target"',
    );
  const known = await gather(open, open.file.declared.declarations);
  const all = [...new Set([...known.declared.keys(), ...known.state.keys()])];
  const selected = new Set([...objects, ...listMatching(only ?? [], all, known)]);
  const following = listFollowing(selected, known);
  for (const name of following) selected.add(name);
  const needed = listMissingNeeds(selected, known);
  const names = new Set([...selected, ...needed]);
  for (const name of listOrders(names, known)) names.add(name);
  refuseDependents(names, known);
  return {
    patterns: only ?? [],
    names,
    needed,
    following,
    others: all.filter((name) => !names.has(name)).length,
    targets: [...names].flatMap((name) => listTargets(name, known)),
    outside: [...known.state.values()].filter(({ name }) => !names.has(name)),
  };
}

async function gather(open: SelectableStack, declarations: readonly ResourceDeclaration[]): Promise<Known> {
  const declared = new Map(declarations.map((one) => [one.name, one]));
  const renamed = new Map(
    declarations.flatMap(({ name, formerNames }) => formerNames.map((old) => [old, name])),
  );
  // While the stack does not exist, its state is empty.
  const { resources = [] } = open.create ? {} : await open.state();
  const names = new Set(resources.map((one) => parseIdentity(one).name));
  const spelled = new SpelledNames(declared.keys());
  const current = (name: string) => {
    const now = declared.has(name) ? undefined : (renamed.get(name) ?? spelled.others(name)[0]);
    return now === undefined || names.has(now) ? name : now;
  };
  // In the order of names, because the state is in the order in which the objects happened to be created.
  const state = new Map(
    listObjectsIn(resources, current)
      .toSorted(compareByName)
      .map((one) => [one.name, one]),
  );
  return { declared, needs: collectNeeds(declarations), state, current };
}

function listObjectsIn(
  resources: NonNullable<Deployment["resources"]>,
  current: (name: string) => string,
): StackObject[] {
  return resources.flatMap((one) => {
    // What a replacement has left to delete is no object of its own.
    if (findDefinitionAt(one) === undefined || !isManaged(one) || one.delete) return [];
    const { type, name } = parseIdentity(one);
    const { inputs = {}, outputs = {}, urn, type: token, dependencies = [], protect = false } = one;
    return {
      name: current(name),
      nameInState: name,
      urn,
      type,
      token,
      before: { ...inputs, ...outputs },
      inputs,
      isProtected: protect,
      needs: dependencies.map((on) => current(parseIdentity({ urn: on, type: "" }).name)),
    };
  });
}

/** Returns the names that match; an object matches by its former names too. */
function listMatching(patterns: readonly string[], all: readonly string[], { declared }: Known): string[] {
  return patterns.flatMap((pattern) => {
    const found = all.filter((name) =>
      [name, ...(declared.get(name)?.formerNames ?? [])].some((one) => matchesPattern(pattern, one)),
    );
    if (found.length > 0) return found;
    throw new AutomationError(
      `--only "${pattern}" matches no object of the file or the state`,
      suggestOr(pattern, all, 'a pattern is such as "projects/web/**" or "groups/*"'),
    );
  });
}

/**
 * Returns what is in a renamed object of the selection or depends on it, directly or indirectly. The engine writes the new name there too; of
 * an object that stays as it is, it would write the renamed one a second time, and refuse that state from then on.
 */
function listFollowing(selected: ReadonlySet<string>, { declared, state }: Known): string[] {
  const following = new Set<string>();
  const add = (name: string): void => {
    const renamed = state.get(name);
    if (renamed === undefined || renamed.nameInState === name) return;
    const isInside = (one: StackObject) => one.nameInState.startsWith(`${renamed.nameInState}/`);
    for (const one of state.values()) {
      if (selected.has(one.name) || following.has(one.name)) continue;
      if (!isInside(one) && !one.needs.includes(name)) continue;
      if (!declared.has(one.name))
        throw createNotAloneError(`${name} is renamed, and ${one.name} would be deleted with it`, one.name);
      following.add(one.name);
      add(one.name);
    }
  };
  for (const name of selected) add(name);
  return [...following].toSorted();
}

/** Returns what the selected objects need, directly or indirectly, and what does not exist yet. */
function listMissingNeeds(selected: ReadonlySet<string>, { needs, state }: Known): string[] {
  const missing = new Set<string>();
  const add = (name: string): void => {
    for (const other of needs.get(name) ?? []) {
      if (state.has(other) || selected.has(other) || missing.has(other)) continue;
      missing.add(other);
      add(other);
    }
  };
  for (const name of selected) add(name);
  return [...missing].toSorted();
}

/** Returns the orders of the lists that contain a selected item, as far as all their other items exist. */
function listOrders(names: ReadonlySet<string>, { declared, needs, state }: Known): string[] {
  const isItem = (name: string) => declared.get(name)?.definition.document?.order !== undefined;
  const inFile = [...declared.values()].filter(({ definition }) => definition.document === undefined);
  const orders = inFile
    .map(({ name }) => ({ name, items: needs.get(name) ?? [] }))
    .filter(({ items }) => items.some((item) => isItem(item) && names.has(item)))
    .filter(({ items }) => items.every((item) => names.has(item) || state.has(item)));
  // The state of an order refers to its items, so an item is deleted together with its place in the order.
  const shortened = [...state.values()]
    .filter((one) => findDefinitionAt({ type: one.token })?.document === undefined)
    .filter(({ needs: items }) => items.some((item) => names.has(item) && !declared.has(item)));
  return [...orders, ...shortened].map(({ name }) => name);
}

/** Refuses to delete an object on which one outside the selection depends, and to change the owner of a list on one side only. */
function refuseDependents(names: ReadonlySet<string>, { declared, needs, state, current }: Known): void {
  const outside = [...state.values()].filter(({ name }) => !names.has(name));
  for (const name of names) if (!declared.has(name)) refuseDependent(name, "deleted", outside);
  for (const name of names) {
    const missing = needs.get(name)?.find((other) => !names.has(other) && !state.has(other));
    if (missing !== undefined)
      throw createNotAloneError(`${name} needs ${missing}, which does not exist yet`, missing);
    const owner = current(new LogicalName(name).parent);
    const [now, before] = [declared.get(owner), state.get(owner)];
    if (names.has(owner) || now === undefined || before === undefined) continue;
    const kind = declared.get(name)?.definition ?? findDefinitionAt({ type: state.get(name)?.token ?? "" });
    const when = kind?.document?.exclusiveWhen;
    if (when === undefined || (now.args[when] === true) === (before.inputs[when] === true)) continue;
    throw createNotAloneError(
      `${owner} begins or stops owning the list that contains ${name} (${when})`,
      owner,
    );
  }
}

function createNotAloneError(reason: string, name: string): AutomationError {
  return new AutomationError(`${reason}; nothing was changed`, `add --only "${name}", or run without --only`);
}

/** The literal URN for the state, and a pattern for a name that the state does not contain. */
function listTargets(name: string, { declared, state }: Known): string[] {
  const [known, type] = [state.get(name)?.urn, declared.get(name)?.definition.type];
  return [...(known === undefined ? [] : [known]), ...(type === undefined ? [] : [`**:${type}::${name}`])];
}

/** Adds the objects that the operation does not look at, so that guards count with them, and removes those it does not create. */
export function withOutside(
  objects: readonly PlannedObject[],
  selection: SelectedObjects | undefined,
): PlannedObject[] {
  if (selection === undefined) return [...objects];
  const inside = objects.filter(({ name }) => selection.names.has(name));
  return [
    ...inside,
    ...selection.outside.map(({ name, type, before, inputs, isProtected }): PlannedObject => ({
      operation: "same",
      type,
      name,
      before,
      after: inputs,
      ...(isProtected ? { protected: true } : {}),
    })),
  ];
}

/** Refuses a plan that changes anything else, or makes anew what an object outside depends on. @throws {AutomationError} */
export function refuseOutside(steps: readonly PlanStep[], selection: SelectedObjects | undefined): void {
  if (selection === undefined) return;
  const { names, outside } = selection;
  // Pulumi also replaces what depends on a target, whether it is a target or not.
  for (const { name, operation } of steps)
    if (operation === "replace" && names.has(name)) refuseDependent(name, "replaced", outside);
  const other = steps.find(({ name, within }) => !names.has(within ?? name));
  if (other !== undefined)
    throw createNotAloneError(`this would ${other.operation} ${other.name} too`, other.name);
}

/** Refuses when an object that stays as it is refers to this one or is in it. */
function refuseDependent(name: string, done: "deleted" | "replaced", outside: readonly StackObject[]): void {
  const isInside = (one: StackObject) => one.name.startsWith(`${name}/`);
  const dependent = outside.find((one) => one.needs.includes(name) || isInside(one));
  if (dependent === undefined) return;
  const more = isInside(dependent) ? `${name}/**` : dependent.name;
  throw createNotAloneError(`${name} would be ${done}, and ${dependent.name} depends on it`, more);
}

/** Explains Pulumi's error about an object that it would have to change besides the targets. */
export function createNotSelectedError(problems: readonly PlanProblem[]): AutomationError | undefined {
  for (const { message } of problems) {
    const [, urn] = NOT_A_TARGET.exec(message) ?? [];
    if (urn === undefined) continue;
    const { name } = parseIdentity({ urn, type: "" });
    return createNotAloneError(`${name} would have to be changed too`, name);
  }
  return undefined;
}

const NOT_A_TARGET =
  /'(urn:pulumi:[^']+)' (?:which was was|will be destroyed but was) not specified in --target list/;
