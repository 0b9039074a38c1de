/** The names of all forms of output; apart from the writers, so that `--help` loads nothing else. */

/** The forms of a report. */
export const formats = ["table", "json", "markdown", "junit", "sarif", "html"] as const;
export type Format = (typeof formats)[number];

/** A form, and the file it goes to; without one, standard output. */
export interface FormatRequest {
  readonly format: Format;
  readonly file?: string;
}

/** The forms in which diagnostics of a file are printed. */
export const diagnosticFormats = ["text", "json", "github", "sarif"] as const;
export type DiagnosticFormat = (typeof diagnosticFormats)[number];
