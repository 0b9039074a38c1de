/** Decides what it means that no source shows an object. A list only ever adds candidates: it proves no absence. */
import { isServiceError } from "../../client/index.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { ProviderError } from "../../resources/errors.js";
import { getDefinition } from "../../resources/registry.js";
import type { Target } from "../crud/target.js";
import { isAdministrator } from "./caller.js";
import { getListSource, isListed, isReadable, listRemote, listSources, readAlone } from "./sources.js";

/**
 * Why no source shows an object. `gone`: the request for it says so, to a caller who would see it. `hidden`: the caller may not be allowed
 * to see it. `elsewhere`: it exists, but its parent in the state does not contain it.
 */
export type Absence = "gone" | "hidden" | "elsewhere";

export async function judgeAbsence(target: Target): Promise<Absence> {
  for (const source of listSources(target))
    if (
      source.kind === "single" &&
      source.anywhere &&
      (await readAlone(target.context, source)) !== undefined
    )
      return "elsewhere";
  if (await mayBeHidden(target)) return "hidden";
  await refuseContradiction(target);
  return "gone";
}

/** @throws {ProviderError} where the service does not find what contains the object, although a list shows that */
async function refuseContradiction(target: Target): Promise<void> {
  const { definition, context, state } = target;
  const list = getListSource(target);
  const [parent] = listParents(target);
  // A deeper object is in something else, too, which may be gone.
  const [container, , deeper] = definition.id;
  const isDeeper = deeper !== undefined || definition.references[container ?? ""]?.property === undefined;
  if (list === undefined || parent === undefined || isDeeper) return;
  const isFound = await listRemote(context, list).then(
    () => true,
    (error: unknown) => !isServiceError(error, "not-found"),
  );
  if (isFound || !(await isListed(parent))) return;
  const { noun, identity } = parent.definition;
  const name = `${noun} "${String(parent.state[identity.state])}"`;
  throw new ProviderError(
    "unreadable",
    `nobody knows whether ${getDisplayName(definition, state)} in workspace ${context.workspace} exists: the service says that ${name} does not exist, and its list shows it`,
    `run the command again later; if this stays so, open ${name} in the service as the user of this token`,
  );
}

/** Whether the calling user may not see an object that exists perhaps. */
export async function mayBeHidden(target: Target): Promise<boolean> {
  if (target.definition.restricted !== true && (await isParentShown(target))) return false;
  return !(await isAdministrator(target.context));
}

/** Whether the caller sees what contains the object, and so everything in it. */
async function isParentShown(target: Target): Promise<boolean> {
  const { context } = target;
  const list = getListSource(target);
  try {
    if (list !== undefined && (await listRemote(context, list)).length > 0) return true;
  } catch (error) {
    if (isServiceError(error, "not-found")) return false;
    throw error;
  }
  // An empty list may belong to a parent that does not exist.
  for (const parent of listParents(target)) if (!(await isReadable(parent))) return false;
  return true;
}

/** The objects whose names are part of the path of this one. */
function listParents({ definition, context, state }: Target): Target[] {
  return Object.entries(definition.references).flatMap(([arg, { to, property }]) => {
    const name = state[arg];
    if (property === undefined || typeof name !== "string") return [];
    const parent = getDefinition(to);
    return [{ definition: parent, context, state: { [parent.identity.state]: context.projectName(name) } }];
  });
}

/** The refusal of what rests on the absence of an object that is perhaps hidden. */
export function createHiddenError({ definition, context, state }: Target): ProviderError {
  return new ProviderError(
    "perhaps-hidden",
    `${getDisplayName(definition, state)} in workspace ${context.workspace} is perhaps hidden from this token: the service does not show it, and the token's user is no administrator`,
    "use the token of a workspace administrator (workspacectl login, or WORKSPACE_AUTOMATION_TOKEN)",
  );
}

/** The refusal to read an object that another parent contains. */
export function createElsewhereError({ definition, context, state }: Target): ProviderError {
  const { noun, identity } = definition;
  return new ProviderError(
    "unreadable",
    `${getDisplayName(definition, state)} in workspace ${context.workspace} exists (number ${String(state[identity.state])}), but not in the object that its declaration names as its parent`,
    `check in the service where the ${noun} is, and correct the declaration, or delete it there`,
  );
}
