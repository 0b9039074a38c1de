/** Edits and their results. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import { joinPieces, splitPieces } from "../compose/placeholders.js";
import type { LoadOptions } from "../load/load.js";
import type { Piece } from "../syntax/tree.js";

/** Text to write to the file without escaping its placeholders. */
export class AsWritten {
  constructor(readonly text: string) {}

  /** The texts and placeholders of which it consists. */
  get pieces(): readonly Piece[] {
    return splitPieces(this.text);
  }
}

/** Joins texts, which are escaped, and texts to write; undefined where no text of a file has these pieces. */
export function joinWritten(parts: readonly (string | AsWritten)[]): AsWritten | undefined {
  const pieces = parts.flatMap((part) => (typeof part === "string" ? [part] : part.pieces));
  const text = joinPieces(pieces);
  return text === undefined ? undefined : new AsWritten(text);
}

/** Property of an object: logical name (`projects/web`) and path among the arguments. */
export interface Property {
  readonly name: string;
  readonly path: PropertyPath;
}

/** Property to remove. */
export interface Removal extends Property {
  /** Removes it even if its value comes from a placeholder, which is a conflict otherwise. */
  readonly evenPlaceholders?: boolean;
}

/** New entry by logical name. */
export interface Addition {
  readonly name: string;
  readonly entry: unknown;
  /** In a list, the key of the preceding item, or null for the first position. Default: the end. */
  readonly after?: string | null;
  /** File of its own that the entry gets, which the document includes. */
  readonly file?: NewFile | undefined;
}

/** Order of an ordered section. Contains the keys of all its entries. */
export interface Order {
  readonly name: string;
  readonly section: string;
  readonly keys: readonly string[];
}

/** Change of the declarations of a workspace file. */
export type Edit =
  | { readonly set: Property & { readonly value: unknown } }
  | { readonly unset: Removal }
  | { readonly add: Addition }
  | { readonly remove: { readonly name: string } }
  | { readonly order: Order };

/** New file of a document. */
export interface NewFile {
  /** Path relative to the folder of the main file. */
  readonly path: string;
  readonly text: string;
}

export interface EditOptions extends LoadOptions {
  /** Changes the file that `${file:path}` names when its text changes, which is a conflict otherwise. */
  readonly writeFiles?: boolean;
  /** Deletes files that become empty, with the lines that include them. */
  readonly dropEmptyFiles?: boolean;
}

/** Text of a file before and after the edits. Empty before for a new file, and after for a deleted one. */
export interface EditedFile {
  readonly path: string;
  readonly isNew?: boolean;
  readonly isGone?: boolean;
  readonly before: string;
  readonly after: string;
}

/** Reason for refusing an edit. A code never changes its meaning. */
type RefusalCode =
  /** The value comes from a placeholder. The edit would hide the value to which it refers. */
  | "conflict"
  /** There is no such object in the document, or no part of it is in a file that can be edited. */
  | "not-there"
  /** An entry of that name already exists. */
  | "exists"
  /** The text is shared (by an anchor, a template or defaults), so other objects would change too. */
  | "shared"
  /** The file would not be valid any more. */
  | "invalid"
  /** The file cannot be written in this form: it is a module, or standard input. */
  | "form";

export interface Refused {
  readonly edit: Edit;
  readonly code: RefusalCode;
  /** Explanation with the location and the remedy. */
  readonly reason: string;
}

/** Edit that was made. */
export interface MadeEdit {
  readonly edit: Edit;
  /** File that it changes. Undefined when the document is as requested already. */
  readonly file?: string;
  /** Whether the entry overrides a value from elsewhere (a template, defaults, an alias). */
  readonly override?: boolean;
}

export interface EditResult {
  /** Changed files, which are not written yet. */
  readonly files: readonly EditedFile[];
  /** What the document must mean with these files. */
  readonly expected: unknown;
  readonly made: readonly MadeEdit[];
  readonly refused: readonly Refused[];
}

/** Error for an edit that cannot be made, which the result reports as `Refused`. */
export class Refusal extends Error {
  constructor(
    readonly code: Refused["code"],
    message: string,
  ) {
    super(message);
  }
}
