/**
 * A project has no number: after a rename by somebody else it looks deleted, and so does everything in it. The numbered objects
 * in it reveal the rename, since they stand under another name now. Creating a second project instead is refused until the user
 * confirms the new name. Then the run follows it, and the name is an argument that differs like any other.
 */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import type { Definition, Fields, Reference } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { isSameAs, listed, readRemote } from "./remote-object.js";
import { definitionOf } from "../resources/registry.js";
import { RENAMED_VARIABLE } from "./renames.js";
import type { Target } from "./target.js";

type NameReference = [argument: string, reference: Reference, name: string];

/** References by a name that is part of the object's path: where the name changes, the path does. */
function byName(definition: Definition, state: Fields): NameReference[] {
  return Object.entries(definition.references).flatMap(([name, reference]) => {
    const value = state[name];
    return reference.property !== undefined && typeof value === "string" ? [[name, reference, value]] : [];
  });
}

/** Whether only the name of the referenced object is known. Where its identity is known too, a new name changes nothing. */
const isNameAlone = ({ identity }: Reference, state: Fields) =>
  identity !== undefined && state[identity] === undefined;

/** The target under the current names of its parents, where only their names are known and were changed meanwhile. */
export function withNewNames(target: Target): Target {
  const { definition, context, state } = target;
  const renamed = byName(definition, state).filter(([, reference]) => isNameAlone(reference, state));
  const names = renamed.map(([arg, , name]) => [arg, context.projectName(name)] as const);
  return { ...target, state: { ...state, ...Object.fromEntries(names) } };
}

/** @throws {ProviderError} `refused` where a declaration refers to an unmanaged parent by its former name */
export function refuseOldNames(definition: Definition, context: Context, news: Fields): void {
  for (const [name, reference, value] of byName(definition, news)) {
    const now = context.projectName(value);
    if (now === value || !isNameAlone(reference, news)) continue;
    throw new ProviderError(
      "refused",
      `${name} "${value}" is called "${now}" now, and it is not managed here: write its new name`,
    );
  }
}

/**
 * Tells the deletion of an object from a rename of its parent.
 * @throws {ProviderError} `renamed` in the second case
 */
export async function refuseRenamed(target: Target): Promise<void> {
  const { definition, context, state } = target;
  const { identity, outputs } = definition;
  // A number that the service gave to this very object, and to no other.
  if (outputs[identity.state]?.apiName === undefined || typeof state[identity.state] !== "number") return;
  for (const [arg, { to }, remembered] of byName(definition, state)) {
    const name = context.projectName(remembered);
    const others = await context.once(`others/${to}/${name}`, () =>
      otherNames(definitionOf(to), context, name),
    );
    const found = await nameOf(target, arg, others);
    if (found === undefined) continue;
    context.onRenamed({ from: remembered, to: found });
    throw new ProviderError(
      "renamed",
      `${definitionOf(to).noun} "${remembered}" was renamed to "${found}" outside: ${definition.noun} ` +
        `${String(state[identity.state])} of it stands there now. Nothing is made in its place. To keep the new name, declare it ` +
        `(name: ${found}); otherwise it gets its old name back. Either way run this once with ` +
        `${RENAMED_VARIABLE}=${remembered}=${found} in the environment, as workspacectl does by itself`,
    );
  }
}

/** The names that the parent may have now; none when it still has this one. */
async function otherNames(parent: Definition, context: Context, name: string): Promise<string[]> {
  const { state, apiName } = parent.identity;
  const list = parent.list(context, {});
  if (list === undefined) return [];
  const names = (await listed(context, list)).map((item) => String(item[apiName]));
  if (names.includes(name)) return [];
  // A list may hide it.
  if ((await readRemote({ definition: parent, context, state: { [state]: name } })) !== undefined) return [];
  return names;
}

/** The name under which a list shows the object. */
async function nameOf(
  { definition, context, state }: Target,
  arg: string,
  names: readonly string[],
): Promise<string | undefined> {
  const before = definition.list(context, state)?.key;
  for (const name of names) {
    const list = definition.list(context, { ...state, [arg]: name });
    // Not every list depends on that name, and a part of another object moves with that object.
    if (list === undefined || list.key === before || list.within !== undefined) continue;
    const items = await listed(context, list).catch((error: unknown) => {
      if (isServiceError(error, "not-found", "denied")) return [];
      throw error;
    });
    if (items.some(isSameAs(definition, state))) return name;
  }
  return undefined;
}
