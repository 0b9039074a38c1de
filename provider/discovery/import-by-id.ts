/** Reads an object that is not in the state, by its import id. */
import { areBothBlank, isSameDeclared, isSameJson } from "../../diff/values.js";
import { listApiKeys, requestBody } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import {
  type Definition,
  type Fields,
  getArgsShape,
  isOptional,
  type ReadSource,
  type RemoteObject,
} from "../../resources/definition/definition.js";
import { completeImportId, parseImportId } from "../../resources/definition/import-id.js";
import { getDefault } from "../../resources/definition/server-defaults.js";
import { ProviderError } from "../../resources/errors.js";
import { getDefinition } from "../../resources/registry.js";
import type { Session } from "../connection/session.js";
import { pickArgs } from "../crud/diff.js";
import { buildId, buildStateAfterRead } from "../crud/state.js";
import { mayBeHidden } from "../existence/absence.js";
import { gather } from "../existence/sources.js";
import { isComplete, readShownArgs, withNames } from "./arguments.js";

export interface FoundById {
  readonly id: string;
  readonly outs: Fields;
  /** The arguments that a declaration of the object would have. */
  readonly args: Fields;
}

/**
 * Reads an object for an import, or for a program that reads it.
 * @param given its import id; or its Pulumi id, if `stated` contains the rest of its path
 * @throws {ProviderError} when the object is of another variant than `stated` says
 */
export async function importById(
  definition: Definition,
  session: Session,
  given: string,
  stated: Fields,
): Promise<FoundById | undefined> {
  const found = await findById(definition, session, completeImportId(definition, given, stated));
  const { type, noun, variants } = definition;
  for (const name of found && variants ? [variants.chosenBy, ...variants.modes] : []) {
    if (stated[name] === undefined || stated[name] === found?.args[name]) continue;
    throw new ProviderError(
      "refused",
      `${noun} ${found?.id} has another type: its ${name} is ${String(found?.args[name])}, not ${JSON.stringify(stated[name])}`,
      `use ${type}, or the type for that ${name}`,
    );
  }
  return found;
}

/** The error where an id names nothing: an import, or a program that reads it, must not continue with an empty object. */
export async function createNotThereError(
  definition: Definition,
  session: Session,
  given: string,
  stated: Fields,
): Promise<ProviderError> {
  const { workspace, ...parts } = parseImportId(definition, completeImportId(definition, given, stated));
  const context = session.context({ workspace });
  const what = `there is no ${definition.noun} ${given}`;
  const hidden = await mayBeHidden({ definition, context, state: parts });
  return hidden
    ? new ProviderError(
        "perhaps-hidden",
        `${what}, as far as this token shows, whose user is no administrator`,
        "correct the id, or use the token of a workspace administrator",
      )
    : new ProviderError(
        "not-there",
        what,
        'correct the id. An object that is in the state by mistake is removed with "pulumi state delete"',
      );
}

/**
 * @returns undefined when there is no such object
 * @throws {ProviderError} when the id has none of the type's forms
 */
export async function findById(
  definition: Definition,
  session: Session,
  id: string,
): Promise<FoundById | undefined> {
  const { workspace, ...parts } = parseImportId(definition, id);
  const context = session.context({ workspace });
  const state = { ...parts, ...copyParts(definition, context, parts) };
  const read = new Set<ReadSource>();
  const target = { definition, context, state };
  const isEnough = (seen: RemoteObject) => isComplete(definition, seen) && hasOutputs(definition, seen);
  const remote = await gather(target, isEnough, undefined, read);
  if (remote === undefined) return undefined;
  const shown = readShownArgs(definition, remote);
  const named = await withNames(definition, context, { ...state, ...shown }, shown);
  const declared = {
    ...state,
    ...readIds(definition, shown),
    ...readDeclaredArgs(definition, remote, named),
  };
  const whole = [...read].some((source) => source.kind === "single" && source.madeOf === undefined);
  const result = buildStateAfterRead({ ...target, state: declared }, { remote, whole });
  return { id: result.id, outs: result.outs, args: pickArgs(definition, result.outs) };
}

/** Whether the object shows every output that is always present. A later refresh does not read a missing one. */
function hasOutputs({ outputs }: Definition, remote: RemoteObject): boolean {
  return Object.values(outputs).every(
    ({ apiName, schema }) => apiName === undefined || apiName in remote || isOptional(schema),
  );
}

/**
 * The outputs that a declaration copies from its parents, as far as their names determine them. With the id of its project, an object
 * stays the same when the project is renamed.
 */
function copyParts({ references }: Definition, context: Context, parts: Fields): Fields {
  const copies = Object.entries(references).flatMap(([arg, { to, copies = {} }]) => {
    const name = parts[arg];
    return Object.entries(copies).flatMap(([copied, output]) => {
      if (typeof name !== "string" || output !== "id") return [];
      const definition = getDefinition(to);
      return [[copied, buildId({ definition, context, state: { [definition.identity.state]: name } })]];
    });
  });
  return Object.fromEntries(copies) as Fields;
}

/** The ids of references, which the service shows. */
function readIds({ references }: Definition, shown: Fields): Fields {
  return Object.fromEntries(
    Object.entries(references).flatMap(([arg, { idOutput }]) =>
      idOutput === undefined || shown[arg] === undefined ? [] : [[idOutput, shown[arg]]],
    ),
  );
}

/** The arguments that the object shows, without those that a declaration can omit. */
function readDeclaredArgs(definition: Definition, remote: RemoteObject, shown: Fields): Fields {
  const masked = definition.masked(shown);
  const shape = getArgsShape(definition, shown);
  const needed = Object.entries(shown).filter(([name, value]) => {
    // A masked value must not be sent back.
    if (masked.includes(name) && typeof value === "string" && value.startsWith("secure!")) return false;
    if (definition.variants?.modes.includes(name)) return true;
    if (hasBetterForm(definition, remote, name, shown)) return false;
    const usual = getDefault(definition, shown, name);
    return !(
      isOptional(shape[name]) &&
      (areBothBlank(value, null) || isSameDeclared(value, undefined, usual))
    );
  });
  return Object.fromEntries(needed);
}

/** Whether another argument represents the same value better. The first argument that represents it completely is the best. */
function hasBetterForm(definition: Definition, remote: RemoteObject, name: string, shown: Fields): boolean {
  const keys = listApiKeys(definition, name, shown[name]);
  const forms = Object.keys(shown).filter((other) =>
    listApiKeys(definition, other, shown[other]).some((key) => keys.includes(key)),
  );
  if (forms.length < 2) return false;
  const isWhole = (form: string) => {
    const sent = requestBody(definition, shown, [form], true);
    return Object.entries(sent).every(([key, value]) => isSameJson(value, remote[key]));
  };
  const best = forms.find(isWhole);
  return best !== undefined && best !== name;
}
