/** `defaults`: arguments for every entry of a type, unless the entry sets them itself. */
import { type DocumentKind, listArgsFromParent } from "../../resources/definition/placement.js";
import { addArticle, formatHint } from "../../resources/definition/problems.js";
import { definitions, type Fields, getVariant } from "../../resources/index.js";
import type { entryWords } from "../document/properties.js";
import {
  findLeafValue,
  getValue,
  type MapTree,
  mapTree,
  type Tree,
  type TreeMember,
  withMembers,
} from "../syntax/tree.js";
import type { Problems } from "./diagnostics.js";
import { applyOverlay } from "./overlay.js";
import { getSections, mapEntries } from "./shape.js";

/** Keywords of an entry that may have a default. */
const WORDS = ["retain", "protect", "ignoreChanges"] satisfies (keyof typeof entryWords)[];

/** Applies the defaults to each entry, including its children. */
export function applyDefaults(document: MapTree, problems: Problems): MapTree {
  const section = document.entries.get("defaults");
  if (section === undefined) return document;
  const rest = withMembers(document, { defaults: undefined });
  const defaults = readDefaults(section.value, problems);
  return mapEntries(rest, (entry, kind) => {
    const tree = defaults.get(kind.type);
    if (tree === undefined || isExternal(entry)) return [entry];
    const written = findLeafValue(entry) === null ? mapTree(new Map(), entry.at) : entry;
    const fitting = keepFitting(tree, written, kind);
    return [{ ...applyOverlay(fitting, written, { is: "entry", kind }, problems), at: entry.at }];
  });
}

function readDefaults(section: Tree, problems: Problems): Map<string, MapTree> {
  const defaults = new Map<string, MapTree>();
  if (findLeafValue(section) === null) return defaults;
  const placed = definitions.filter(
    (d): d is DocumentKind => d.document !== undefined && d.document.form !== "keys",
  );
  if (section.kind !== "map") {
    problems.add(
      section.at,
      "wrong-type",
      '"defaults" must be a map: each key is a type, such as Pipeline, with its default arguments below it',
    );
    return defaults;
  }
  for (const [type, { key, value }] of section.entries) {
    const kind = placed.find((d) => d.type === type);
    const types = placed.map((d) => d.type);
    if (kind === undefined) {
      const ofSection = placed.filter((d) => d.document.section === type).map((d) => d.type);
      const meant =
        ofSection.length > 0 ? `. Did you mean ${ofSection.join(" or ")}?` : formatHint(type, types);
      problems.add(
        key,
        "unknown-property",
        `unknown type "${type}"${meant || `: they are ${types.join(", ")}`}`,
      );
    } else if (value.kind !== "map") {
      if (findLeafValue(value) !== null)
        problems.add(value.at, "wrong-type", `must be a map with the properties of ${addArticle(kind.noun)}`);
    } else {
      defaults.set(type, keepKnown(value, kind, problems));
    }
  }
  return defaults;
}

/** Removes and reports what no entry of the kind can have. */
function keepKnown(tree: MapTree, kind: DocumentKind, problems: Problems): MapTree {
  const variants = Object.values(kind.variants?.of ?? {}).flatMap((variant) => Object.keys(variant.args));
  const ownName = kind.document.keyedBy;
  const known = [...listArguments(kind), ...variants].filter((name) => name !== ownName);
  const unknown = [...tree.entries].filter(([name]) => !known.includes(name));
  for (const [name, { key }] of unknown) {
    const message =
      name === ownName
        ? `"${name}" cannot have a default, because each ${kind.noun} has another one: remove it here`
        : `${addArticle(kind.noun)} has no "${name}"${formatHint(name, known) || ": remove it here"}`;
    problems.add(key, "unknown-property", message);
  }
  return withMembers(tree, Object.fromEntries(unknown.map(([name]) => [name, undefined])));
}

/** Returns the defaults that apply to an entry, which depend on its variant. */
function keepFitting(tree: MapTree, entry: Tree, kind: DocumentKind): MapTree {
  if (!kind.variants) return tree;
  const written = entry.kind === "map" ? (getValue(entry) as Fields) : {};
  const variant = getVariant(kind, { ...(getValue(tree) as Fields), ...written });
  const known = new Set([...listArguments(kind), ...Object.keys(variant?.args ?? {})]);
  const entries = [...tree.entries].filter(([name]): boolean => known.has(name));
  return mapTree(new Map<string, TreeMember>(entries), tree.at);
}

function listArguments(kind: DocumentKind): string[] {
  const fromPlace = listArgsFromParent(kind);
  const own = Object.keys(kind.args.shape).filter((name) => !fromPlace.includes(name));
  return [...own, ...getSections(kind.type).keys(), ...WORDS];
}

function isExternal(entry: Tree): boolean {
  return entry.kind === "map" && findLeafValue(entry.entries.get("external")?.value) === true;
}
