/** Plans an edit: the form that the document should have, and the ways to write it. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import { getSections } from "../compose/shape.js";
import { getLocation } from "../syntax/source.js";
import { findPartAt } from "../syntax/tree.js";
import {
  type Canonical,
  type ChangedPart,
  Filled,
  findChangedParts,
  findKeyOfItem,
  getCanonicalAt,
  isEmpty,
  withPart,
} from "./canonical-form.js";
import type { Draft, DraftSnapshot } from "./draft.js";
import { type Addition, type Edit, type Order, type Property, Refusal, type Removal } from "./edit-types.js";
import { type InFile, toFileForm } from "./exclusive-sections.js";
import { type ExistingEntry, locate, locateStepsBelow, type LocationStep, requireEntry } from "./locate.js";
import { findFileToChange, keepsPlaceholders, mergeValue } from "./merged-value.js";
import { addInOwnFile, toCanonicalNewEntry } from "./new-entry.js";
import { type At, findOwnPart, writeBelow, writeProperty } from "./write.js";
import type { RawText } from "./yaml/raw.js";
import { removeNode } from "./yaml/remove.js";
import { reorder } from "./yaml/reorder.js";
import { replaceWhole } from "./yaml/replace.js";

/** Way to write an edit into a draft. */
export interface WriteStrategy {
  /** File that is changed, if any. */
  readonly file?: string;
  /** Whether the entry overrides a value that comes from elsewhere. */
  readonly override?: boolean;
  readonly run: (draft: Draft) => void;
}

/** Planned form of the document after an edit, and the ways to achieve it, best first. */
export interface EditPlan {
  readonly normal: Canonical;
  readonly ways: readonly WriteStrategy[];
}

/** @throws {Refusal} when the edit is impossible */
export function planEdit(edit: Edit, snapshot: DraftSnapshot, writeFiles: boolean): EditPlan {
  if ("set" in edit) return planSet(snapshot, edit.set, writeFiles);
  if ("unset" in edit) return planUnset(snapshot, edit.unset);
  if ("add" in edit) return planAdd(snapshot, edit.add);
  if ("remove" in edit) return planRemove(snapshot, edit.remove.name);
  return planOrder(snapshot, edit.order);
}

/** Property of an existing entry, as the file expresses it. */
interface Target extends InFile {
  readonly location: ExistingEntry;
  readonly entry: Canonical;
  readonly before: Canonical;
  /** Path in the document. */
  readonly whole: PropertyPath;
}

function findTarget({ normal }: DraftSnapshot, { name, path }: Property, value?: unknown): Target {
  const location = requireEntry(normal, name);
  const entry = getCanonicalAt(normal, location.path);
  const own = toFileForm(location, entry, path, value);
  return {
    ...own,
    location,
    entry,
    before: getCanonicalAt(entry, own.path),
    whole: [...location.path, ...own.path],
  };
}

function planSet(
  snapshot: DraftSnapshot,
  edit: Property & { readonly value: unknown },
  writeFiles: boolean,
): EditPlan {
  const target = findTarget(snapshot, edit, edit.value);
  const { before, value, whole } = target;
  const file = writeFiles ? findFileToChange(before, value) : undefined;
  if (file !== undefined && before instanceof Filled) {
    const { written, leaf } = before;
    return {
      normal: withPart(snapshot.normal, whole, new Filled(written, value, leaf)),
      ways: [{ file, run: (draft) => draft.setValue(file, leaf.at.source.file, String(value)) }],
    };
  }
  const after = mergeValue(before ?? null, value);
  const normal = withPart(snapshot.normal, whole, after);
  const isSection =
    target.path.length === 1 && getSections(target.location.kind.type).has(String(target.path[0]));
  return {
    normal: isSection ? withoutEmpty(normal, whole) : normal,
    ways: planStrategies(snapshot, target, after),
  };
}

/** Omits a section that has become empty, which is equivalent to none. */
function withoutEmpty(normal: Canonical, section: PropertyPath): Canonical {
  return isEmpty(getCanonicalAt(normal, section)) ? withPart(normal, section, undefined) : normal;
}

/** Plans to remove a property. Where a template or defaults set it, the entry sets `null`. */
function planUnset(snapshot: DraftSnapshot, edit: Removal): EditPlan {
  const target = findTarget(snapshot, edit);
  if (edit.evenPlaceholders !== true) keepsPlaceholders(target.before);
  const at = describePlace(target, target.path);
  const parents = listParentFiles(snapshot, at);
  const takeOut = (draft: Draft, file: string) => {
    const raw = draft.file(file);
    const own = findOwnPart(raw, at);
    if (own === at.entry) replaceWhole(raw, own, {});
    else removeAt(raw, own);
  };
  const removals = parents.slice(0, 1).flatMap((file): WriteStrategy[] => [
    { file, run: (draft) => takeOut(draft, file) },
    { file, run: (draft) => parents.forEach((parent) => takeOut(draft, parent)) },
  ]);
  return {
    normal: withPart(snapshot.normal, target.whole, undefined),
    ways: [...removals, ...planStrategies(snapshot, target, null)],
  };
}

/** Returns the ways to write a property: only the difference or the whole, in the file that sets it or in any file with the entry. */
function planStrategies(snapshot: DraftSnapshot, target: Target, after: Canonical): WriteStrategy[] {
  const { location, entry, path, before } = target;
  const top = path.slice(0, 1);
  const parts = findChangedParts(before ?? null, after, path);
  const all = [
    {
      path: top,
      before: getCanonicalAt(entry, top),
      after: getCanonicalAt(withPart(entry, path, after), top),
    },
  ];
  const [own] = listParentFiles(snapshot, describePlace(target, path));
  const layers = new Set([...(own === undefined ? [] : [own]), ...listLayersTo(snapshot, location.steps)]);
  return [...layers].flatMap((file) =>
    [parts, all].map((changes) => ({
      file,
      override: file !== own && before !== undefined,
      run: (draft: Draft) => {
        const raw = draft.file(file);
        keepKey(raw, target);
        for (const change of changes) writePart(raw, target, change);
      },
    })),
  );
}

