/** The words of the command line; apart, so that `--help` loads nothing else. */

/** Kinds of findings, in the order in which they are shown. */
export const comparedClasses = ["missing", "added", "changed", "unverifiable"] as const;
export type ComparedClass = (typeof comparedClasses)[number];

/** Kinds of sides, in the order in which a bare name is looked for. */
export const sideKinds = ["file", "connection", "stack"] as const;
export type SideKind = (typeof sideKinds)[number];
