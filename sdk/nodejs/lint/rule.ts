/** What a lint rule is: something that is allowed in a workspace file, and most often a mistake. */
import type { Place, PropertyPath } from "../../../schema/index.js";
import type { Linted } from "./linted.js";

export type Severity = "error" | "warning" | "info";

/** A part of a file's text. */
export interface Range {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** What a rule says of one place; never a value that may be a secret. */
export interface Finding {
  readonly message: string;
  /** Where in the document, or where in the text of a file. */
  readonly at: { readonly path: PropertyPath; readonly atKey?: boolean } | Place;
  /** A secret that is written there: shown nowhere, not in a source line either. */
  readonly hides?: Range | undefined;
}

/** What there is to know of a code. */
export interface RuleFacts {
  /** In kebab-case. It never changes its meaning: files name it in their comments. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, in one sentence. */
  readonly description: string;
  /** What to do about it. */
  readonly remedy: string;
  /** A file that has it, and the same one mended: for the documentation and the tests. */
  readonly examples: { readonly bad: string; readonly good: string };
}

export interface Rule extends RuleFacts {
  check(linted: Linted): Iterable<Finding> | Promise<Iterable<Finding>>;
}
