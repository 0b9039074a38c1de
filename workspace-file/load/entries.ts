/** Reads the sections of a workspace file entry by entry. */
import { z } from "zod";
import { isPlain } from "../../diff/values.js";
import {
  didYouMean,
  addArticle,
  listProblems,
  type Problem,
  type PropertyPath,
} from "../../provider/definition/problems.js";
import { buildNameIn } from "../../provider/definition/logical-name.js";
import {
  isExclusive,
  listKindsUnder,
  WORKSPACE,
  type DocumentKind,
} from "../../provider/definition/placement.js";
import { entryWords, reuseWords } from "../document/properties.js";
import { getValue, type MapTree } from "../syntax/tree.js";
import { definitions, formatProblemLine, type Definition, type Fields } from "../../provider/index.js";
import { getExclusiveArgument } from "./exclusive-sections.js";

/** Entry of a workspace file. */
export interface Entry {
  readonly definition: DocumentKind;
  readonly key: string;
  /** Present and former logical names. */
  readonly name: string;
  readonly formerNames: readonly string[];
  readonly path: PropertyPath;
  readonly parent: Entry | undefined;
  readonly external: boolean;
  /** Whether its template could not be expanded, so that missing arguments are not reported. */
  readonly incomplete: boolean;
  readonly retain: boolean;
  readonly protect: boolean | undefined;
  /** Paths of properties whose changes are ignored. */
  readonly ignoreChanges: readonly string[];
  /** Arguments as written, with references by name. */
  readonly written: Fields;
  /** Sections that are arguments of the entry (`exclusive: true`), as written. */
  readonly exclusiveSections: Fields;
}

/** Returns all entries of a document, parents first. Does not report problems. */
export function listEntries(document: MapTree): Entry[] {
  const entries = new Map<string, Entry>();
  collect(getValue(document) as Fields, WORKSPACE, undefined, [], entries, []);
  return [...entries.values()];
}

/** Collects the entries of the sections below a parent. */
export function collect(
  owner: Fields,
  parentType: string,
  parent: Entry | undefined,
  path: PropertyPath,
  entries: Map<string, Entry>,
  problems: Problem[],
): void {
  for (const kind of listKindsUnder(definitions, parentType)) {
    const { section } = kind.document;
    const written = owner[section];
    if (written === undefined || written === null) continue;
    if (parent && isArgument(kind, parent.definition, written)) continue;
    if (isExclusive(kind, owner)) continue;
    for (const entry of listEntriesIn(kind, written, parent, [...path, section], problems)) {
      if (entries.has(entry.name)) {
        problems.push({
          path: entry.path,
          code: "declared-twice",
          message:
            kind.document.form === "keys"
              ? `"${entry.key}" appears twice: remove one of them`
              : `"${entry.key}" is declared twice: give one of them a \`key\` of its own`,
        });
        continue;
      }
      entries.set(entry.name, entry);
      const own = (written as Fields)[String(entry.path.at(-1))];
      if (isPlain(own)) collect(own, kind.type, entry, entry.path, entries, problems);
    }
  }
}

/** Keywords that remain in an entry only when its template could not be expanded. */
const reuse = Object.keys(reuseWords);
const isIncomplete = (written: Fields) => Object.hasOwn(written, "template");

const wordsSchema = z.strictObject(entryWords).partial();

/** Reports whether a list is an argument of the parent with the name of the section. */
function isArgument(kind: DocumentKind, parent: Definition, written: unknown): boolean {
  if (kind.document.form !== "map" || !Array.isArray(written)) return false;
  const variants = Object.values(parent.variants?.of ?? {});
  return variants.some((variant) => Object.hasOwn(variant.args, kind.document.section));
}

