/** Reads and changes parts of canonical forms by path. */
import { unescapeKey } from "../../provider/definition/logical-name.js";
import type { PropertyPath } from "../../provider/definition/problems.js";
import { isMap, mapOf, sameCanonical, type Canonical } from "./canonical-form.js";
import { Refusal } from "./types.js";

export function at(normal: Canonical, path: PropertyPath): Canonical {
  let part = normal;
  for (const step of path) {
    if (Array.isArray(part)) part = (part as Canonical[])[Number(step)];
    else if (isMap(part) && Object.hasOwn(part, step)) part = part[step];
    else return undefined;
  }
  return part;
}

/** Returns the form with a part set or, where undefined, removed. Creates missing maps. */
export function setAt(normal: Canonical, [step, ...rest]: PropertyPath, value: Canonical): Canonical {
  if (step === undefined) return value;
  if (Array.isArray(normal)) {
    const items = normal as Canonical[];
    const index = Number(step);
    const inner = setAt(items[index], rest, value);
    return inner === undefined ? items.toSpliced(index, 1) : items.with(index, inner);
  }
  const fields = isMap(normal) ? normal : {};
  const inner = setAt(Object.hasOwn(fields, step) ? fields[step] : undefined, rest, value);
  const others = Object.entries(fields);
  if (inner === undefined) return mapOf(others.filter(([key]) => key !== String(step)));
  return mapOf([...others.filter(([key]) => key !== String(step)), [String(step), inner]]);
}

/**
 * Returns the path of an entry after other edits, which may have changed its position in its list.
 * @param path path in the document
 * @param name logical name of the entry, or of a part of it
 * @throws {Refusal} when it no longer exists
 */
export function pathNow(normal: Canonical, path: PropertyPath, name: string): PropertyPath {
  const words = name.split("/");
  const now: (string | number)[] = [];
  path.forEach((step, index) => {
    if (typeof step !== "number") return void now.push(step);
    const key = unescapeKey(words[index] ?? "");
    const items = at(normal, now);
    const found = Array.isArray(items) ? (items as Canonical[]).findIndex((item) => keyIn(item) === key) : -1;
    if (found < 0) throw new Refusal("not-there", `${name} is no longer in the workspace file`);
    now.push(found);
  });
  return now;
}

const keyIn = (item: Canonical) => {
  const key = isMap(item) ? item["key"] : item;
  return typeof key === "number" ? String(key) : key;
};

export interface ChangedPart {
  readonly path: PropertyPath;
  readonly before: Canonical;
  readonly after: Canonical;
}

/** Returns the parts that differ. Lists count as a whole. */
export function changedParts(before: Canonical, after: Canonical, path: PropertyPath): ChangedPart[] {
  if (sameCanonical(before, after)) return [];
  if (!isMap(before) || !isMap(after)) return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedParts(before[key], after[key], [...path, key]));
}
