/** Reads the sections of a workspace file entry by entry. */
import { z } from "zod";
import { isPlain } from "../../diff/values.js";
import { buildNameIn } from "../../resources/definition/logical-name.js";
import {
  type DocumentKind,
  isExclusive,
  listKindsUnder,
  WORKSPACE,
} from "../../resources/definition/placement.js";
import {
  addArticle,
  didYouMean,
  listProblems,
  type Problem,
  type ProblemCode,
  type PropertyPath,
} from "../../resources/definition/problems.js";
import { type Definition, definitions, type Fields, formatProblemLine } from "../../resources/index.js";
import { entryWords, reuseWords } from "../document/properties.js";
import { getValue, type MapTree } from "../syntax/tree.js";
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
  return [...readEntries(getValue(document) as Fields).entries.values()];
}

/** Returns all entries of a document by their names, parents first, and what is wrong with their forms. */
export function readEntries(document: Fields): {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly problems: readonly Problem[];
} {
  const reader = new EntryReader();
  reader.readSections(document, WORKSPACE, undefined, []);
  return reader;
}

/** Keywords that remain in an entry only when its template could not be expanded. */
const reuse = Object.keys(reuseWords);
const isIncomplete = (written: Fields) => Object.hasOwn(written, "template");

const wordsSchema = z.strictObject(entryWords).partial();

class EntryReader {
  readonly entries = new Map<string, Entry>();
  readonly problems: Problem[] = [];

  /** Reads the sections below a parent. */
  readSections(owner: Fields, parentType: string, parent: Entry | undefined, path: PropertyPath): void {
    for (const kind of listKindsUnder(definitions, parentType)) {
      const { section, form } = kind.document;
      const written = owner[section];
      if (written === undefined || written === null) continue;
      if (parent && isArgument(kind, parent.definition, written)) continue;
      if (isExclusive(kind, owner)) continue;
      for (const entry of this.readSection(kind, written, parent, [...path, section])) {
        if (this.entries.has(entry.name)) {
          const isKey = form === "keys";
          const message = isKey
            ? `"${entry.key}" appears twice: remove one of them`
            : `"${entry.key}" is declared twice: give one of them a \`key\` of its own`;
          this.report(entry.path, "declared-twice", message);
          continue;
        }
        this.entries.set(entry.name, entry);
        const own = (written as Fields)[String(entry.path.at(-1))];
        if (isPlain(own)) this.readSections(own, kind.type, entry, entry.path);
      }
    }
  }

  private readSection(
    kind: DocumentKind,
    written: unknown,
    parent: Entry | undefined,
    path: PropertyPath,
  ): readonly Entry[] {
    const { noun } = kind;
    const { form, keyedBy, section } = kind.document;
    if (form === "map") {
      if (isPlain(written))
        return Object.entries(written).flatMap(([key, value]) =>
          this.readEntry(kind, key, value, parent, [...path, key]),
        );
      return this.report(
        path,
        "wrong-type",
        `"${section}" must be a map: each key is ${noun.endsWith(keyedBy) ? `a ${keyedBy}` : `the ${keyedBy} of ${addArticle(noun)}`}, with the properties below it`,
      );
    }
    if (!Array.isArray(written))
      return this.report(
        path,
        "wrong-type",
        `"${section}" must be a list: begin each ${kind.noun} with "- "`,
      );
    return (written as unknown[]).flatMap((item, index) => {
      const at = [...path, index];
      return form === "keys" ? this.readKey(kind, item, parent, at) : this.readItem(kind, item, parent, at);
    });
  }

  /** Reads an item of a plain list. A number refers to an object by id instead of name. */
  private readKey(
    kind: DocumentKind,
    item: unknown,
    parent: Entry | undefined,
    path: PropertyPath,
  ): readonly Entry[] {
    const { keyedBy } = kind.document;
    if (typeof item === "string" || typeof item === "number")
      return this.readEntry(kind, String(item), { [keyedBy]: item }, parent, path);
    return this.report(path, "wrong-type", `must be ${addArticle(keyedBy)}, written as a string: - NAME`);
  }

  /** Reads an item of an ordered list, which contains its key. */
  private readItem(
    kind: DocumentKind,
    item: unknown,
    parent: Entry | undefined,
    path: PropertyPath,
  ): readonly Entry[] {
    const { keyedBy } = kind.document;
    if (!isPlain(item))
      return this.report(
        path,
        "wrong-type",
        `each item must be a map with ${addArticle(keyedBy)}, such as "- ${keyedBy}: ..."`,
      );
    const name = ["key", keyedBy].find((word) => item[word] != null);
    const key = name === undefined ? undefined : item[name];
    if (typeof key === "string" && key !== "") {
      const { key: _key, ...rest } = item;
      return this.readEntry(kind, key, rest, parent, path);
    }
    // An unknown template was reported already.
    if (isIncomplete(item)) return [];
    if (name === undefined || key === "")
      return this.report(path, "required", `${keyedBy}: is required${explainMissed(keyedBy, item)}`);
    const remedy = typeof key === "number" || typeof key === "boolean" ? ": write it in quotes" : "";
    return this.report([...path, name], "wrong-type", `${name}: must be a string${remedy}`);
  }

