/**
 * Generates workspace documents from the registry: any entry that the schemas and rules of its arguments
 * allow.
 */
import fc from "fast-check";
import type { z } from "zod";
import { type Definition, definitions, type Fields, getArgsSchema } from "../../provider/index.js";
import { listArgsFromParent, listKindsUnder, WORKSPACE } from "../../resources/definition/placement.js";
import { validateArgs } from "../../resources/definition/validate.js";
import type { WorkspaceDocument } from "../../schema/workspace-document.js";

type Kind = Definition & { readonly document: NonNullable<Definition["document"]> };

/** Lists texts that YAML, or the placeholders of workspace files, could misinterpret. */
const tricky = [
  ...[
    "yes",
    "no",
    "on",
    "~",
    "null",
    "true",
    "1e3",
    "0x1f",
    "0o7",
    "1_000",
    "12:30:00",
    "2026-01-31",
    ".inf",
  ],
  ...[
    " leading",
    "trailing ",
    "\ttab",
    "a: b",
    "a #b",
    "#a",
    "- a",
    "? a",
    "* a",
    "&a",
    "!a",
    "|",
    ">",
    "%a",
  ],
  ...[
    "@a",
    "`a`",
    "'",
    '"',
    "\\",
    "{a}",
    "[a]",
    "<<",
    "---",
    "...",
    "a\nb",
    "a\n\n b\n",
    "\n",
    "a\r\nb",
    "\u0085",
  ],
  ...[
    "${env:HOME}",
    "$${env:HOME}",
    "$$${file:x}",
    "${HOME}",
    "${TAG:-latest}",
    "${#list}",
    "${ref:a.b}",
    "$$",
  ],
  ...[
    "\u{1f680}",
    "\u00e4\u00f6\u00fc",
    "\u2028",
    "\ufeff",
    "\u0000",
    "\u001b[0m",
    "a/b",
    "a%2Fb",
    "=",
    "x-a",
  ],
  '#!/bin/sh\nset -e\n\nif true; then\n\techo "$HOME"\nfi\n',
];

const anyText = fc.oneof(
  fc.constantFrom(...tricky),
  fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
);
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const reserved = new Set(["__proto__", ""]);
const name = anyText.filter((text) => !reserved.has(text) && text.trim() !== "");

interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
}

/** Generates values that a schema allows, filtering out those that it does not describe precisely. */
export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const def = schema.def as unknown as Def;
  const found = plain(schema, def);
  return found.filter((value) => value === undefined || schema.safeParse(value).success);
}

function plain(schema: z.ZodType, def: Def): fc.Arbitrary<unknown> {
  const examples = schema.meta()?.["examples"] as readonly unknown[] | undefined;
  switch (def.type) {
    case "optional":
      return arbitraryOf(def.innerType!);
    case "nullable":
      return arbitraryOf(def.innerType!);
    case "union":
      return fc.oneof(...def.options!.map(arbitraryOf));
    case "array":
      return fc.array(arbitraryOf(def.element!), { minLength: 1, maxLength: 3 });
    case "object":
      return fc.record(Object.fromEntries(Object.entries(def.shape!).map(([k, v]) => [k, arbitraryOf(v)])));
    case "record":
      return fc.dictionary(word, fc.oneof(anyText, fc.integer(), fc.boolean(), fc.array(anyText)));
    case "literal":
      return fc.constantFrom(...def.values!);
    case "enum":
      return fc.constantFrom(...Object.values(def.entries!));
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.integer({ min: -1, max: 700 });
    case "string":
      return stringOf(schema, examples);
    default:
      return fc.oneof(anyText, fc.integer(), fc.record({ type: anyText }));
  }
}

/** Takes texts with a restricted form from the examples. */
function stringOf(schema: z.ZodType, examples: readonly unknown[] = []): fc.Arbitrary<unknown> {
  const own = examples.filter((example) => typeof example === "string" && !example.includes("${"));
  const forms = [
    ...["2026-01-31T08:00:00Z", "aGVsbG8=", "ann@example.com", "docs/a.md", "*/15 8-18 * * MON-FRI", "2222"],
    ...["https://shop.example.com/a?b=1", "git@git.example.com:web.git", "$ADDRESS"],
    "5f1d7a84db00d2fce00b31a7fc73224cbb3aae76",
  ];
  if (schema.safeParse("a b~").success) return anyText;
  return fc.constantFrom(...own, ...forms.filter((form) => schema.safeParse(form).success));
}

/** Holds the names that references may use, by type. */
type Names = Readonly<Record<string, readonly string[]>>;

/** Generates valid documents in canonical form, in which every external object is referred to. */
export function arbitraryDocument(): fc.Arbitrary<WorkspaceDocument> {
  const email = fc.tuple(word, word).map(([user, host]) => `${user}@${host}.example.com`);
  const names = fc.record({
    WorkspaceMember: fc.uniqueArray(email, { minLength: 1, maxLength: 4 }),
    PermissionSet: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  });
  const head = fc.record({ workspace: word, connection: word }, { requiredKeys: [] });
  return fc.tuple(names, head).chain(([of, first]) =>
    sectionsUnder(WORKSPACE, of, 2).map((sections) => {
      return { version: 1, ...first, ...sections } as unknown as WorkspaceDocument;
    }),
  );
}

