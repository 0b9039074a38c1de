/** Values accepted on the command line, in a file of their own so that `--help` loads nothing else. */

/** Classes of findings, in the order of the report. */
export const findingClasses = ["deleted", "changed", "added", "pending", "unverifiable"] as const;
export type FindingClass = (typeof findingClasses)[number];

/** Where to look for unmanaged objects. */
export const addedScopes = ["none", "declared", "all"] as const;
export type AddedScope = (typeof addedScopes)[number];
