/** Converts the arguments of a declaration to the contents of its entry. */
import { isExclusive, listArgsFromParent, listKindsUnder } from "../../resources/definition/placement.js";
import {
  type Definition,
  definitions,
  type Fields,
  getArgsShape,
  mapReferences,
} from "../../resources/index.js";
import { escapePlaceholders } from "../compose/placeholders.js";
import { AsWritten } from "../edit/edit-types.js";
import { Ref } from "../load/resolve-names.js";
import type { ResourceDeclaration } from "../load/resource-declaration.js";
import { Interpolated } from "../syntax/tree.js";
import { getKeyOfName, listFormerKeys } from "./split-names.js";
import type { WriteOptions, WrittenFields } from "./types.js";

export interface WrittenEntry {
  readonly fields: WrittenFields;
  /** Short form of the entry, if there is one. */
  readonly short: unknown;
  /** Objects that are referred to by name and not declared. */
  readonly externals: readonly { readonly type: string; readonly key: string }[];
}

/** What entries have in common with those around them, which they do not repeat. */
export interface Inherited {
  /** Whether the top of the document sets `adopt` for all entries. */
  readonly adopt: boolean;
  readonly retain: boolean;
}

export function writeEntryArguments(
  declaration: ResourceDeclaration,
  key: string,
  { prune = false }: WriteOptions,
  inherited: Inherited,
): WrittenEntry {
  const { definition, retain, protect } = declaration;
  const placement = definition.document!;
  const externals: { type: string; key: string }[] = [];
  const fields: WrittenFields = {};
  const elsewhere = new Set([
    ...listArgsFromParent(definition),
    ...(inherited.adopt ? ["adopt"] : []),
    // Loading finds it by itself.
    ...(definition.sharedKey === undefined ? [] : [definition.sharedKey.key]),
  ]);
  for (const [arg, value] of Object.entries(declaration.args)) {
    if (elsewhere.has(arg) || value === undefined) continue;
    if (arg === placement.keyedBy && (toKey(value) === key || placement.form === "keys")) {
      withKeys(definition, arg, value, externals);
      continue;
    }
    if (prune && isDefault(definition, declaration.args, arg, value)) continue;
    const named = withKeys(definition, arg, value, externals);
    fields[arg] = writeExclusiveSection(definition, declaration.args, arg, named) ?? named;
  }
  const former = listFormerKeys(declaration);
  if (former.length > 0) fields["previously"] = former.map(escapePlaceholders);
  if (retain !== inherited.retain) fields["retain"] = retain;
  if (protect !== undefined) fields["protect"] = protect;
  return { fields, short: shortenFields(fields, placement.scalar), externals };
}

const toKey = (value: unknown) => (value instanceof Ref ? getKeyOfName(value.name) : value);

/** Returns the value with references by key and with texts escaped. */
function withKeys(
  definition: Definition,
  arg: string,
  value: unknown,
  externals: { type: string; key: string }[],
): unknown {
  const reference = definition.references[arg];
  const named = reference
    ? mapReferences(reference, value, ({ to }, inner) => {
        if (inner instanceof Ref) return getKeyOfName(inner.name);
        if (typeof inner === "string") externals.push({ type: to, key: inner });
        return inner;
      })
    : value;
  return asWritten(named);
}

function asWritten(value: unknown): unknown {
  if (typeof value === "string") return escapePlaceholders(value);
  if (value instanceof AsWritten) return value.text;
  if (value instanceof Interpolated) {
    const parts = value.parts.map((part) =>
      typeof part === "string" ? escapePlaceholders(part) : `\${ref:${part.name}.${part.output}}`,
    );
    return parts.join("");
  }
  if (Array.isArray(value)) return value.map(asWritten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asWritten(inner)]));
}

/** Converts a list that the object manages exclusively to its section. */
function writeExclusiveSection(definition: Definition, args: Fields, arg: string, value: unknown): unknown {
  const kind = listKindsUnder(definitions, definition.type).find(({ document }) => document.section === arg);
  if (kind === undefined || !isExclusive(kind, args) || kind.document.form !== "map") return undefined;
  const { keyedBy, scalar } = kind.document;
  const items = value as readonly Fields[];
  // A number would become a text, and keys must be unique.
  const keys = items.map((item) => item[keyedBy]);
  if (keys.some((key) => typeof key !== "string") || new Set(keys).size < keys.length) return undefined;
  return Object.fromEntries(
    items.map(({ [keyedBy]: key, ...rest }) => [String(key), shortenFields(rest, scalar) ?? rest]),
  );
}

/** Returns the short form of an entry with a single value. */
function shortenFields(fields: Fields, scalar: string | undefined): unknown {
  const names = Object.keys(fields);
  if (scalar === undefined || names.length !== 1 || names[0] !== scalar) return undefined;
  const value = fields[scalar];
  return typeof value === "object" ? undefined : value;
}

function isDefault(definition: Definition, args: Fields, arg: string, value: unknown): boolean {
  const meta = getArgsShape(definition, args)[arg]?.meta();
  return meta !== undefined && Object.hasOwn(meta, "default") && meta["default"] === value;
}
