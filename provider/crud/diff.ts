/** Decides whether a change of arguments means nothing, an update, or a replacement. */
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import { getValueAt } from "../../diff/structural-diff.js";
import { areBothBlank, hasUnknown, isSameDeclared, isSameValue } from "../../diff/values.js";
import { canonicalizeArgument } from "../../resources/definition/argument-spelling.js";
import {
  type Change,
  type Definition,
  type Fields,
  getArgsSchema,
  listManagedArgs,
} from "../../resources/definition/definition.js";
import { mapReferences } from "../../resources/definition/reference-paths.js";
import { getDefault } from "../../resources/definition/server-defaults.js";
import { isSameSpelling } from "../../resources/definition/spelling.js";
import { ProviderError } from "../../resources/errors.js";

export interface ResourceDiff {
  /** Arguments that differ. */
  readonly changed: readonly string[];
  /** Arguments that are sent: all that differ, except hidden ones and empty values that are no longer declared. */
  readonly sent: readonly string[];
  /** Arguments that replace the object. */
  readonly replaces: readonly string[];
  /** The new object would have the natural key of the old one, so the old one is deleted first. */
  readonly deleteBeforeReplace: boolean;
}

/**
 * Compares the state with the declaration.
 * @param olds outputs of the last run or refresh (they include all arguments)
 * @param news declared arguments
 */
export function diffResource(definition: Definition, olds: Fields, news: Fields): ResourceDiff {
  const changed = findChangedArgs(definition, olds, news);
  const sent = changed.filter(
    (name) =>
      !isLearned(definition, name, olds) &&
      (news[name] !== undefined || !areBothBlank(olds[name], undefined)),
  );
  // Another form of an empty value does not replace the object.
  const different = sent.filter((name) => !areBothBlank(olds[name], news[name]));
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
  // Another name of a parent may be the new name of the same one, and then its object is the same, too.
  const isName = (name: string) =>
    definition.references[name]?.idOutput !== undefined && typeof news[name] === "string";
  const keyChanged = definition.naturalKey.some(
    (name) =>
      isOtherObject(definition, name, { olds, news, changed }) && (hasUnknown(news[name]) || !isName(name)),
  );
  return { changed, sent, replaces: [...new Set(replaces)], deleteBeforeReplace: !keyChanged };
}

/**
 * The difference, if the change may be planned.
 * @throws {ProviderError} `refused` otherwise
 */
export function planChange(
  definition: Definition,
  olds: Fields,
  news: Fields,
  behavior: MeasuredBehavior = {},
): ResourceDiff {
  const result = diffResource(definition, olds, news);
  const refused = definition.validateChange({ olds, news, changed: result.sent, behavior });
  if (refused !== undefined) throw new ProviderError("refused", refused.message, refused.remedy);
  return result;
}

function findChangedArgs(definition: Definition, olds: Fields, news: Fields): string[] {
  const modes = definition.variants?.modes ?? [];
  const names = new Set([
    ...listManagedArgs(definition, olds),
    ...listManagedArgs(definition, news),
    ...modes,
  ]);
  names.delete("workspace"); // compared with the connection, not with the earlier argument
  const wasHidden = new Set(definition.writeOnly(olds));
  const isHidden = new Set(definition.writeOnly(news));
  return [...names].filter((name) => {
    if (hasUnknown(news[name])) return true;
    if (isNotRecorded(definition, name, olds)) return false;
    // The value could not be compared before.
    if (wasHidden.has(name) && !isHidden.has(name)) return true;
    const initial = getDefault(definition, news, name);
    if (isSameDeclared(olds[name], news[name], initial, definition.sets.includes(name))) return false;
    if (isSameArgument(definition, name, olds[name], news[name])) return false;
    return !isSameReference(definition, name, olds, news);
  });
}

/** Whether two values of an argument name the same objects. */
export function isSameArgument(definition: Definition, name: string, one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) => canonicalizeArgument(definition, name, value));
  return a !== undefined && b !== undefined && isSameValue(a, b, definition.sets.includes(name));
}

/**
 * Whether the state has a recovered object without a secret argument that only a creation sends. The journal contains no secrets, and the
 * object exists because the killed run has sent them.
 */
export function isNotRecorded({ replaceOn, createOnly }: Definition, name: string, olds: Fields): boolean {
  return olds[name] === null && (replaceOn.includes(name) || createOnly.includes(name));
}

/** An imported object lacks what the service hides, such as an e-mail address. Its declaration adds it to the state only. */
function isLearned({ mayBeHidden, replaceOn }: Definition, name: string, olds: Fields): boolean {
  return mayBeHidden.includes(name) && replaceOn.includes(name) && olds[name] === undefined;
}

/** Whether names were replaced by the ids that they were resolved to. */
function isSameReference(definition: Definition, name: string, olds: Fields, news: Fields): boolean {
  const reference = definition.references[name];
  if (reference?.idOutput === undefined || news[name] === undefined) return false;
  const [declared, resolved] = [olds[name], olds[reference.idOutput]];
  if (!reference.list) return news[name] === resolved;
  if (!Array.isArray(declared) || !Array.isArray(resolved)) return false;
  const known = mapReferences(reference, news[name], ({ spelling }, value, [, ...inner]) => {
    const index = declared.findIndex((item) => isSameSpelling(spelling, getValueAt(item, inner), value));
    return index < 0 ? value : getValueAt(resolved[index], inner);
  });
  return isSameValue(known, resolved, definition.sets.includes(name));
}

/** Whether a changed argument replaces the object. A renamed referenced object does not, as its identity is the same. */
function isOtherObject(definition: Definition, name: string, { olds, news, changed }: Change): boolean {
  const identity = definition.references[name]?.identity;
  if (identity === undefined || olds[identity] === undefined || news[identity] === undefined) {
    return changed.includes(name);
  }
  return olds[identity] !== news[identity];
}

/**
 * The arguments among the outputs, which a read returns as inputs.
 * @param before the arguments before the read; the object may be of another variant now
 */
export function pickArgs(
  definition: Definition,
  outs: Fields,
  before: Fields = outs,
): Record<string, unknown> {
  const modes = definition.variants?.modes ?? [];
  const names = new Set([...Object.keys(getArgsSchema(definition, before).shape), ...modes]);
  return Object.fromEntries([...names].filter((name) => name in outs).map((name) => [name, outs[name]]));
}

/** The outputs that are no arguments. They stay when the arguments change. */
export function getIdentity(definition: Definition, olds: Fields): Fields {
  const args = Object.keys(pickArgs(definition, olds));
  return Object.fromEntries(Object.entries(olds).filter(([name]) => !args.includes(name)));
}

/** The arguments in the spelling of the declaration. Another one changes no object, so the outputs may still have the former one. */
export function withSpelling(
  definition: Definition,
  args: Fields,
  declared: Fields,
): Record<string, unknown> {
  const named = Object.keys({ ...definition.spelling, ...definition.references }).filter(
    (name) => name in args && isSameArgument(definition, name, args[name], declared[name]),
  );
  return { ...args, ...Object.fromEntries(named.map((name) => [name, declared[name]])) };
}
