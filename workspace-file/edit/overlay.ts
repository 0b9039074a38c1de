/** What an overlay is to say, written into its text; everything else in it stays as it is, byte by byte. */
import { isMap } from "yaml";
import { unescapeKey } from "../../provider/definition/logical-name.js";
import { sectionsOf } from "../compose/shape.js";
import { stepTo, type LocationStep } from "./locate.js";
import { Refusal } from "./types.js";
import { formAt, writeBelow } from "./write.js";
import { insertKey } from "./yaml/insert.js";
import { RawText } from "./yaml/raw.js";
import { replaceWhole } from "./yaml/replace.js";

const BOM = "\uFEFF";
/** What a new overlay begins with. */
const EMPTY = "version: 1\n";

/** The text of an overlay while it is written. */
export class OverlayText {
  private readonly raw: RawText;
  private readonly mark: string;

  /** @param text what the file holds; undefined when there is none yet */
  constructor(text: string | undefined) {
    this.mark = text?.startsWith(BOM) ? BOM : "";
    this.raw = new RawText(text === undefined ? EMPTY : text.slice(this.mark.length));
  }

  get text(): string {
    return this.mark + this.raw.text;
  }

  /** What the overlay says at a place itself; undefined when it says nothing. */
  said(steps: readonly LocationStep[]): unknown {
    const slot = this.raw.find(steps);
    if (slot === undefined) return undefined;
    return (slot.node?.toJS(this.raw.document) as unknown) ?? null;
  }

  /**
   * Says a value at a place.
   * @returns false when the overlay's form leaves no room for it (an alias, a value in place of a map)
   */
  say(steps: readonly LocationStep[], value: unknown): boolean {
    try {
      if (this.raw.find(steps)) replaceWhole(this.raw, steps, value);
      else this.add(steps, value);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** A new key has the form that suits its value, whatever that of its neighbors is. */
  private add(steps: readonly LocationStep[], value: unknown): void {
    const { slot, depth } = this.raw.walk(steps);
    const own = steps.slice(0, depth + 1);
    const [step] = own.slice(-1);
    const inLines = isMap(slot.node) && slot.node.items.length > 0 && !slot.inFlow && slot.node.flow !== true;
    if (inLines && step && "key" in step)
      insertKey(this.raw, slot, step.key, null, formAt(this.raw, own.slice(0, -1)));
    if (this.raw.find(steps)) replaceWhole(this.raw, steps, value);
    else writeBelow(this.raw, steps, value);
  }
}

/** The way to an entry, by its logical name; none to the document itself. */
export function stepsTo(name: string): LocationStep[] {
  const words = name === "" ? [] : name.split("/");
  const steps: LocationStep[] = [];
  let type: string | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const [section = "", escaped = ""] = words.slice(at, at + 2);
    const kind = sectionsOf(type).get(section);
    if (kind === undefined) throw new TypeError(`${name} is no logical name`);
    steps.push({ key: section }, stepTo(kind, unescapeKey(escaped)));
    type = kind.type;
  }
  return steps;
}
