/**
 * Outside renames of projects. A project has no id: after a rename it looks deleted, and so does everything in it. The objects in it that
 * have ids reveal the rename, since another project contains them now. The run refuses to create a second project until the user confirms
 * the new name. Then it uses that name, which differs from the declared one like any other argument. Where another project has the former
 * name now, as after an exchange of two names, the run refuses everything: whatever it wrote would go to the wrong project.
 */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, Reference } from "../../resources/definition/definition.js";
import { FORMER_NAMES_VARIABLE, parseRenames, RENAMED_VARIABLE } from "../../resources/definition/renames.js";
import { ProviderError } from "../../resources/errors.js";
import { getDefinition } from "../../resources/registry.js";
import type { Absence } from "../existence/absence.js";
import { readRemote } from "../existence/observe.js";
import { isSameAs, listRemote, listSources } from "../existence/sources.js";
import { buildId } from "./state.js";
import { identifyTarget, type Target } from "./target.js";

type NameReference = [argument: string, reference: Reference, name: string];

/** The references by a name that is part of the object's path. */
function listNameReferences(definition: Definition, state: Fields): NameReference[] {
  return Object.entries(definition.references).flatMap(([name, reference]) => {
    const value = state[name];
    return reference.property !== undefined && typeof value === "string" ? [[name, reference, value]] : [];
  });
}

/** Whether only the name of the referenced object is known, and not its identity. */
const isNameAlone = ({ identity }: Reference, state: Fields) =>
  identity !== undefined && state[identity] === undefined;

/** The target with the current names of its parents, where only their names are known. */
export function withNewNames(target: Target): Target {
  const { definition, context, state } = target;
  const renamed = listNameReferences(definition, state).filter(([, reference]) =>
    isNameAlone(reference, state),
  );
  const names = renamed.map(([arg, , name]) => [arg, context.projectName(name)] as const);
  return { ...target, state: { ...state, ...Object.fromEntries(names) } };
}

/** The state with the present names of its parents, where it has former ones. Earlier names of a declaration are not concerned. */
export function withoutFormerNames(definition: Definition, env: Env, state: Fields): Fields {
  if (env[FORMER_NAMES_VARIABLE] === undefined) return state;
  const names = new Map(parseRenames(env, FORMER_NAMES_VARIABLE).map(({ from, to }) => [from, to]));
  const former = listNameReferences(definition, state).filter(([, , name]) => names.has(name));
  return { ...state, ...Object.fromEntries(former.map(([arg, , name]) => [arg, names.get(name)])) };
}

type Env = Readonly<Record<string, string | undefined>>;

/** @throws {ProviderError} `refused` where a declaration refers to an unmanaged parent by its former name */
export function refuseOldNames(definition: Definition, context: Context, news: Fields): void {
  for (const [name, reference, value] of listNameReferences(definition, news)) {
    const now = context.projectName(value);
    if (now === value || !isNameAlone(reference, news)) continue;
    throw new ProviderError(
      "refused",
      `${name} "${value}" was renamed to "${now}" in the service, and this program only refers to it`,
      `write "${now}" in the program`,
    );
  }
}

/**
 * Distinguishes the deletion of an object from a rename of its parent.
 * @throws {ProviderError} `renamed` after a rename, also if another parent has the former name now
 */
