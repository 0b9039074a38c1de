/** The ways in which an edit may be written, the best first. Which of them does what is wanted is found by trying. */
import type { PropertyPath } from "../../../provider/definition/problems.js";
import type { Draft, DraftSnapshot } from "../draft.js";
import type { Canonical } from "../canonical-form.js";
import { stepsBelow, type EntryLocation, type LocationStep } from "../locate.js";
import { atProperty, ownPart, type At } from "../write.js";

/** One way to write an edit into a draft. */
export interface Strategy {
  /** The file that is changed. */
  readonly file: string;
  /** What was said elsewhere is said in the entry from now on. */
  readonly override: boolean;
  readonly run: (draft: Draft) => void;
}

/** What the document is to mean after an edit, and the ways to get there. */
export interface EditPlan {
  readonly normal: Canonical;
  readonly ways: readonly Strategy[];
}

/** The place of an entry that is there. */
export type PropertyHolder = EntryLocation & {
  readonly path: PropertyPath;
  readonly tree: NonNullable<EntryLocation["tree"]>;
};

/** A property of an entry, as a place in files. */
export function placeOfProperty(spot: PropertyHolder, path: PropertyPath): At {
  return atProperty(spot, stepsBelow(spot.tree, spot.kind, path));
}

/** Files that say the property in the entry itself, the one that counts first. */
export function holdersOf({ layers, draft }: DraftSnapshot, target: At): string[] {
  return layers.filter((file) => ownPart(draft.file(file), target) !== undefined);
}

/** Files in which something stands, those that have most of the way to it first; of equal ones, overlays last. */
export function layersTo({ layers, draft }: DraftSnapshot, steps: readonly LocationStep[]): string[] {
  const depth = (file: string) => draft.file(file).walk(steps).depth;
  return layers.toReversed().toSorted((a, b) => depth(b) - depth(a));
}
