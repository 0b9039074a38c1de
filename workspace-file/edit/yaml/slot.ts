/** Part of a YAML text: a value, its position and its container. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
} from "yaml";
import { formatKeyText } from "../../format/format.js";
import { isMergeKey } from "../../syntax/parse.js";
import type { LocationStep } from "../locate.js";

interface Token {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}
interface Tokens {
  readonly start?: readonly Token[];
  readonly sep?: readonly Token[];
}

/** Container of a part, with its pair in a map or its index in a list. */
interface Place {
  readonly parent: Slot;
  readonly pair?: Pair;
  readonly index?: number;
}

export class Slot {
  readonly parent: Slot | undefined;
  readonly pair: Pair | undefined;
  readonly index: number | undefined;
  /** Whether it is inside { } or [ ]. */
  readonly inFlow: boolean;
  private parts: readonly Slot[] | undefined;

  constructor(
    /** Null for an empty value. */
    readonly node: Node | null,
    private readonly document: Document,
    { parent, pair, index }: Partial<Place> = {},
  ) {
    this.parent = parent;
    this.pair = pair;
    this.index = index;
    this.inFlow = parent !== undefined && (parent.inFlow || parent.isFlow);
  }

  /** Whether it is { } or [ ]. */
  get isFlow(): boolean {
    return isCollection(this.node) && this.node.flow === true;
  }

  /** All parts of a map or list. */
  get children(): readonly Slot[] {
    this.parts ??= this.partsOf();
    return this.parts;
  }

  private partsOf(): Slot[] {
    const { node } = this;
    const valueOf = (part: unknown) => (isNode(part) ? part : null);
    if (isMap(node))
      return node.items.map((pair) => new Slot(valueOf(pair.value), this.document, { parent: this, pair }));
    if (!isSeq(node)) return [];
    return node.items.map((item, index) => new Slot(valueOf(item), this.document, { parent: this, index }));
  }

  /** Returns the part to which a step leads. What an alias or a merged key stands for is no part, but may contain the name of an item. */
  child(step: LocationStep): Slot | undefined {
    return this.children.find((part) => part.isAt(step));
  }

  private isAt(step: LocationStep): boolean {
    const { node, pair } = this;
    if (pair !== undefined)
      return (
        "key" in step && !isAlias(pair.key) && !isMergeKey(pair.key) && formatKeyText(pair.key) === step.key
      );
    if ("index" in step) return this.index === step.index;
    if ("text" in step) return isScalar(node) && formatKeyText(node) === step.text;
    return "item" in step && findName(node, step.by, this.document) === step.item;
  }

  /** Offset of a pair or list item. An item of a block list begins with its dash. */
  get start(): number {
    const before = this.tokens?.start ?? [];
    const dash = before.find(({ type }) => type === "seq-item-ind");
    if (dash && this.pair === undefined) return dash.offset;
    const mark = before.find(({ type }) => type === "anchor" || type === "tag");
    const first = this.pair ? (this.pair.key as Node) : this.node;
    return mark?.offset ?? first?.range?.[0] ?? 0;
  }

  /** Offset after the colon or dash, and after the anchor and tag. */
  get valueStart(): number {
    const before = this.pair ? this.tokens?.sep : this.tokens?.start;
    const marks = ["map-value-ind", "seq-item-ind", "anchor", "tag"];
    const last = before?.filter(({ type }) => marks.includes(type)).at(-1);
    if (last) return last.offset + last.source.length;
    return this.pair ? ((this.pair.key as Node).range?.[1] ?? 0) : (this.node?.range?.[0] ?? 0);
  }

  /** Offset of its end, without following comments and blank lines. */
  get end(): number {
    const { node, valueStart } = this;
    // The parser places an empty value right before the comment.
    if (isScalar(node) && node.source === "" && node.type === Scalar.PLAIN) return valueStart;
    const last = this.isFlow ? undefined : this.children.at(-1);
    return Math.max(last?.end ?? node?.range?.[1] ?? valueStart, valueStart);
  }

  /** Whether a key has a colon. Within { }, it need not. */
  get hasColon(): boolean {
    return this.tokens?.sep?.some(({ type }) => type === "map-value-ind") === true;
  }

  private get tokens(): Tokens | undefined {
    if (this.pair) return (this.pair as { srcToken?: Tokens }).srcToken;
    const { srcToken } = (this.parent?.node ?? {}) as { srcToken?: { items?: readonly Tokens[] } };
    return this.index === undefined ? undefined : srcToken?.items?.[this.index];
  }
}

/** Returns the value of the first key that an item has, in itself or by an alias. */
function findName(item: unknown, by: readonly string[], document: Document): string | undefined {
  for (const word of by) {
    const value = findValue(item, word, document);
    if (isScalar(value) && value.value !== null) return formatKeyText(value);
  }
  return undefined;
}

/** Returns the value of a key of a map, or of those that are merged into it: the first of them counts. */
function findValue(node: unknown, word: string, document: Document): unknown {
  const map = isAlias(node) ? node.resolve(document) : node;
  const findFirst = (parts: readonly unknown[]) =>
    parts.map((part) => findValue(part, word, document)).find((part) => part !== undefined);
  if (isSeq(map)) return findFirst(map.items);
  if (!isMap(map)) return undefined;
  const own = map.items.find(({ key }) => !isMergeKey(key) && formatKeyText(key) === word);
  const merged = map.items.filter(({ key }) => isMergeKey(key)).map((pair) => pair.value);
  const value = own?.value ?? findFirst(merged);
  return isAlias(value) ? value.resolve(document) : value;
}
