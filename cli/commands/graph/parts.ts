/** Parts of a drawing that can be omitted. */
export const parts = ["projects", "pipelines", "access"] as const;
export type GraphPart = (typeof parts)[number];
