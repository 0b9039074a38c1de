/** A workspace file as rules see it: its entries, and how each value was written. */
import { WORKSPACE } from "../../provider/definition/placement.js";
import type { Problem, PropertyPath } from "../../provider/definition/problems.js";
import { partAt, secretTexts, valueOf, type LeafTree, type MapTree } from "../syntax/tree.js";
import type { Source } from "../syntax/source.js";
import { collect, type Entry } from "../load/entries.js";
import { secretNames, secretsIn, type Fields } from "../../provider/index.js";
import type { RuleFinding, Range } from "./finding.js";

export class Linted {
  readonly entries: readonly Entry[];
  private readonly byType = new Map<string, Entry[]>();
  /** By the parent's name and the type. */
  private readonly byPlace = new Map<string, Entry[]>();

  constructor(
    readonly tree: MapTree,
    readonly sources: readonly Source[],
    /** Schedules are judged from here on. */
    readonly now: Date,
  ) {
    const entries = new Map<string, Entry>();
    const problems: Problem[] = [];
    collect(valueOf(tree) as Fields, WORKSPACE, undefined, [], entries, problems);
    this.entries = [...entries.values()];
    for (const entry of this.entries) {
      add(this.byType, entry.definition.type, entry);
      add(this.byPlace, place(entry.parent, entry.definition.type), entry);
    }
  }

  /** The managed entries of a type. */
  of(type: string): Entry[] {
    return this.declared(type).filter((entry) => !entry.external);
  }

  /** The entries of a type, those that are managed elsewhere among them. */
  declared(type: string): readonly Entry[] {
    return this.byType.get(type) ?? [];
  }

  /** The entries that stand in another one, or at the top of the file. */
  under(parent: Entry | undefined, type: string): readonly Entry[] {
    return this.byPlace.get(place(parent, type)) ?? [];
  }

  /** The text of an argument, unless it is made up, or known only when other objects have been made. */
  text(entry: Entry, arg: string): string | undefined {
    const value = entry.written[arg];
    if (typeof value !== "string" || this.leaf(entry, arg)?.mock) return undefined;
    return value;
  }

  /** Is the argument written out in the file, with no placeholder in it? */
  isLiteral(entry: Entry, arg: string): boolean {
    const leaf = this.leaf(entry, arg);
    return leaf !== undefined && leaf.written === undefined;
  }

  isLiteralAt(path: PropertyPath): boolean {
    const part = partAt(this.tree, path);
    return part?.kind === "leaf" && part.written === undefined;
  }

  /** Where an argument stands: `NAME: value` is short for a map. */
  pathOf(entry: Entry, arg: string): PropertyPath {
    const own = partAt(this.tree, entry.path);
    return own?.kind === "leaf" ? entry.path : [...entry.path, arg];
  }

  /** The secrets in the file, as rules see them: what is brought in as one, and what stands where secrets belong. */
  secretTexts(): string[] {
    const texts = secretTexts(this.tree);
    for (const { definition, written } of this.entries) {
      // What nobody documents is hidden as a whole elsewhere, and mostly holds ordinary words.
      const known = Object.entries(written).filter(([arg]) => !definition.undocumented.includes(arg));
      const args = Object.fromEntries(known);
      for (const name of secretNames(definition, args)) {
        const value = args[name];
        // A name of a header says which secret it is, and is none.
        texts.push(...(typeof value === "string" ? [value] : secretsIn(value).map(String)));
      }
    }
    return texts;
  }

  private leaf(entry: Entry, arg: string): LeafTree | undefined {
    const part = partAt(this.tree, this.pathOf(entry, arg));
    return part?.kind === "leaf" ? part : undefined;
  }

  /** A value as it is written, to be hidden; absent where nothing is written. */
  rangeAt(path: PropertyPath): Range | undefined {
    const part = partAt(this.tree, path);
    if (part?.kind !== "leaf") return undefined;
    return { file: part.at.source.file, start: part.at.offset, end: part.end };
  }

  /** A finding at the entry's key. */
  atEntry(entry: Entry, message: string): RuleFinding {
    return { message, at: { path: entry.path, atKey: true } };
  }

  /** A finding at the value of an argument. */
  atArg(entry: Entry, arg: string, message: string): RuleFinding {
    return { message, at: { path: this.pathOf(entry, arg) } };
  }
}

function place(parent: Entry | undefined, type: string): string {
  return `${parent?.name ?? ""}\n${type}`;
}

function add(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}
