/** Strategies to write an edit, best first. They are tried in order until one has the planned effect. */
import type { PropertyPath } from "../../../provider/definition/problems.js";
import type { Draft, DraftSnapshot } from "../draft.js";
import type { Canonical } from "../canonical-form.js";
import { stepsBelow, type EntryLocation, type LocationStep } from "../locate.js";
import { atProperty, ownPart, type At } from "../write.js";

/** Way to write an edit into a draft. */
export interface Strategy {
  /** File that is changed. */
  readonly file: string;
  /** Whether the entry overrides a value that comes from elsewhere. */
  readonly override: boolean;
  readonly run: (draft: Draft) => void;
}

/** Planned form of the document after an edit, and the ways to achieve it. */
export interface EditPlan {
  readonly normal: Canonical;
  readonly ways: readonly Strategy[];
}

/** Location of an existing entry. */
export type PropertyHolder = EntryLocation & {
  readonly path: PropertyPath;
  readonly tree: NonNullable<EntryLocation["tree"]>;
};

/** Returns the location of a property in files. */
export function propertyLocation(location: PropertyHolder, path: PropertyPath): At {
  return atProperty(location, stepsBelow(location.tree, location.kind, path));
}

/** Returns the files that set a property in the entry itself, by precedence. */
export function holdersOf({ layers, draft }: DraftSnapshot, target: At): string[] {
  return layers.filter((file) => ownPart(draft.file(file), target) !== undefined);
}

/** Sorts the files by how many of the steps they contain, overlays last. */
export function layersTo({ layers, draft }: DraftSnapshot, steps: readonly LocationStep[]): string[] {
  const depth = (file: string) => draft.file(file).walk(steps).depth;
  return layers.toReversed().toSorted((a, b) => depth(b) - depth(a));
}
