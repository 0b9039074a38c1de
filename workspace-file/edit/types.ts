/** What can be asked of an edit, and what comes of it. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import type { LoadOptions } from "../load/index.js";

/** A text of the file as it stands, with its placeholders: nothing of it is escaped. */
export class AsWritten {
  constructor(readonly text: string) {}
}

/** A property of an object: its logical name (`projects/web`) and the path of the property among its arguments. */
export interface Property {
  readonly name: string;
  readonly path: PropertyPath;
}

/** One change of what a workspace file declares. */
export type Edit =
  | { readonly set: Property & { readonly value: unknown } }
  | { readonly unset: Property }
  /**
   * A new entry under its logical name. In a list, `after` is the key of the item before it; null for the first place.
   * With `file` it gets a file of its own, of this text, which the document then includes.
   */
  | {
      readonly add: {
        readonly name: string;
        readonly entry: unknown;
        readonly after?: string | null;
        readonly file?: NewFile | undefined;
      };
    }
  | { readonly remove: { readonly name: string } }
  /** The keys of the entries of an ordered section, all of them. */
  | {
      readonly order: { readonly name: string; readonly section: string; readonly keys: readonly string[] };
    };

/** A file that a document is to have beside its main one. */
export interface NewFile {
  /** Relative to the main file's folder. */
  readonly path: string;
  readonly text: string;
}

export interface EditOptions extends LoadOptions {
  /** Write the file that `${file:path}` names when its text is to be another; else that is a conflict. */
  readonly writeFiles?: boolean;
  /** Delete files in which nothing is left, not even a comment, with the lines that include them. */
  readonly dropEmptyFiles?: boolean;
}

/** A file with its text before and after; a new one has none before, and one that is to be deleted none after. */
export interface EditedFile {
  readonly path: string;
  readonly isNew?: boolean;
  readonly isGone?: boolean;
  readonly before: string;
  readonly after: string;
}

/** Why an edit is not made. A code never changes its meaning. */
export const refusalCodes = {
  conflict: "The value comes from a placeholder: what it stands for is somewhere else, and would be hidden.",
  "not-there": "There is no such object in the document, or nothing of it in a file that can be edited.",
  exists: "An entry of that name is there already.",
  shared:
    "The text is shared (by an anchor, a template or defaults), so that other objects would change too.",
  invalid: "The file would not be valid any more.",
  form: "The file cannot be written in this form: it is a module, or standard input.",
} as const;

export interface Refused {
  readonly edit: Edit;
  readonly code: keyof typeof refusalCodes;
  /** What, where, and what to do instead. */
  readonly reason: string;
}

/** An edit that is made. */
export interface MadeEdit {
  readonly edit: Edit;
  /** The file that it changes; absent when the document says so already. */
  readonly file?: string;
  /** The value came from elsewhere (a template, defaults, an alias): the entry has its own now. */
  readonly override?: boolean;
}

export interface EditResult {
  /** Files that are changed; nothing is written yet. */
  readonly files: readonly EditedFile[];
  readonly made: readonly MadeEdit[];
  readonly refused: readonly Refused[];
}

/** An edit that cannot be made; thrown inside, told as `Refused`. */
export class Refusal extends Error {
  constructor(
    readonly code: Refused["code"],
    message: string,
  ) {
    super(message);
  }
}
