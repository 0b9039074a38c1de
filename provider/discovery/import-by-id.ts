/** Reads an object that no state knows yet, by its import id. */
import type { z } from "zod";
import type { Session } from "../connection/session.js";
import { gather } from "../crud/remote-object.js";
import { pickArgs } from "../crud/diff.js";
import { stateAfterRead } from "../crud/state.js";
import {
  argsSchema,
  type Definition,
  type Fields,
  type ReadSource,
  type RemoteObject,
} from "../definition/definition.js";
import { parseImportId } from "../definition/import-id.js";
import { defaultOf } from "../definition/server-defaults.js";
import { bothBlank, sameDeclared } from "../../diff/values.js";
import { isComplete, shownArgs } from "./arguments.js";

export interface FoundById {
  readonly id: string;
  readonly outs: Fields;
  /** What a declaration of the object would say. */
  readonly args: Fields;
}

/**
 * @returns undefined when there is no such object
 * @throws {ProviderError} when the id is none of the type's
 */
export async function findById(
  definition: Definition,
  session: Session,
  id: string,
): Promise<FoundById | undefined> {
  const { workspace, ...parts } = parseImportId(definition, id);
  const context = session.context({ workspace });
  const state = { ...emptyLists(definition), ...parts };
  const read = new Set<ReadSource>();
  const target = { definition, context, state };
  const remote = await gather(target, (seen) => isComplete(definition, seen), undefined, read);
  if (remote === undefined) return undefined;
  const declared = { ...state, ...declaredArgs(definition, remote) };
  const whole = [...read].some((source) => source.kind === "single" && source.madeOf === undefined);
  const kept = stateAfterRead({ ...target, state: declared }, { remote, whole });
  return { id: kept.id, outs: kept.outs, args: pickArgs(definition, kept.outs) };
}

/** The arguments that the object shows, without those that say what nobody has to say. */
function declaredArgs(definition: Definition, remote: RemoteObject): Fields {
  const shown = shownArgs(definition, remote);
  const masked = definition.masked(shown);
  const shape = argsSchema(definition, shown).shape as Readonly<Record<string, z.ZodType>>;
  const said = Object.entries(shown).filter(([name, value]) => {
    // A masked value is none that could be sent back.
    if (masked.includes(name) && typeof value === "string" && value.startsWith("secure!")) return false;
    if (definition.variants?.modes.includes(name)) return true;
    const isOptional = shape[name]?.safeParse(undefined).success === true;
    const usual = defaultOf(definition, shown, name);
    return !(isOptional && (bothBlank(value, null) || sameDeclared(value, undefined, usual)));
  });
  return Object.fromEntries(said);
}

/** Lists of references that an object holds itself begin with nothing. */
function emptyLists({ references }: Definition): Fields {
  const lists = Object.entries(references).filter(
    ([, { list, idOutput }]) => list === true && idOutput === undefined,
  );
  return Object.fromEntries(lists.map(([arg]) => [arg, []]));
}
