/** The words of the command line; apart, so that `--help` loads nothing else. */

/** Kinds of findings, in the order in which they are shown. */
export const findingClasses = ["deleted", "changed", "added", "pending", "unverifiable"] as const;
export type FindingClass = (typeof findingClasses)[number];

/** How far to look for what nobody declared. */
export const addedScopes = ["none", "declared", "all"] as const;
export type AddedScope = (typeof addedScopes)[number];

/** The forms of a report. */
export const formats = ["table", "json", "markdown", "junit", "sarif", "html"] as const;
export type Format = (typeof formats)[number];

/** A form, and the file it goes to; without one, standard output. */
export interface Wish {
  readonly format: Format;
  readonly file?: string;
}
