/** Workspace file for lint rules: entries, and how each value was written. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import {
  listPartlySecretNames,
  listSecretNames,
  listSecretPartsIn,
  listSecretsIn,
} from "../../resources/index.js";
import { type Entry, listEntries } from "../load/entries.js";
import { collectObjects, type ObjectInFile } from "../load/objects-in-file.js";
import type { Source } from "../syntax/source.js";
import { findPartAt, type LeafTree, listLeavesIn, listTreeSecrets, type MapTree } from "../syntax/tree.js";
import type { Range, RuleFinding } from "./finding.js";

export class Linted {
  private root: ObjectInFile | undefined;
  readonly entries: readonly Entry[];
  private readonly byType = new Map<string, Entry[]>();
  /** Entries by the parent's name and the type. */
  private readonly byPlace = new Map<string, Entry[]>();

  constructor(
    readonly tree: MapTree,
    readonly sources: readonly Source[],
    /** Time from which schedules are checked. */
    readonly now: Date,
    /** Returns the document without the secrets of placeholders, for rules of the user's own. */
    private readonly shown: () => MapTree,
  ) {
    this.entries = listEntries(tree);
    for (const entry of this.entries) {
      add(this.byType, entry.definition.type, entry);
      add(this.byPlace, describePlace(entry.parent, entry.definition.type), entry);
    }
  }

  /** The workspace as rules of the user's own see it. */
  get workspace(): ObjectInFile {
    return (this.root ??= collectObjects(this.shown()));
  }

  /** Returns the managed entries of a type. */
  of(type: string): Entry[] {
    return this.declared(type).filter((entry) => !entry.external);
  }

  /** Returns the entries of a type, including those that are managed elsewhere. */
  declared(type: string): readonly Entry[] {
    return this.byType.get(type) ?? [];
  }

  /** Returns the entries of a type below another entry, or at the top of the file. */
  under(parent: Entry | undefined, type: string): readonly Entry[] {
    return this.byPlace.get(describePlace(parent, type)) ?? [];
  }

  /** Returns the text of an argument, unless it is a mock value or known only after other objects were created. */
  text(entry: Entry, arg: string): string | undefined {
    const value = entry.written[arg];
    if (typeof value !== "string" || this.leaf(entry, arg)?.mock) return undefined;
    return value;
  }

  /** Reports whether an argument is a literal without placeholders. */
  isLiteral(entry: Entry, arg: string): boolean {
    const leaf = this.leaf(entry, arg);
    return leaf !== undefined && leaf.written === undefined;
  }

  isLiteralAt(path: PropertyPath): boolean {
    const part = findPartAt(this.tree, path);
    return part?.kind === "leaf" && part.written === undefined;
  }

  /** Returns the path of an argument, also in the short form `NAME: value`. */
  pathOf(entry: Entry, arg: string): PropertyPath {
    const own = findPartAt(this.tree, entry.path);
    return own?.kind === "leaf" ? entry.path : [...entry.path, arg];
  }

  /** Returns the secrets of the file: those of placeholders, and the values of secret arguments. */
  secretTexts(): string[] {
    const texts = listTreeSecrets(this.tree);
    for (const { definition, written } of this.entries) {
      // Undocumented arguments are hidden as a whole elsewhere, and mostly contain ordinary texts.
      const known = Object.entries(written).filter(([arg]) => !definition.undocumented.includes(arg));
      const args = Object.fromEntries(known);
      const partly = new Set(listPartlySecretNames(definition, args));
      for (const name of listSecretNames(definition, args)) {
        const value = args[name];
        if (partly.has(name)) texts.push(...listSecretPartsIn(value));
        // The name of a header is not a secret.
        else texts.push(...(typeof value === "string" ? [value] : listSecretsIn(value).map(String)));
      }
    }
    return texts;
  }

  private leaf(entry: Entry, arg: string): LeafTree | undefined {
    const part = findPartAt(this.tree, this.pathOf(entry, arg));
    return part?.kind === "leaf" ? part : undefined;
  }

  /** Returns the ranges of a value and of what is in it, which are masked. */
  rangesAt(path: PropertyPath): Range[] {
    const leaves = listLeavesIn(findPartAt(this.tree, path));
    return leaves.map(({ at, end }) => ({ file: at.source.file, start: at.offset, end }));
  }

  /** Returns a finding at the key of an entry. */
  atEntry(entry: Entry, message: string): RuleFinding {
    return { message, at: { path: entry.path, atKey: true } };
  }

  /** Returns a finding at the value of an argument. */
  atArg(entry: Entry, arg: string, message: string): RuleFinding {
    return { message, at: { path: this.pathOf(entry, arg) } };
  }
}

function describePlace(parent: Entry | undefined, type: string): string {
  return `${parent?.name ?? ""}\n${type}`;
}

function add(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}
