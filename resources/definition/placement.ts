/** The location of the entries of a resource type in a workspace file. */
import type { Definition, Fields } from "./definition.js";

/** A type that a workspace file can declare. */
export type DocumentKind = Definition & { readonly document: NonNullable<Definition["document"]> };

/** Parent of the sections at the top of the file. */
export const WORKSPACE = "workspace";

/** The types that a parent may contain. */
export function listKindsUnder(kinds: readonly Definition[], parent: string): DocumentKind[] {
  return kinds.filter(
    (kind): kind is DocumentKind => kind.document !== undefined && parent in kind.document.under,
  );
}

/** Whether the parent owns the list of these objects, which is an argument of the parent then. @param parent its arguments */
export function isExclusive({ document: { exclusiveWhen } }: DocumentKind, parent: Fields): boolean {
  return exclusiveWhen !== undefined && parent[exclusiveWhen] === true;
}

/** Arguments that follow from the parent of an entry, never from the entry itself. */
export function listArgsFromParent(kind: Definition): string[] {
  const parents = Object.values(kind.document?.under ?? {}).filter((arg) => arg !== null);
  const copied = parents.flatMap((arg) => [
    ...Object.keys(kind.references[arg]?.copies ?? {}),
    kind.references[arg]?.identity ?? [],
  ]);
  return ["workspace", ...parents, ...copied.flat()];
}

/** The parent that an object's arguments name: the innermost one; undefined for an object of the workspace itself. */
export function findParentArg(
  { document }: Pick<Definition, "document">,
  args: Fields,
): { readonly type: string; readonly arg: string } | undefined {
  const [type, arg] =
    Object.entries(document?.under ?? {}).findLast(([, name]) => name !== null && args[name] != null) ?? [];
  return type === undefined || arg == null ? undefined : { type, arg };
}
