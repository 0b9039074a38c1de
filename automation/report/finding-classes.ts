/** Classes of findings in the reports of drift and compare, and what else their options accept. Every command loads it, so it loads nothing. */

/** Classes of drift, in the order of the report. */
export const findingClasses = ["deleted", "changed", "added", "pending", "unverifiable"] as const;
export type FindingClass = (typeof findingClasses)[number];

/** Where to look for unmanaged objects. */
export const addedScopes = ["none", "declared", "all"] as const;
export type AddedScope = (typeof addedScopes)[number];

/** Classes of a comparison, in the order of the report. */
export const comparedClasses = ["missing", "added", "changed", "unverifiable"] as const;
export type ComparedClass = (typeof comparedClasses)[number];

/** Kinds of sources of a comparison, in the order in which a bare name is looked up. */
export const sourceKinds = ["file", "connection", "stack"] as const;
export type SourceKind = (typeof sourceKinds)[number];
