/** Findings of all comparisons: the two sources of an object differ, one lacks it, or the comparison is impossible. */
import { createHash } from "node:crypto";
import { formatPath, type PropertyPath } from "./structural-diff.js";

/** Properties of every finding. Each command adds the values of its own sources. */
export interface Finding<Class extends string = string> {
  /** Identifies the finding in every run. */
  readonly id: string;
  readonly class: Class;
  /** Resource type of the object. */
  readonly type: string;
  /** Logical name of the object. */
  readonly name: string;
  /** The property; empty for the whole object. */
  readonly path: string;
  readonly pathParts: (string | number)[];
  /** The values are fingerprints. */
  readonly secret: boolean;
  readonly note?: string | undefined;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Builds a finding. Absent values (null, undefined) are omitted. */
export function createFinding<C extends string, D extends object>(
  findingClass: C,
  object: { readonly type: string; readonly name: string },
  pathParts: PropertyPath,
  details: D,
): Finding<C> & Present<D> {
  const { type, name } = object;
  const path = formatPath(pathParts);
  const id = buildFindingId([findingClass, type, name, path]);
  const present = Object.entries(details).filter(([, value]) => value !== undefined && value !== null);
  const own = Object.fromEntries(present) as Present<D>;
  return { id, class: findingClass, type, name, path, pathParts: [...pathParts], secret: false, ...own };
}

/** Builds the same id in every run from what tells a finding from others. */
export function buildFindingId(parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}

/** Sorts findings by class, then by name, type and path. */
export function sortFindings<C extends string, F extends Finding<C>>(
  findings: readonly F[],
  classes: readonly C[],
): F[] {
  const keys = ({ name, type, path }: F) => [name, type, path];
  return findings.toSorted(
    (a, b) => classes.indexOf(a.class) - classes.indexOf(b.class) || compareTexts(keys(a), keys(b)),
  );
}

/** Compares lists of texts by code units, so that the order is the same in every locale. */
export function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? "";
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
