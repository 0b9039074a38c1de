/** Values accepted on the command line, in a file of their own so that `--help` loads nothing else. */

/** Classes of findings, in the order of the report. */
export const comparedClasses = ["missing", "added", "changed", "unverifiable"] as const;
export type ComparedClass = (typeof comparedClasses)[number];

/** Kinds of sources, in the order in which a bare name is looked up. */
export const sourceKinds = ["file", "connection", "stack"] as const;
export type SourceKind = (typeof sourceKinds)[number];
