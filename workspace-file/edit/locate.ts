/** Locates the entry of a logical name in the canonical form of a document. */
import { isPlain } from "../../diff/values.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import type { DocumentKind } from "../../resources/definition/placement.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { type DocumentShape, getSections, getShapeUnder } from "../compose/shape.js";
import { type Canonical, findKeyOfItem, getCanonicalAt } from "./canonical-form.js";
import { Refusal } from "./edit-types.js";

/** Step into a file: by key, to the item of a name, to a plain item, or by index. */
export type LocationStep =
  | { readonly key: string }
  | { readonly item: string; readonly by: readonly string[] }
  | { readonly text: string }
  | { readonly index: number };

/** Location of an entry, which need not exist. */
export interface EntryLocation {
  readonly kind: DocumentKind;
  readonly key: string;
  /** Path of its section in the canonical form. */
  readonly section: PropertyPath;
  /** Path of the entry in the canonical form, if it exists. */
  readonly path: PropertyPath | undefined;
  readonly steps: readonly LocationStep[];
}

/** @throws {Refusal} when a parent does not exist, or the name is invalid */
export function locate(document: Canonical, name: string): EntryLocation {
  const steps = splitIntoSteps(name);
  let section: PropertyPath = [];
  let path: PropertyPath | undefined = [];
  for (const [index, step] of (steps ?? []).entries()) {
    if (path === undefined)
      throw createMissingRefusal(
        name
          .split("/")
          .slice(0, 2 * index)
          .join("/"),
      );
    section = [...path, step.section];
    const found = findStep(getCanonicalAt(document, section), step);
    path = found === undefined ? undefined : [...section, found];
  }
  const own = steps?.at(-1);
  if (own === undefined)
    throw new Refusal("not-there", `${name} is not the logical name of an entry in a workspace file`);
  return { kind: own.kind, key: own.key, section, path, steps: locateSteps(name) };
}

/** Location of an entry that exists. */
export type ExistingEntry = EntryLocation & { readonly path: PropertyPath };

/** @throws {Refusal} when the entry does not exist */
export function requireEntry(document: Canonical, name: string): ExistingEntry {
  const location = locate(document, name);
  const { path } = location;
  if (path === undefined) throw createMissingRefusal(name);
  return { ...location, path };
}

const createMissingRefusal = (name: string) =>
  new Refusal("not-there", `${name} is not in the workspace file`);

interface SectionStep {
  readonly section: string;
  readonly kind: DocumentKind;
  readonly key: string;
}

/** Returns the sections that lead to an entry, if there may be an entry of that name. */
function splitIntoSteps(name: string): SectionStep[] | undefined {
  const places: SectionStep[] = [];
  const { steps } = new LogicalName(name);
  if (steps.length * 2 !== name.split("/").length) return undefined;
  for (const { section, key } of steps) {
    const kind = getSections(places.at(-1)?.kind.type).get(section);
    if (kind === undefined) return undefined;
    places.push({ section, kind, key });
  }
  return places;
}

/** Returns the steps to an entry by its logical name, and none to the document itself (""). */
export function locateSteps(name: string): LocationStep[] {
  const places = name === "" ? [] : splitIntoSteps(name);
  if (places === undefined) throw new TypeError(`${name} is not a logical name`);
  return places.flatMap(({ section, kind, key }) => [{ key: section }, createStep(kind, key)]);
}

function createStep({ document }: DocumentKind, key: string): LocationStep {
  if (document.form === "map") return { key };
  return document.form === "list" ? { item: key, by: ["key", document.keyedBy] } : { text: key };
}

function findStep(section: Canonical, { kind, key }: SectionStep): string | number | undefined {
  if (kind.document.form === "map") return isPlain(section) && Object.hasOwn(section, key) ? key : undefined;
  const index = Array.isArray(section) ? section.findIndex((item) => findKeyOfItem(item) === key) : -1;
  return index < 0 ? undefined : index;
}

/** Converts a path below an entry to steps: items of ordered sections by their keys. */
export function locateStepsBelow(entry: Canonical, kind: DocumentKind, path: PropertyPath): LocationStep[] {
  let shape: DocumentShape = { is: "entry", kind };
  return path.map((part, depth) => {
    const below = getCanonicalAt(entry, path.slice(0, depth + 1));
    const parent = shape;
    shape = getShapeUnder(shape, String(part), Array.isArray(below));
    if (typeof part === "string") return { key: part };
    const list = parent.is === "section" && parent.kind.document.form === "list" ? parent.kind : undefined;
    const key = list && findKeyOfItem(below);
    return list && key !== undefined ? createStep(list, key) : { index: part };
  });
}
