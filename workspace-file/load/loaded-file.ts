import type { PropertyPath } from "../../provider/definition/problems.js";
import type { Location } from "../syntax/source.js";
import type { ToDeclarationsResult as Declarations } from "./to-declarations.js";
import type { ReadDocument } from "./read.js";

/** What a workspace file declares, and where that is written. */
export interface LoadedFile extends Omit<Declarations, "problems"> {
  /** The document with all that belongs to it. */
  readonly tree: NonNullable<ReadDocument["tree"]>;
  /** The texts of all files that were read, by file. */
  readonly sources: ReadDocument["sources"];
  /** Where a value (or its key) is written. */
  readonly placeOf: (path: PropertyPath, atKey?: boolean) => Location;
}
