/** Writes values into the text of an overlay and keeps everything else byte by byte. */
import { isMap } from "yaml";
import { isPlain } from "../../diff/values.js";
import { type Canonical, getCanonicalAt, withPart } from "./canonical-form.js";
import { Refusal } from "./edit-types.js";
import type { LocationStep } from "./locate.js";
import { readPlain } from "./meaning.js";
import { buildValueAt, findFormAt, writeBelow } from "./write.js";
import { insertKey } from "./yaml/insert.js";
import { RawText } from "./yaml/raw.js";
import { replaceWhole } from "./yaml/replace.js";

const BOM = "\uFEFF";
/** Text of a new overlay. */
const EMPTY = "version: 1\n";

/** Text of an overlay that is edited. */
export class OverlayText {
  private readonly raw: RawText;
  private readonly mark: string;
  private meant: Canonical;

  /** @param text text of the file, if it exists */
  constructor(text: string | undefined) {
    this.mark = text?.startsWith(BOM) ? BOM : "";
    this.raw = new RawText(text === undefined ? EMPTY : text.slice(this.mark.length));
    this.meant = readPlain(this.raw.text);
  }

  /** What the text must mean. */
  get expected(): Canonical {
    return this.meant;
  }

  get text(): string {
    return this.mark + this.raw.text;
  }

  /** Returns the value that the overlay itself has at a location. */
  said(steps: readonly LocationStep[]): unknown {
    const slot = this.raw.find(steps);
    if (slot === undefined) return undefined;
    return (slot.node?.toJS(this.raw.document) as unknown) ?? null;
  }

  /**
   * Sets a value at a location.
   * @returns false when the form of the overlay prevents it (an alias, or a value instead of a map)
   */
  say(steps: readonly LocationStep[], value: unknown): boolean {
    try {
      if (this.raw.find(steps)) replaceWhole(this.raw, steps, value);
      else this.add(steps, value);
      this.meant = setAt(this.meant, steps, value);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** Adds a key in the form that suits its value, whatever the form of its siblings. */
  private add(steps: readonly LocationStep[], value: unknown): void {
    const { slot, depth } = this.raw.walk(steps);
    const own = steps.slice(0, depth + 1);
    const [step] = own.slice(-1);
    const inLines = isMap(slot.node) && slot.node.items.length > 0 && !slot.inFlow && !slot.isFlow;
    if (inLines && step && "key" in step)
      insertKey(this.raw, slot, step.key, null, findFormAt(this.raw, own.slice(0, -1)));
    if (this.raw.find(steps)) replaceWhole(this.raw, steps, value);
    else writeBelow(this.raw, steps, value);
  }
}

/** Sets a value at a location. A new item of a list comes last, with its name. */
function setAt(form: Canonical, [step, ...rest]: readonly LocationStep[], value: unknown): Canonical {
  if (step === undefined) return value;
  if ("key" in step) return withPart(form, [step.key], setAt(getCanonicalAt(form, [step.key]), rest, value));
  const items = Array.isArray(form) ? (form as Canonical[]) : [];
  const found = "index" in step ? step.index : items.findIndex((item) => isItem(item, step));
  const at = found < 0 ? items.length : found;
  const inner = setAt(items[at], rest, value);
  return items.toSpliced(at, 1, found < 0 ? buildValueAt(step, inner) : inner);
}

function isItem(item: Canonical, step: LocationStep): boolean {
  if ("text" in step) return item === step.text;
  if (!("item" in step) || !isPlain(item)) return false;
  return step.by.map((name) => item[name]).find((name) => name != null) === step.item;
}
