import type { PropertyPath } from "../../provider/definition/problems.js";
import type { Place } from "../syntax/source.js";
import type { Declared as Declarations } from "./to-declarations.js";
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
