/** Writes a value into a text at the end of steps, or below the nearest existing part. */
import { Document, isAlias, isMap, isNode, isScalar, isSeq, type Node } from "yaml";
import { definitions } from "../../resources/index.js";
import { buildDocumentForm, type MapForm, orderKeys } from "../format/format.js";
import type { Canonical } from "./canonical-form.js";
import { Refusal } from "./edit-types.js";
import type { LocationStep } from "./locate.js";
import { fillEmpty, insertItem, insertKey } from "./yaml/insert.js";
import type { RawText } from "./yaml/raw.js";
import { createAlias, createNode } from "./yaml/render.js";
import { replaceAt, replaceWhole } from "./yaml/replace.js";
import type { Slot } from "./yaml/slot.js";

const form = buildDocumentForm(definitions);

/** Location of an entry, and the property of its short form. */
export interface At {
  readonly entry: readonly LocationStep[];
  readonly property: readonly LocationStep[];
  readonly scalar: string | undefined;
}

/** Returns the steps to the part of this text that sets the property. */
export function findOwnPart(
  raw: RawText,
  { entry, property, scalar }: At,
): readonly LocationStep[] | undefined {
  const [first, ...rest] = property;
  const short = rest.length === 0 && first && "key" in first && first.key === scalar;
  const slot = short ? raw.find(entry) : undefined;
  if (slot && isShort(slot)) return entry;
  const steps = [...entry, ...property];
  return raw.find(steps) ? steps : undefined;
}

/** Returns the alias that replaces the short form of an entry. */
function findShortAlias(raw: RawText, { node }: Slot): Node | undefined {
  return isAlias(node) && isScalar(node.resolve(raw.document)) ? createAlias(node.source) : undefined;
}

const isShort = ({ node }: Slot) => isScalar(node) && node.value !== null;

/** Changes a property where it is set, or adds it to the entry. */
export function writeProperty(
  raw: RawText,
  at: At,
  before: Canonical,
  after: Canonical,
  entryBefore: Canonical,
): void {
  const own = findOwnPart(raw, at);
  if (own) return replaceAt(raw, own, before, after, findFormAt(raw, own));
  const { entry, property, scalar } = at;
  const slot = raw.find(entry);
  const alias = slot && findShortAlias(raw, slot);
  if (slot && (isShort(slot) || alias) && scalar !== undefined) {
    const value = nest(property, after) as Readonly<Record<string, unknown>>;
    if (Object.hasOwn(value, scalar)) return replaceWhole(raw, entry, value[scalar]);
    const written = alias ?? (entryBefore as Readonly<Record<string, Canonical>>)[scalar];
    return replaceWhole(raw, entry, makeFlow(nestInOrder(entry, { [scalar]: written, ...value })));
  }
  writeBelow(raw, [...entry, ...property], after);
}

/** Writes a value below the nearest existing part. @param index index of a new item in its list; default the end */
export function writeBelow(
  raw: RawText,
  steps: readonly LocationStep[],
  value: unknown,
  index?: number,
): void {
  const { slot, depth } = raw.walk(steps);
  const [first, ...rest] = steps.slice(depth);
  if (first === undefined) throw new Refusal("exists", "it already exists");
  const { node } = slot;
  const inner = nestInOrder(steps.slice(0, depth + 1), buildValueAt(first, nest(rest, value)));
  if (isMap(node) && "key" in first)
    return insertKey(raw, slot, first.key, inner, findFormAt(raw, steps.slice(0, depth)));
  if (isSeq(node) && !("index" in first))
    return insertItem(raw, slot, rest.length === 0 ? (index ?? node.items.length) : node.items.length, inner);
  if ((node === null || (isScalar(node) && node.value === null)) && !("index" in first))
    return fillEmpty(raw, slot, "key" in first ? { [first.key]: inner } : [inner]);
  if (isAlias(node) && "key" in first) {
    const merged = createNode({ "<<": createAlias(node.source), [first.key]: inner });
    return replaceWhole(raw, steps.slice(0, depth), merged);
  }
  throw new Refusal("shared", "no file contains it in a form that can be changed");
}

/** Wraps a value in the maps and lists of the remaining steps. */
function nest(steps: readonly LocationStep[], value: unknown): unknown {
  const [first, ...rest] = steps;
  if (first === undefined) return value;
  const inner = buildValueAt(first, nest(rest, value));
  if ("key" in first) return { [first.key]: inner };
  if ("index" in first)
    throw new Refusal("shared", "one item of a list cannot be written without the others");
  return [inner];
}

/** Returns the value of a step: an item of a list contains its name. */
export function buildValueAt(step: LocationStep, value: unknown): unknown {
  // A number in a list of keys is an id of the service.
  if ("text" in step) return typeof value === "number" ? value : step.text;
  if (!("item" in step) || isNode(value)) return value;
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (step.by.some((word) => Object.hasOwn(fields, word))) return fields;
  return { [step.by.at(-1) ?? "name"]: step.item, ...fields };
}

/** Returns a value with its keys in canonical order. */
function nestInOrder(steps: readonly LocationStep[], value: unknown): Node {
  const node = createNode(value);
  const document = new Document({});
  document.contents = createNode(nest(steps, node));
  orderKeys(document, form);
  return node;
}

function makeFlow(node: Node): Node {
  if (isMap(node)) node.flow = true;
  return node;
}

/** Returns the order of the keys in the map at the end of steps. */
export function findFormAt(raw: RawText, steps: readonly LocationStep[]): MapForm | undefined {
  let [at, below]: [MapForm | undefined, LocationStep[]] = [form, []];
  for (const step of steps) {
    const parent = raw.find(below)?.node;
    if ("key" in step) at = isMap(parent) ? at?.of(step.key, parent) : undefined;
    below = [...below, step];
  }
  return at;
}
