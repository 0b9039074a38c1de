/** Texts of a document that is edited. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DOCUMENT } from "../compose/shape.js";
import { type ReadDocument, readDocument } from "../load/load.js";
import type { MapTree } from "../syntax/tree.js";
import { type Canonical, toCanonical } from "./canonical-form.js";
import { type EditedFile, type EditOptions, Refusal } from "./edit-types.js";
import { RawText, type Splice } from "./yaml/raw.js";

/** Texts of all files of a document, with changes. */
export class Draft {
  private constructor(
    private readonly texts: Map<string, RawText>,
    /** Texts of files that placeholders name, by absolute path. */
    private readonly values: Map<string, string>,
  ) {}

  static of({ sources }: ReadDocument): Draft {
    return new Draft(new Map([...sources].map(([file, { text }]) => [file, new RawText(text)])), new Map());
  }

  copy(): Draft {
    const texts = [...this.texts].map(([file, raw]) => [file, raw.copy()] as const);
    return new Draft(new Map(texts), new Map(this.values));
  }

  /**
   * Merges the changes of copies of this draft.
   * @returns false when two of them changed the same part
   */
  merge(copies: readonly Draft[]): boolean {
    const splices = new Map<string, Splice[]>();
    for (const copy of copies) {
      for (const [file, text] of copy.values) if (this.values.get(file) !== text) this.values.set(file, text);
      for (const [file, raw] of copy.texts) {
        const own = this.texts.get(file);
        if (own === undefined) this.texts.set(file, raw);
        const splice = own && raw.since(own);
        if (splice) splices.set(file, [...(splices.get(file) ?? []), splice]);
      }
    }
    return [...splices].every(([file, all]) => this.file(file).spliceAll(all));
  }

  file(name: string): RawText {
    const raw = this.texts.get(name);
    if (raw === undefined) throw new TypeError(`${name} is not a file of the document`);
    return raw;
  }

  get names(): readonly string[] {
    return [...this.texts.keys()];
  }

  has(name: string): boolean {
    return this.texts.has(name);
  }

  /** Removes a file from the document. */
  drop(name: string): void {
    this.texts.delete(name);
  }

  /** Adds a file to the document. */
  create(name: string, text: string): void {
    if (this.texts.has(name) || existsSync(name)) throw new Refusal("exists", `${name} already exists`);
    this.texts.set(name, new RawText(text));
  }

  /** Sets the text of a file that a placeholder of `from` names. */
  setValue(path: string, from: string, text: string): void {
    this.values.set(resolve(dirname(from), path), text);
  }

  /** All texts by absolute path. */
  get all(): ReadonlyMap<string, string> {
    return new Map([
      ...[...this.texts].map(([file, raw]) => [resolve(file), raw.text] as const),
      ...this.values,
    ]);
  }

  /** Returns the files that differ from another draft. */
  changed(before: Draft): EditedFile[] {
    const deletedNames = before.names.filter((name) => !this.texts.has(name));
    const deleted = deletedNames.map((path) => ({
      path,
      before: before.file(path).text,
      after: "",
      isGone: true,
    }));
    const others = [...this.texts].flatMap(([path, { text }]): EditedFile[] => {
      const old = before.texts.get(path)?.text;
      if (old === undefined) return [{ path, before: "", after: text, isNew: true }];
      return old === text ? [] : [{ path, before: old, after: text }];
    });
    return [...others, ...deleted];
  }

  get valueFiles(): ReadonlyMap<string, string> {
    return this.values;
  }
}

/** Draft with the document that it contains. */
export interface DraftSnapshot {
  readonly draft: Draft;
  readonly tree: MapTree;
  readonly normal: Canonical;
  readonly problems: number;
  /** Files that may contain an entry, by precedence. */
  readonly layers: readonly string[];
}

/** Reads a draft. Returns undefined when it contains no document. */
export function takeSnapshot(file: string, options: EditOptions, draft: Draft): DraftSnapshot | undefined {
  return buildSnapshot(readDocument(file, { ...options, texts: draft.all }), draft);
}

/** Returns the snapshot of a draft that was read already. */
export function buildSnapshot(
  { tree, problems, sources, overlayFiles }: ReadDocument,
  draft: Draft,
): DraftSnapshot | undefined {
  if (tree === undefined) return undefined;
  const documents = [...sources.keys()].filter((name) => !overlayFiles.includes(name));
  return {
    draft,
    tree,
    normal: toCanonical(tree, DOCUMENT),
    problems: problems.length,
    layers: [...overlayFiles.toReversed(), ...documents],
  };
}