function writePart(raw: RawText, target: Target, { path, before, after }: ChangedPart): void {
  const at = describePlace(target, path);
  const own = after === undefined ? findOwnPart(raw, at) : undefined;
  if (own) removeAt(raw, own);
  else writeProperty(raw, at, before, after ?? null, target.entry);
}

/** Keeps the key of a list item whose name changes. */
function keepKey(raw: RawText, { location, path: [first] }: Target): void {
  const { kind, steps, key } = location;
  if (kind.document.form !== "list" || first !== kind.document.keyedBy || !raw.find(steps)) return;
  const own = [...steps, { key: "key" }];
  if (raw.find(own) === undefined) writeBelow(raw, own, key);
}

/** Plans to add an entry. */
function planAdd(snapshot: DraftSnapshot, { name, entry, after, file: own }: Addition): EditPlan {
  const { kind, key, section, path, steps } = locate(snapshot.normal, name);
  if (path !== undefined)
    throw new Refusal("exists", `${name} is already declared, in ${formatLocation(snapshot, path)}`);
  const isMap = kind.document.form === "map";
  const list = isMap ? [] : listItemsAt(snapshot.normal, section);
  const index = isMap ? undefined : findPlaceIn(list, after);
  const normal = toCanonicalNewEntry(kind, key, entry);
  return {
    normal:
      index === undefined
        ? withPart(snapshot.normal, [...section, key], normal)
        : withPart(snapshot.normal, section, list.toSpliced(index, 0, normal)),
    ways: [
      ...(own ? addInOwnFile(snapshot, own) : []),
      ...listLayersTo(snapshot, steps.slice(0, -1)).map((file) => ({
        file,
        run: (draft: Draft) => writeBelow(draft.file(file), steps, entry, index),
      })),
    ],
  };
}

function findPlaceIn(list: readonly Canonical[], after: string | null | undefined): number {
  if (after === null) return 0;
  const before = list.findIndex((item) => findKeyOfItem(item) === after);
  return before < 0 ? list.length : before + 1;
}

/** Plans to remove an entry from every file that contains it. */
function planRemove(snapshot: DraftSnapshot, name: string): EditPlan {
  const { path, section, steps } = requireEntry(snapshot.normal, name);
  const parents = snapshot.layers.filter((file) => snapshot.draft.file(file).find(steps));
  const [file] = parents;
  if (file === undefined)
    throw new Refusal(
      "shared",
      `${name} comes from a template or an alias (${formatLocation(snapshot, path)}): remove it there`,
    );
  const without = withPart(snapshot.normal, path, undefined);
  return {
    normal: withoutEmpty(without, section),
    ways: [{ file, run: (draft) => parents.forEach((parent) => removeAt(draft.file(parent), steps)) }],
  };
}

/** Plans to reorder an ordered section. */
function planOrder(snapshot: DraftSnapshot, { name, section, keys }: Order): EditPlan {
  const location = requireEntry(snapshot.normal, name);
  const path = [...location.path, section];
  const list = listItemsAt(snapshot.normal, path);
  const order = keys.map((key) => list.findIndex((item) => findKeyOfItem(item) === key));
  if (order.includes(-1) || new Set(order).size !== list.length || keys.length !== list.length)
    throw new Refusal("not-there", `${name} has other ${section} than those to reorder`);
  const steps = [...location.steps, { key: section }];
  const parents = snapshot.layers.filter((file) => snapshot.draft.file(file).find(steps));
  if (parents.length === 0)
    throw new Refusal("shared", `the ${section} of ${name} come from a template: which defines their order`);
  const ordered = order.map((index) => list[index]);
  const run = (draft: Draft, file: string) => {
    const slot = draft.file(file).find(steps);
    if (slot) reorder(draft.file(file), slot, order);
  };
  return {
    normal: withPart(snapshot.normal, path, ordered),
    ways: parents.map((file) => ({ file, run: (draft) => run(draft, file) })),
  };
}

function listItemsAt(normal: Canonical, path: PropertyPath): readonly Canonical[] {
  const items = getCanonicalAt(normal, path);
  return Array.isArray(items) ? (items as Canonical[]) : [];
}

function removeAt(raw: RawText, steps: readonly LocationStep[] | undefined): void {
  const slot = steps && raw.find(steps);
  if (slot) removeNode(raw, slot);
}

/** Returns the location of a property in files. */
function describePlace({ location: { kind, steps }, entry }: Target, path: PropertyPath): At {
  return { entry: steps, property: locateStepsBelow(entry, kind, path), scalar: kind.document.scalar };
}

/** Returns the files that set a property in the entry itself, by precedence. */
function listParentFiles({ layers, draft }: DraftSnapshot, at: At): string[] {
  return layers.filter((file) => findOwnPart(draft.file(file), at) !== undefined);
}

/** Sorts the files by how many of the steps they contain, overlays last. */
function listLayersTo({ layers, draft }: DraftSnapshot, steps: readonly LocationStep[]): string[] {
  const depth = (file: string) => draft.file(file).walk(steps).depth;
  return layers.toReversed().toSorted((a, b) => depth(b) - depth(a));
}

/** Formats a location, such as `workspace.yaml:12`. */
function formatLocation({ tree }: DraftSnapshot, path: PropertyPath): string {
  const { file, line } = getLocation((findPartAt(tree, path) ?? tree).at);
  return `${file}:${line}`;
}
