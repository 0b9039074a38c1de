/** Names of all output formats, in a separate file so that `--help` loads nothing else. */

/** Formats of a report. */
export const formats = ["table", "json", "markdown", "junit", "sarif", "html"] as const;
export type Format = (typeof formats)[number];

/** A format, and its file; without one, standard output. */
export interface FormatRequest {
  readonly format: Format;
  readonly file?: string;
}

/** Formats of diagnostics. */
export const diagnosticFormats = ["text", "json", "github", "sarif"] as const;
export type DiagnosticFormat = (typeof diagnosticFormats)[number];