  private readEntry(
    kind: DocumentKind,
    key: string,
    value: unknown,
    parent: Entry | undefined,
    path: PropertyPath,
  ): readonly Entry[] {
    const { keyedBy, section } = kind.document;
    const written = expandShortForm(kind, value);
    if (written === undefined) {
      const glued = typeof value === "string" && /^\w+:\S/.test(value) && /^[^:]*:[^:/]*$/.test(value);
      const remedy = glued ? ": write a space after the colon" : "";
      return this.report(
        path,
        "wrong-type",
        `must be a map with the properties of the ${kind.noun}${remedy}`,
      );
    }
    const {
      external = false,
      retain,
      protect,
      previously = [],
      ignoreChanges = [],
    } = this.readWords(written, path);
    const { args, exclusiveSections } = splitArguments(kind, written);
    if (external) this.checkExternal(kind, written, args, path);
    const parents = parent ? [parent.name, ...parent.formerNames] : [undefined];
    const [name = key, ...formerNames] = parents.flatMap((above) =>
      [key, ...previously].map((k) => buildNameIn(above, section, k)),
    );
    return [
      {
        definition: kind,
        key,
        name,
        formerNames,
        path,
        parent,
        external,
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

  /** Returns the keywords of an entry, and none if one of them is wrong. */
  private readWords(written: Fields, path: PropertyPath): Partial<z.infer<typeof wordsSchema>> {
    const words = wordsSchema.safeParse(pick(written, Object.keys(entryWords)), { reportInput: true });
    if (words.success) return words.data;
    for (const problem of listProblems(words.error))
      this.problems.push({
        ...problem,
        path: [...path, ...problem.path],
        message: formatProblemLine(problem),
      });
    return {};
  }

  private checkExternal(kind: DocumentKind, written: Fields, args: Fields, path: PropertyPath): void {
    if (kind.document.form !== "map") {
      this.report(
        [...path, "external"],
        "conflict",
        `${addArticle(kind.noun)} cannot be external: remove "external", and declare the rest of it here, or remove the whole entry`,
      );
      return;
    }
    const words = Object.keys(entryWords).filter((name) => name !== "external" && name in written);
    for (const name of [...Object.keys(args), ...words])
      this.report(
        [...path, name],
        "conflict",
        `this ${kind.noun} is external, so this file does not manage it and cannot set "${name}": remove "${name}", or remove "external"`,
        true,
      );
  }

  private report(path: PropertyPath, code: ProblemCode, message: string, atKey?: true): readonly Entry[] {
    this.problems.push({ path, code, message, ...(atKey && { atKey }) });
    return [];
  }
}

/** Reports whether a list is an argument of the parent with the name of the section. */
function isArgument(kind: DocumentKind, parent: Definition, written: unknown): boolean {
  if (kind.document.form !== "map" || !Array.isArray(written)) return false;
  const variants = Object.values(parent.variants?.of ?? {});
  return variants.some((variant) => Object.hasOwn(variant.args, kind.document.section));
}

/** Returns the properties of an entry; undefined for a value that is none. */
function expandShortForm({ document: { scalar } }: DocumentKind, value: unknown): Fields | undefined {
  if (isPlain(value)) return value;
  if (value === null) return {};
  return scalar === undefined ? undefined : { [scalar]: value };
}

/** Returns the arguments of an entry, and those of them that are written as sections. */
function splitArguments(kind: DocumentKind, written: Fields) {
  const kinds = listKindsUnder(definitions, kind.type);
  const children = kinds
    .filter((child) => !isArgument(child, kind, written[child.document.section]))
    .map((child) => child.document.section);
  const exclusive = kinds.filter(
    (child) => isExclusive(child, written) && written[child.document.section] != null,
  );
  const exclusiveSections = pick(
    written,
    exclusive.map((child) => child.document.section),
  );
  const others = Object.entries(written).filter(
    ([name]) => !Object.hasOwn(entryWords, name) && !children.includes(name) && !reuse.includes(name),
  );
  const sections = exclusive.map((child): [string, unknown] => {
    const { section } = child.document;
    return [section, getExclusiveArgument(child, written[section])];
  });
  return { args: Object.fromEntries([...others, ...sections]) as Fields, exclusiveSections };
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
