/** What a rule finds. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import type { Location } from "../syntax/source.js";

/** A part of a file's text. */
export interface Range {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** What a rule says of one place; never a value that may be a secret. */
export interface RuleFinding {
  readonly message: string;
  /** Where in the document, or where in the text of a file. */
  readonly at: { readonly path: PropertyPath; readonly atKey?: boolean } | Location;
  /** A secret that is written there: shown nowhere, not in a source line either. */
  readonly hides?: Range | undefined;
}