function listEntriesIn(
  kind: DocumentKind,
  written: unknown,
  parent: Entry | undefined,
  path: PropertyPath,
  problems: Problem[],
): Entry[] {
  const { form, keyedBy, section } = kind.document;
  if (form === "map") {
    if (isPlain(written)) {
      return Object.entries(written).flatMap(([key, value]) =>
        readEntry(kind, key, value, parent, [...path, key], problems),
      );
    }
    problems.push({
      path,
      code: "wrong-type",
      message: `${section} is a map: a ${kind.noun}'s ${keyedBy} and what it has`,
    });
    return [];
  }
  if (!Array.isArray(written)) {
    problems.push({
      path,
      code: "wrong-type",
      message: `${section} is a list, one ${kind.noun} per item (begin each with "- ")`,
    });
    return [];
  }
  return (written as unknown[]).flatMap((item, index) => {
    const at = [...path, index];
    if (form === "keys") {
      if (typeof item === "string" || typeof item === "number")
        // A number refers to an object by id instead of name.
        return readEntry(kind, String(item), { [keyedBy]: item }, parent, at, problems);
      problems.push({ path: at, code: "wrong-type", message: `must be a ${keyedBy}, by name` });
      return [];
    }
    const names = isPlain(item) ? ["key", keyedBy].filter((word) => item[word] != null) : [];
    const [name] = names;
    const key = isPlain(item) && name !== undefined ? item[name] : undefined;
    if (isPlain(item) && typeof key === "string" && key !== "") {
      const { key: _key, ...rest } = item;
      return readEntry(kind, key, rest, parent, at, problems);
    }
    // An unknown template was reported already.
    if (isPlain(item) && isIncomplete(item)) return [];
    if (name !== undefined && typeof key !== "string") {
      const remedy = typeof key === "number" || typeof key === "boolean" ? ": write it in quotes" : "";
      problems.push({
        path: [...at, name],
        code: "wrong-type",
        message: `${name}: must be a string${remedy}`,
      });
      return [];
    }
    problems.push(
      isPlain(item)
        ? { path: at, code: "required", message: `${keyedBy}: is required${explainMissed(keyedBy, item)}` }
        : { path: at, code: "wrong-type", message: `must be a map with a ${keyedBy}` },
    );
    return [];
  });
}

function readEntry(
  kind: DocumentKind,
  key: string,
  value: unknown,
  parent: Entry | undefined,
  path: PropertyPath,
  problems: Problem[],
): Entry[] {
  const { keyedBy, scalar, section, form } = kind.document;
  const written = isPlain(value)
    ? value
    : value === null
      ? {}
      : scalar === undefined
        ? undefined
        : { [scalar]: value };
  if (written === undefined) {
    const glued = typeof value === "string" && /^\w+:\S/.test(value) && /^[^:]*:[^:/]*$/.test(value);
    const remedy = glued ? ": a space belongs after the colon" : "";
    problems.push({
      path,
      code: "wrong-type",
      message: `must be a map with the properties of the ${kind.noun}${remedy}`,
    });
    return [];
  }
  const words = wordsSchema.safeParse(pick(written, Object.keys(entryWords)), { reportInput: true });
  if (!words.success)
    problems.push(
      ...listProblems(words.error).map((p) => ({
        ...p,
        path: [...path, ...p.path],
        message: formatProblemLine(p),
      })),
    );
  const { external, retain, protect, previously = [], ignoreChanges = [] } = words.success ? words.data : {};
  if (external && form !== "map")
    problems.push({
      path: [...path, "external"],
      code: "conflict",
      message: `${addArticle(kind.noun)} cannot be external`,
    });

  const kinds = listKindsUnder(definitions, kind.type);
  const children = kinds
    .filter((child) => !isArgument(child, kind, written[child.document.section]))
    .map((child) => child.document.section);
  const exclusiveKinds = kinds.filter(
    (child) => isExclusive(child, written) && written[child.document.section] != null,
  );
  const exclusiveSections = pick(
    written,
    exclusiveKinds.map((child) => child.document.section),
  );
  const args = {
    ...Object.fromEntries(
      Object.entries(written).filter(
        ([name]) => !Object.hasOwn(entryWords, name) && !children.includes(name) && !reuse.includes(name),
      ),
    ),
    ...Object.fromEntries(
      exclusiveKinds.map((child) => [
        child.document.section,
        getExclusiveArgument(child, written[child.document.section]),
      ]),
    ),
  };
  if (external && form === "map") {
    const others = Object.keys(entryWords).filter((name) => name !== "external" && name in written);
    for (const name of [...Object.keys(args), ...others]) {
      problems.push({
        path: [...path, name],
        code: "conflict",
        message: `an external ${kind.noun} is not managed: remove ${name} or external`,
        atKey: true,
      });
    }
  }
  const parents = parent ? [parent.name, ...parent.formerNames] : [undefined];
  const [name, ...formerNames] = parents.flatMap((above) =>
    [key, ...previously].map((k) => buildNameIn(above, section, k)),
  );
  return [
    {
      definition: kind,
      key,
      name: name ?? key,
      formerNames,
      path,
      parent,
      external: external === true,
      incomplete: isIncomplete(written),
      // Contents are deleted with what they are in, so they are kept with it too.
      retain: retain ?? parent?.retain ?? false,
      protect,
      ignoreChanges,
      written: external ? {} : { [keyedBy]: key, ...args },
      exclusiveSections,
    },
  ];
}

/** Suggests a key of the item that resembles the missing one. */
function explainMissed(wanted: string, item: Fields): string {
  const texts = Object.keys(item).filter((key) => key !== wanted && typeof item[key] === "string");
  const written = didYouMean(wanted, texts);
  return written === undefined ? "" : `. Did you mean "${wanted}" where it says "${written}"?`;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}
