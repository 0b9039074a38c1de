/** Parts of a drawing. */

export const parts = ["projects", "pipelines", "access"] as const;
export type GraphPart = (typeof parts)[number];
