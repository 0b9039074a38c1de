/** The words of the command line; apart, so that `--help` loads nothing else. */

/** Kinds of findings, in the order in which they are shown. */
export const findingClasses = ["deleted", "changed", "added", "pending", "unverifiable"] as const;
export type FindingClass = (typeof findingClasses)[number];

/** How far to look for what nobody declared. */
export const addedScopes = ["none", "declared", "all"] as const;
export type AddedScope = (typeof addedScopes)[number];
