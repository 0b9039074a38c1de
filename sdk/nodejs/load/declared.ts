import type { Place, PropertyPath } from "../../../schema/index.js";
import type { Declared as Declarations } from "./declarations.js";
import type { ReadDocument } from "./read.js";

/** What a workspace file declares, and where that is written. */
export interface Declared extends Omit<Declarations, "problems"> {
  /** The document with all that belongs to it. */
  readonly tree: NonNullable<ReadDocument["tree"]>;
  /** The texts of all files that were read, by file. */
  readonly sources: ReadDocument["sources"];
  /** Where a value (or its key) is written. */
  readonly placeOf: (path: PropertyPath, atKey?: boolean) => Place;
}
