/** YAML text with the locations of its parts. */
import { type Document, parseDocument } from "yaml";
import type { LocationStep } from "../locate.js";
import { Slot } from "./slot.js";

/** Range of a text, and the text that replaces it. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Text whose parts are replaced. It is parsed again after each change. */
export class RawText {
  /** Shared by copies until one of them is changed. */
  private parsed: { document?: Document; root?: Slot } = {};

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
    this.parsed.root ??= new Slot(this.document.contents, this.document);
    return this.parsed.root;
  }

  /** Replaces a range. Lines of the new text end with `\n`. */
  splice(start: number, end: number, text: string): void {
    const own = this.eol === "\n" ? text : text.replaceAll("\n", this.eol);
    this.current = this.current.slice(0, start) + own + this.current.slice(end);
    this.parsed = {};
  }

  insert(at: number, text: string): void {
    this.splice(at, at, text);
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
      const next = slot.child(step);
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
