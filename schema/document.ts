/** The workspace file's form, assembled from the resource types it is given. */
import { z } from "zod";
import { text } from "./vocabulary.js";

/** What the form of a workspace file has to know of a resource type; `Definition` of the provider has it all. */
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
    Record<string, { readonly carries?: Readonly<Record<string, string>>; readonly identity?: string }>
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

/** Properties of the file itself. */
export const documentHead = {
  version: z.literal(1).describe("Version of the file's form: always 1."),
  workspace: text
    .optional()
    .describe("Domain of the workspace, as in its address. Default: that of the connection."),
  adopt: z
    .boolean()
    .optional()
    .describe(
      "Take over objects that exist under the declared names. An entry's own `adopt` says otherwise. Default: false.",
    ),
  connection: text
    .optional()
    .describe(
      "Name of the connection: which service, as whom. The stack's configuration may say it instead.",
    ),
};

/** Properties that an entry of any kind may have beside its arguments. */
export const entryWords = {
  external: z
    .literal(true)
    .describe(
      "The object exists and is managed elsewhere: it may be referred to, and is never changed or deleted.",
    ),
  retain: z.boolean().describe("When the entry goes, leave the object alone instead of deleting it."),
  previously: z
    .array(text)
    .min(1)
    .describe("Keys this entry had before, so that a new key renames instead of replaces."),
  protect: z.boolean().describe("Refuse to delete the object. Default: true for projects."),
};

/** The kinds that may stand under a parent, by section. */
export function kindsUnder<K extends DocumentKind>(kinds: readonly K[], parent: string): Placed<K>[] {
  return kinds.filter(
    (kind): kind is Placed<K> => kind.document !== undefined && parent in kind.document.under,
  );
}

/** Arguments of a kind that come from where an entry stands, never from the entry itself. */
export function argsFromPlace(kind: DocumentKind): string[] {
  const parents = Object.values(kind.document?.under ?? {}).filter((arg) => arg !== null);
  const carried = parents.flatMap((arg) => [
    ...Object.keys(kind.references[arg]?.carries ?? {}),
    kind.references[arg]?.identity ?? [],
  ]);
  return ["workspace", ...parents, ...carried.flat()];
}

/** The whole file as one schema, for editors and generated types. */
export function documentSchema(kinds: readonly DocumentKind[]): z.ZodObject {
  return z.strictObject({ ...documentHead, ...sections(kinds, WORKSPACE) }).meta({
    title: "Workspace file",
    description: "A workspace of the Workspace Automation Service, declared as code.",
  });
}

function sections(kinds: readonly DocumentKind[], parent: string): Record<string, z.ZodType> {
  return Object.fromEntries(
    kindsUnder(kinds, parent).map((kind) => [kind.document.section, section(kinds, kind).optional()]),
  );
}

function section(kinds: readonly DocumentKind[], kind: Placed<DocumentKind>): z.ZodType {
  const { form } = kind.document;
  if (form === "keys") return z.array(keySchema(kind)).describe(kind.description);
  const entry = once(kind, () => entrySchema(kinds, kind));
  return form === "list"
    ? z.array(entry).describe(`${kind.description} A list: its order is the order of the ${kind.noun}s.`)
    : z.record(z.string(), entry).describe(`${kind.description} A map by ${kind.document.keyedBy}.`);
}

function keySchema(kind: Placed<DocumentKind>): z.ZodType {
  return (kind.args.shape[kind.document.keyedBy] as z.ZodType | undefined) ?? text;
}

function entrySchema(kinds: readonly DocumentKind[], kind: Placed<DocumentKind>): z.ZodType {
  const { keyedBy, form, scalar } = kind.document;
  const children = sections(kinds, kind.type);
  const words = z.strictObject(entryWords).partial().omit({ external: true }).shape;
  const own = (args: Readonly<Record<string, z.ZodType>>) => {
    const shape: Record<string, z.ZodType> = { ...kind.args.shape, ...args };
    for (const arg of argsFromPlace(kind)) Reflect.deleteProperty(shape, arg);
    const key = shape[keyedBy];
    if (key !== undefined && form === "map") shape[keyedBy] = key.optional();
    const identity =
      form === "list" ? { key: text.optional().describe(`Key of the entry. Default: its ${keyedBy}.`) } : {};
    // A section that the entry may hold itself is written as the section all the same.
    const held = kindsUnder(kinds, kind.type).filter(({ document }) => document.heldWhen !== undefined);
    for (const { document } of held) Reflect.deleteProperty(shape, document.section);
    return { ...shape, ...identity, ...words, ...mergeSections(shape, children) };
  };
  const managed = kind.variants
    ? Object.entries(kind.variants.of).map(([name, variant]) =>
        z.strictObject(own(variant.args)).meta({
          id: word(`${kind.type}-${name}`),
          title: `${kind.type} ${name}`,
          description: variant.description,
        }),
      )
    : [z.strictObject(own({})).meta({ id: kind.type, title: kind.type, description: kind.description })];
  const alternatives: z.ZodType[] = [...managed];
  if (form === "map") {
    const external = z.strictObject({ external: entryWords.external, ...children });
    alternatives.push(
      external.meta({ title: `${kind.type} (external)`, description: `A ${kind.noun} managed elsewhere.` }),
    );
    const allOptional = managed.some((schema) => schema.safeParse({}).success);
    if (allOptional) alternatives.push(z.null());
  }
  if (scalar !== undefined)
    alternatives.push((kind.args.shape[scalar] as z.ZodType).describe(`Short for { ${scalar}: ... }.`));
  const [only, second] = alternatives;
  if (only !== undefined && second === undefined) return only;
  return z.union(alternatives as [z.ZodType, z.ZodType]).meta({ id: `${kind.type}Entry` });
}

/** Entries of a kind look the same under every parent: one schema each, so that the JSON Schema names it once. */
const entries = new WeakMap<DocumentKind, z.ZodType>();

function once(kind: DocumentKind, make: () => z.ZodType): z.ZodType {
  const known = entries.get(kind) ?? make();
  entries.set(kind, known);
  return known;
}

const word = (name: string) => name.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "");

/** A section that has the name of an argument: the argument's form (a list) or the section's (a map). */
function mergeSections(
  shape: Record<string, z.ZodType>,
  children: Record<string, z.ZodType>,
): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(children).map(([name, schema]) => {
      const argument = shape[name];
      return [name, argument === undefined ? schema : z.union([schema, argument])];
    }),
  );
}
