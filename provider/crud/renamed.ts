/**
 * A project has no number: one that somebody renamed outside looks gone, and everything in it too. What the service numbered
 * gives it away, since it stands under another name now. Making a second project in its place is refused until somebody says
 * that the new name is known; then the run follows it, and the name is an argument that differs like any other.
 */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import type { Definition, Fields, Reference } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { isSameAs, listed, readRemote } from "./remote-object.js";
import { definitionOf } from "../resources/registry.js";
import { RENAMED_VARIABLE } from "./renames.js";

/** References by a name that leads to the object: where the name changes, the way to the object does. */
function byName(
  definition: Definition,
  state: Fields,
): [name: string, reference: Reference, value: string][] {
  return Object.entries(definition.references).flatMap(([name, reference]) => {
    const value = state[name];
    return reference.property !== undefined && typeof value === "string" ? [[name, reference, value]] : [];
  });
}

/** Is the name all that is known of what it refers to? Where its identity is known too, a new name changes nothing. */
const isNameAlone = ({ identity }: Reference, state: Fields) =>
  identity !== undefined && state[identity] === undefined;

/** The state of an object, where what it stands in is only known by a name that was changed meanwhile. */
export function withNewNames(definition: Definition, context: Context, state: Fields): Fields {
  const renamed = byName(definition, state).filter(([, reference]) => isNameAlone(reference, state));
  return {
    ...state,
    ...Object.fromEntries(renamed.map(([name, , value]) => [name, context.projectName(value)])),
  };
}

/** @throws {ProviderError} `refused` where a declaration names an unmanaged parent by the name that it had */
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
 * An object that is not where it was: is it gone, or was what it stands in renamed?
 * @throws {ProviderError} `renamed` in the second case
 */
export async function refuseRenamed(definition: Definition, context: Context, state: Fields): Promise<void> {
  const { identity, outputs } = definition;
  // A number that the service gave to this very object, and to no other.
  if (outputs[identity.state]?.apiName === undefined || typeof state[identity.state] !== "number") return;
  for (const [arg, { to }, remembered] of byName(definition, state)) {
    const name = context.projectName(remembered);
    const others = await context.once(`others/${to}/${name}`, () =>
      otherNames(definitionOf(to), context, name),
    );
    const found = await nameOf(definition, context, state, arg, others);
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

/** Names that the object may have now which is not there under this one; none when it is there. */
async function otherNames(parent: Definition, context: Context, name: string): Promise<string[]> {
  const { state, apiName } = parent.identity;
  const list = parent.list(context, {});
  if (list === undefined) return [];
  const names = (await listed(context, list)).map((item) => String(item[apiName]));
  if (names.includes(name)) return [];
  // A list may hide it.
  if ((await readRemote(parent, context, { [state]: name })) !== undefined) return [];
  return names;
}

/** The name under which a list shows the object. */
async function nameOf(
  definition: Definition,
  context: Context,
  state: Fields,
  arg: string,
  names: readonly string[],
): Promise<string | undefined> {
  const before = definition.list(context, state)?.key;
  for (const name of names) {
    const list = definition.list(context, { ...state, [arg]: name });
    // Not every list depends on that name, and a part of another object goes where that one goes.
    if (list === undefined || list.key === before || list.within !== undefined) continue;
    const items = await listed(context, list).catch((error: unknown) => {
      if (isServiceError(error, "not-found", "denied")) return [];
      throw error;
    });
    if (items.some(isSameAs(definition, state))) return name;
  }
  return undefined;
}
