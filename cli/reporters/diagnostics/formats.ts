/** The forms in which problems are told. */
export const formats = ["text", "json", "github", "sarif"] as const;
export type Format = (typeof formats)[number];
