/** Decides what a change of arguments means: nothing, an update, or a replacement. */
import {
  argsSchema,
  managedArgs,
  type Change,
  type Definition,
  type Fields,
} from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { mapReferences, type ReferencePath } from "../definition/reference-paths.js";
import { defaultOf } from "../definition/server-defaults.js";
import { bothBlank, hasUnknown, sameDeclared, sameValue } from "../../diff/values.js";

export interface ResourceDiff {
  /** Arguments that differ. */
  readonly changed: readonly string[];
  /** Those that are sent: all but empty values that are no longer declared. */
  readonly sent: readonly string[];
  /** Those that replace the object. */
  readonly replaces: readonly string[];
  /** The new object would have the natural key of the old one, so the old one is deleted first. */
  readonly deleteBeforeReplace: boolean;
}

/**
 * Compares what the state holds with what is declared.
 * @param olds outputs of the last run or refresh (they include all arguments)
 * @param news declared arguments
 */
export function difference(definition: Definition, olds: Fields, news: Fields): ResourceDiff {
  const found = changedArgs(definition, olds, news);
  const changed = [...new Set([...found, ...definition.resent({ olds, news, changed: found })])];
  const sent = changed.filter((name) => news[name] !== undefined || !bothBlank(olds[name], undefined));
  // Another form of an empty value does not replace the object.
  const different = sent.filter((name) => !bothBlank(olds[name], news[name]));
  const change: Change = { olds, news, changed: different };
  const replaces = [
    ...definition.replaceOn.filter((name) => isOtherObject(definition, name, change)),
    ...definition.replaceWhen(change),
  ];
  // The arguments of one variant have no meaning for another.
  const { variants } = definition;
  if (variants && variants.select(olds) !== variants.select(news) && variants.select(news) !== undefined) {
    replaces.push(variants.chosenBy);
  }
  const keyChanged = definition.naturalKey.some((name) => changed.includes(name));
  return { changed, sent, replaces: [...new Set(replaces)], deleteBeforeReplace: !keyChanged };
}

/**
 * What a change means.
 * @throws {ProviderError} when the change must not be planned
 */
export function planChange(definition: Definition, olds: Fields, news: Fields): ResourceDiff {
  const result = difference(definition, olds, news);
  const refused = definition.validateChange({ olds, news, changed: result.sent });
  if (refused !== undefined) throw new ProviderError("refused", refused);
  return result;
}

function changedArgs(definition: Definition, olds: Fields, news: Fields): string[] {
  const modes = definition.variants?.modes ?? [];
  const names = new Set([...managedArgs(definition, olds), ...managedArgs(definition, news), ...modes]);
  names.delete("workspace"); // compared with the connection, not with what was written before
  const wasHidden = new Set(definition.writeOnly(olds));
  const isHidden = new Set(definition.writeOnly(news));
  return [...names].filter((name) => {
    if (hasUnknown(news[name])) return true;
    // The value has not been compared so far.
    if (news[name] !== undefined && wasHidden.has(name) && !isHidden.has(name)) return true;
    const usual = defaultOf(definition, news, name);
    if (sameDeclared(olds[name], news[name], usual, definition.sets.includes(name))) return false;
    return !isSameReference(definition, name, olds, news);
  });
}

/** Whether names were replaced by the ids that they were resolved to. */
function isSameReference(definition: Definition, name: string, olds: Fields, news: Fields): boolean {
  const reference = definition.references[name];
  if (reference?.idOutput === undefined || news[name] === undefined) return false;
  const [declared, resolved] = [olds[name], olds[reference.idOutput]];
  if (!reference.list) return news[name] === resolved;
  if (!Array.isArray(declared) || !Array.isArray(resolved)) return false;
  const known = mapReferences(reference, news[name], (_reference, value, [, ...inner]) => {
    const index = declared.findIndex((item) => at(item, inner) === value);
    return index < 0 ? value : at(resolved[index], inner);
  });
  return sameValue(known, resolved, definition.sets.includes(name));
}

function at(item: unknown, path: ReferencePath): unknown {
  return path.reduce<unknown>((value, step) => (value as Fields | undefined)?.[step], item);
}

/** Whether a changed argument replaces the object. A referenced object with another name but the same identity does not. */
function isOtherObject(definition: Definition, name: string, { olds, news, changed }: Change): boolean {
  const identity = definition.references[name]?.identity;
  if (identity === undefined || olds[identity] === undefined || news[identity] === undefined) {
    return changed.includes(name);
  }
  return olds[identity] !== news[identity];
}

/**
 * The arguments among outputs: what read returns as inputs.
 * @param before arguments by which it was read; the object may have become another variant since
 */
export function pickArgs(
  definition: Definition,
  outs: Fields,
  before: Fields = outs,
): Record<string, unknown> {
  const modes = definition.variants?.modes ?? [];
  const names = new Set([...Object.keys(argsSchema(definition, before).shape), ...modes]);
  return Object.fromEntries([...names].filter((name) => name in outs).map((name) => [name, outs[name]]));
}

/** The outputs that identify the object. They stay when its arguments change. */
export function identityOf(definition: Definition, olds: Fields): Fields {
  const args = Object.keys(pickArgs(definition, olds));
  return Object.fromEntries(Object.entries(olds).filter(([name]) => !args.includes(name)));
}
