/** Parts of a drawing that can be omitted. */
export const parts = ["projects", "pipelines", "access"] as const;
export type GraphPart = (typeof parts)[number];

/** Formats of a drawing. */
export const graphFormats = ["mermaid", "svg"] as const;
