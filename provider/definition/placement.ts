/** The location of the entries of a resource type in a workspace file. */
import type { z } from "zod";

/** The part of a definition that the grammar of the workspace file needs. */
export interface DocumentKind {
  readonly type: string;
  readonly noun: string;
  readonly description: string;
  readonly args: z.ZodObject;
  readonly variants?: {
    readonly of: Readonly<
      Record<string, { readonly description: string; readonly args: Readonly<Record<string, z.ZodType>> }>
    >;
  };
  readonly references: Readonly<
    Record<string, { readonly copies?: Readonly<Record<string, string>>; readonly identity?: string }>
  >;
  readonly document?: {
    readonly section: string;
    readonly under: Readonly<Record<string, string | null>>;
    readonly keyedBy: string;
    readonly form: "map" | "list" | "keys";
    readonly scalar?: string;
    readonly heldWhen?: string;
  };
}

type Placed<K extends DocumentKind> = K & { readonly document: NonNullable<K["document"]> };

/** Parent of the sections at the top of the file. */
export const WORKSPACE = "workspace";

/** The types that a parent may contain. */
export function kindsUnder<K extends DocumentKind>(kinds: readonly K[], parent: string): Placed<K>[] {
  return kinds.filter(
    (kind): kind is Placed<K> => kind.document !== undefined && parent in kind.document.under,
  );
}

/** Arguments that follow from the location of an entry, never from the entry itself. */
export function argsFromPlace(kind: DocumentKind): string[] {
  const parents = Object.values(kind.document?.under ?? {}).filter((arg) => arg !== null);
  const carried = parents.flatMap((arg) => [
    ...Object.keys(kind.references[arg]?.copies ?? {}),
    kind.references[arg]?.identity ?? [],
  ]);
  return ["workspace", ...parents, ...carried.flat()];
}
