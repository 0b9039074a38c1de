/** Formats of the report. */
export const probeFormats = ["text", "json", "markdown"] as const;
export type ProbeFormat = (typeof probeFormats)[number];
