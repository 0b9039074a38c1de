/** The words of the command line that all reports share; apart, so that `--help` loads nothing else. */

/** The forms of a report. */
export const formats = ["table", "json", "markdown", "junit", "sarif", "html"] as const;
export type Format = (typeof formats)[number];

/** A form, and the file it goes to; without one, standard output. */
export interface Wish {
  readonly format: Format;
  readonly file?: string;
}
