/** Names of objects that this service lets exist once only. */
import { createConflictError } from "../errors.js";
import type { Service } from "../service.js";
import type { Settings } from "../settings.js";

type Named = { readonly id: number } & ({ readonly name: string } | { readonly key: string });

const nouns = {
  groups: "group",
  permission_sets: "permission set",
  pipelines: "pipeline",
  actions: "action",
  variables: "variable",
} as const satisfies Record<Settings["uniqueNames"][number], string>;

/**
 * Requires that no other object of the same parent has a name, if this service lets such names exist once only.
 * @param own id of the object itself, when it gets another name
 */
export function requireUnusedName(
  { settings }: Service,
  type: keyof typeof nouns,
  siblings: readonly Named[],
  name: string | undefined,
  own?: number,
): void {
  if (name === undefined || !settings.uniqueNames.includes(type)) return;
  const isUsed = siblings.some((one) => one.id !== own && ("key" in one ? one.key : one.name) === name);
  if (isUsed) throw createConflictError(`A ${nouns[type]} with the name '${name}' already exists.`);
}
