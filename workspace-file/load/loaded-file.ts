/** The declarations of a workspace file, with their locations. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import type { Location } from "../syntax/source.js";
import type { ReadDocument } from "./read-document.js";
import type { ToDeclarationsResult as Declarations } from "./to-declarations.js";

/** Declarations of a workspace file, with their locations. */
export interface LoadedFile extends Omit<Declarations, "problems"> {
  /** Composed document. */
  readonly tree: NonNullable<ReadDocument["tree"]>;
  /** Sources of all files that were read, by file. */
  readonly sources: ReadDocument["sources"];
  /** The files whose texts are values. */
  readonly valueFiles: ReadDocument["valueFiles"];
  /** Returns the location of a value (or its key). */
  readonly locate: (path: PropertyPath, atKey?: boolean) => Location;
  /** Reads the file of a reference to a secret. Throws like a placeholder for a file that may not be read. */
  readonly secretFile: ReadDocument["secretFile"];
}
