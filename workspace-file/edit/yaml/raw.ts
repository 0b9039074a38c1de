/** YAML text with the locations of its parts. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  type Document,
  type Node,
  type Pair,
} from "yaml";
import { keyText } from "../../format/index.js";
import type { LocationStep } from "../locate.js";

/** Part of the text: a value and its container. */
export interface Slot {
  /** Null for an empty value. */
  readonly node: Node | null;
  /** Pair in a map, or index in a list. */
  readonly pair?: Pair;
  readonly index?: number;
  /** Map or list that contains it. */
  readonly holder?: Slot;
  /** Whether it is inside { } or [ ]. */
  readonly inFlow: boolean;
}

/** Range of a text, and the text that replaces it. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Text whose parts are replaced. It is parsed again after each change. */
export class RawText {
  /** Shared by copies until one of them is changed. */
  private parsed: { document?: Document } = {};

  constructor(private current: string) {}

  copy(): RawText {
    const copy = new RawText(this.current);
    copy.parsed = this.parsed;
    return copy;
  }

  get text(): string {
    return this.current;
  }

  /** Line break of the text. */
  get eol(): string {
    return this.current.includes("\r\n") ? "\r\n" : "\n";
  }

  get document(): Document {
    this.parsed.document ??= parseDocument(this.current, {
      keepSourceTokens: true,
      prettyErrors: false,
      uniqueKeys: false,
      merge: true,
      logLevel: "silent",
    });
    return this.parsed.document;
  }

  get root(): Slot {
    return { node: this.document.contents, inFlow: false };
  }

  /** Replaces a range. Lines of the new text end with `\n`. */
  splice(start: number, end: number, text: string): void {
    const own = this.eol === "\n" ? text : text.replaceAll("\n", this.eol);
    this.current = this.current.slice(0, start) + own + this.current.slice(end);
    this.parsed = {};
  }

  /** Returns the splice that converts an earlier text to this one, if they differ. */
  since(before: RawText): Splice | undefined {
    const [old, now] = [before.current, this.current];
    if (old === now) return undefined;
    const most = Math.min(old.length, now.length);
    let start = 0;
    while (start < most && old[start] === now[start]) start += 1;
    let same = 0;
    while (same < most - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
    return { start, end: old.length - same, text: now.slice(start, now.length - same) };
  }

  /** Applies several splices of this text at once. @returns false when two of them overlap */
  spliceAll(splices: readonly Splice[]): boolean {
    const sorted = splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
    let text = "";
    let at = 0;
    for (const { start, end, text: own } of sorted) {
      if (start < at) return false;
      text += this.current.slice(at, start) + own;
      at = end;
    }
    this.current = text + this.current.slice(at);
    this.parsed = {};
    return true;
  }

  /** Follows the steps as far as they lead in the text itself, without aliases and merged keys. */
  walk(steps: readonly LocationStep[]): { readonly slot: Slot; readonly depth: number } {
    let slot = this.root;
    let depth = 0;
    for (const step of steps) {
      const next = child(slot, step);
      if (next === undefined) break;
      slot = next;
      depth += 1;
    }
    return { slot, depth };
  }

  /** Returns the part at the end of the steps, if all of them lead in the text itself. */
  find(steps: readonly LocationStep[]): Slot | undefined {
    const { slot, depth } = this.walk(steps);
    return depth === steps.length ? slot : undefined;
  }
}

function child(holder: Slot, step: LocationStep): Slot | undefined {
  const { node } = holder;
  const inFlow = holder.inFlow || (isMap(node) && node.flow === true) || (isSeq(node) && node.flow === true);
  if (isMap(node) && "key" in step) {
    const pair = node.items.find(({ key }) => !isAlias(key) && !isMergeKey(key) && keyText(key) === step.key);
    return pair && { node: (pair.value as Node | null) ?? null, pair, holder, inFlow };
  }
  if (!isSeq(node)) return undefined;
  const index = node.items.findIndex((item, at) => {
    if ("index" in step) return at === step.index;
    if ("text" in step) return isScalar(item) && keyText(item) === step.text;
    return "item" in step && isMap(item) && nameOf(item, step.by) === step.item;
  });
  return index < 0 ? undefined : { node: (node.items[index] as Node | null) ?? null, index, holder, inFlow };
}

/** Returns the value of the first key that an item has. */
function nameOf(item: { items: readonly Pair[] }, by: readonly string[]): string | undefined {
  for (const word of by) {
    const pair = item.items.find(({ key }) => keyText(key) === word);
    if (pair && isScalar(pair.value) && pair.value.value !== null) return keyText(pair.value);
  }
  return undefined;
}

export const isMergeKey = (key: unknown) =>
  isScalar(key) &&
  // A number in quotes is a name.
  (typeof key.value === "symbol" || (key.value === "<<" && (key.type ?? Scalar.PLAIN) === Scalar.PLAIN));
