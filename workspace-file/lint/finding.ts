/** Findings of lint rules. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import type { Location } from "../syntax/source.js";

/** Range of the text of a file. */
export interface Range {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Finding of a rule at a location. Never contains a value that may be a secret. */
export interface RuleFinding {
  readonly message: string;
  /** Path in the document, or location in a file. */
  readonly at: { readonly path: PropertyPath; readonly atKey?: boolean } | Location;
  /** Ranges of literal secrets, which are masked in the source lines too. */
  readonly hides?: readonly Range[] | undefined;
}