export async function refuseRenamed(target: Target, absence: Absence): Promise<void> {
  const { definition, context, state } = target;
  const { identity, outputs } = definition;
  const within = findWithin(definition, state);
  // A part of another object moves with that object, which may be up to date already after a run that failed.
  if (within !== undefined) return refuseRenamed({ ...target, definition: within }, absence);
  // Only an id that the service assigned identifies the object.
  if (outputs[identity.state]?.apiName === undefined || typeof state[identity.state] !== "number") return;
  for (const [arg, { to }, former] of listNameReferences(definition, state)) {
    const name = context.projectName(former);
    const parent = getDefinition(to);
    const { isThere, others } = await context.once(`others/${to}/${name}`, () =>
      listOtherNames(parent, context, name),
    );
    if (isThere && (isProvenGone(target, absence) || (await containsManaged(target, arg)))) continue;
    const found = await findName(target, arg, others);
    if (found === undefined) continue;
    if (isThere) throw createExchangedError(target, parent, former, found);
    context.onRenamed({ from: former, to: found });
    throw new ProviderError(
      "renamed",
      `${parent.noun} "${former}" was renamed to "${found}" outside of Pulumi: its ${definition.noun} ${String(state[identity.state])} is in "${found}" now. No second ${parent.noun} is created`,
      `To keep the new name, declare it (name: ${found}); otherwise the next run restores the old name. In both cases, set ${RENAMED_VARIABLE}=${former}=${found} in the environment of that run, as workspacectl does by itself`,
    );
  }
}

/** The type of the object whose id is part of this object's path. */
function findWithin({ references }: Definition, state: Fields): Definition | undefined {
  const own = Object.values(references).find(
    ({ idOutput = "", copies }) => copies !== undefined && typeof state[idOutput] === "number",
  );
  return own && getDefinition(own.to);
}

function createExchangedError(
  { definition, context, state }: Target,
  { noun }: Definition,
  former: string,
  found: string,
): ProviderError {
  return new ProviderError(
    "renamed",
    `${noun} "${former}" in workspace ${context.workspace} was renamed to "${found}" outside of Pulumi, and another ${noun} has the name "${former}" now: the ${definition.noun} ${String(state[definition.identity.state])} is in "${found}". Neither of the two is changed`,
    `give each ${noun} its former name again in the service: first rename "${former}" to a name that nothing has, then "${found}" to "${former}", and then the first one to the name that is its own. Rename them in the declarations after that, one after the other`,
  );
}

/** Whether a request for the object, which finds it in any parent, has shown that it does not exist. */
function isProvenGone(target: Target, absence: Absence): boolean {
  return absence === "gone" && listSources(target).some((one) => one.kind === "single" && one.anywhere);
}

/** Whether the parent contains the object, or others that the state has in it: then it has kept its name. */
async function containsManaged(target: Target, arg: string): Promise<boolean> {
  const { definition, context, state } = target;
  const list = definition.list(context, state);
  if (list === undefined || list.within !== undefined) return false;
  const items = await listRemote(context, list);
  if (items.some(isSameAs(definition, state))) return true;
  // Other ids do not say in which parent the state has the object.
  if (!definition.id.includes(arg)) return false;
  return items.some((item) => context.manages(definition.type, buildId(identifyTarget(target, item))));
}

/** Whether a parent has this name, and the names of the others. */
async function listOtherNames(parent: Definition, context: Context, name: string) {
  const { state, apiName } = parent.identity;
  const list = parent.list(context, {});
  if (list === undefined) return { isThere: true, others: [] };
  const items = await unlessRefused(listRemote(context, list));
  if (items === undefined) return { isThere: true, others: [] };
  const names = items.map((item) => String(item[apiName]));
  // A list may hide it.
  const isThere =
    names.includes(name) ||
    (await readRemote({ definition: parent, context, state: { [state]: name } })) !== undefined;
  return { isThere, others: names.filter((other) => other !== name) };
}

/** The name of the parent whose list shows the object. */
async function findName(
  { definition, context, state }: Target,
  arg: string,
  names: readonly string[],
): Promise<string | undefined> {
  const before = definition.list(context, state)?.key;
  for (const name of names) {
    const list = definition.list(context, { ...state, [arg]: name });
    // Not every list depends on that name, and a part of another object moves with that object.
    if (list === undefined || list.key === before || list.within !== undefined) continue;
    const items = await unlessRefused(listRemote(context, list));
    if (items?.some(isSameAs(definition, state))) return name;
  }
  return undefined;
}

/** A list, as far as the token may read it. */
function unlessRefused<T>(list: Promise<T>): Promise<T | undefined> {
  return list.catch((error: unknown) => {
    if (isServiceError(error, "not-found", "denied")) return undefined;
    throw error;
  });
}