/** @param retained whether an entry around it says `retain`, which canonical documents do not repeat */
function sectionsUnder(type: string, names: Names, depth: number, retained = false): fc.Arbitrary<Fields> {
  const sections = listKindsUnder(definitions, type).map((kind): [string, fc.Arbitrary<unknown>] => [
    kind.document.section,
    sectionOf(kind, names, depth, retained),
  ]);
  const always = sections.map(([key]) => key).filter((key) => depth === 2 && sectionHasNames(key, names));
  return fc
    .record(Object.fromEntries(sections), { requiredKeys: always })
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))));
}

function sectionHasNames(section: string, names: Names): boolean {
  return definitions.some(({ type, document }) => document?.section === section && type in names);
}

function sectionOf(kind: Kind, names: Names, depth: number, retained: boolean): fc.Arbitrary<unknown> {
  const { form, keyedBy } = kind.document;
  const refers = kind.references[keyedBy]?.to;
  const keys =
    refers !== undefined
      ? fc.subarray([...(names[refers] ?? [])])
      : kind.type in names
        ? fc.constant(names[kind.type] ?? [])
        : fc.uniqueArray(keyOf(kind), { maxLength: depth > 0 ? 2 : 1 });
  if (form === "keys") return keys;
  return keys.chain((own) =>
    fc.tuple(...own.map((key) => entryOf(kind, key, names, depth, retained))).map((entries) => {
      if (form === "list") return entries;
      return Object.fromEntries(entries.map((entry, index) => [own[index] ?? "", short(kind, entry)]));
    }),
  );
}

function keyOf({ args, document: { keyedBy } }: Kind): fc.Arbitrary<string> {
  const schema = args.shape[keyedBy] as z.ZodType;
  return schema.safeParse("/a").success ? name : fc.constantFrom("README.md", "docs/a.md", "a b/c");
}

/** Generates an entry with random arguments, or with those of an example if the rules forbid these. */
function entryOf(
  kind: Kind,
  key: string,
  names: Names,
  depth: number,
  retained: boolean,
): fc.Arbitrary<Fields> {
  const { keyedBy, form } = kind.document;
  const variants = Object.values(kind.variants?.of ?? {});
  const examples = [
    kind.examples.create,
    ...variants.map(({ examples: of }) => ({ ...kind.examples.create, ...of.create })),
  ];
  const words = fc.record(
    {
      ...(retained ? {} : { retain: fc.constant(true) }),
      protect: fc.boolean(),
      previously: fc.constant([`old ${key}`]),
    },
    { requiredKeys: [] },
  );
  const chosen = fc.constantFrom(...(variants.length > 0 ? examples.slice(1) : examples)).chain((example) => {
    const mine = withoutPlaces(kind, example, names);
    const schema = getArgsSchema(kind, { ...example, [keyedBy]: key });
    const left = [
      "adopt",
      // A document that contains all of its objects needs neither.
      ...Object.values(kind.sharedKey ?? {}),
      "exclusive",
      "members",
      keyedBy,
      ...listArgsFromParent(kind),
      ...Object.keys(kind.references),
    ];
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>).filter(
      ([arg]) => !left.includes(arg),
    );
    const args = fc.record(Object.fromEntries(shape.map(([arg, each]) => [arg, arbitraryOf(each)])), {
      requiredKeys: [],
    });
    return args.map((random): Fields => {
      const both = { ...mine, ...random, ...fixed(kind, example) };
      return isValid(kind, key, both) ? both : mine;
    });
  });
  const children = (said: object) =>
    depth > -1 ? sectionsUnder(kind.type, names, depth - 1, retained || "retain" in said) : fc.constant({});
  return words.chain((said) =>
    fc.tuple(chosen, children(said)).map(([args, below]) => ({
      ...(form === "list" ? { [keyedBy]: key } : {}),
      ...args,
      ...said,
      ...below,
    })),
  );
}

/** Returns the arguments that select a variant, which must not vary. */
function fixed(kind: Kind, example: Fields): Fields {
  const chosen = Object.entries(example).filter(([arg]) =>
    /^(type|gitAuthMode|authenticationMode)$/.test(arg),
  );
  return kind.variants ? Object.fromEntries(chosen) : {};
}

function withoutPlaces(kind: Kind, example: Fields, names: Names): Fields {
  const left = new Set([...listArgsFromParent(kind), kind.document.keyedBy, "members", "exclusive"]);
  const args = Object.entries(example).filter(([arg]) => !left.has(arg));
  return Object.fromEntries(
    args.map(([arg, value]) => {
      const to = kind.references[arg]?.to;
      return [arg, to !== undefined && to in names ? names[to]?.[0] : value];
    }),
  );
}

function isValid(kind: Kind, key: string, args: Fields): boolean {
  const placed = Object.fromEntries(
    Object.values(kind.document.under).flatMap((arg) => (arg === null ? [] : [[arg, "parent"]])),
  );
  return validateArgs(kind, { ...placed, [kind.document.keyedBy]: key, ...args }).length === 0;
}

/** Returns the short form of an entry if it has only the argument for it. */
function short({ document: { scalar } }: Kind, entry: Fields): unknown {
  const args = Object.keys(entry);
  return scalar !== undefined && args.length === 1 && args[0] === scalar ? entry[scalar] : entry;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}
