/** Parts of a drawing that can be left out. */
export const parts = ["projects", "pipelines", "access"] as const;
export type GraphPart = (typeof parts)[number];

/** Forms that a workspace can be drawn in. */
export const graphFormats = ["mermaid", "svg"] as const;
