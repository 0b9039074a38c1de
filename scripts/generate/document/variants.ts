/** Arguments that depend on others: a rule for each variant, which the constants among its arguments select. */
import { z } from "zod";
import { withSections } from "./entries.js";
import type { Grammar, Placed, Properties, Variant } from "./grammar.js";
import { createRef, type JsonSchema } from "./json-schema.js";
import { overlayWords, placeholder } from "./leaf.js";
import { listSnippets } from "./snippets.js";

type Constants = Readonly<Record<string, string>>;

/** Value of the selecting argument, and its variants. */
export interface Choice {
  readonly value: string;
  /** Argument that distinguishes the variants, if there are several. */
  readonly by: string | undefined;
  readonly variants: readonly {
    readonly name: string;
    readonly variant: Variant;
    readonly mode: string | undefined;
  }[];
}

/** Returns the choices of a kind. The variant without a constant applies to all other values. */
export function listChoices({ variants }: Placed): {
  choices: Choice[];
  other: [string, Variant] | undefined;
} {
  const { of, chosenBy } = variants!;
  const constants = Object.entries(of).map(
    ([name, variant]) => [name, variant, getConstants(variant)] as const,
  );
  const values = [...new Set(constants.flatMap(([, , c]) => c[chosenBy] ?? []))];
  const choices = values.map((value) => {
    const matching = constants.filter(([, , c]) => c[chosenBy] === value);
    const by = matching.flatMap(([, , c]) => Object.keys(c)).find((arg) => arg !== chosenBy);
    return {
      value,
      by,
      variants: matching.map(([name, variant, c]) => ({
        name,
        variant,
        mode: by === undefined ? undefined : c[by],
      })),
    };
  });
  const other = constants.find(([, , c]) => Object.keys(c).length === 0);
  return { choices, other: other && [other[0], other[1]] };
}

function getConstants(variant: Variant): Constants {
  return Object.fromEntries(
    Object.entries(variant.args).flatMap(([arg, schema]) =>
      schema instanceof z.ZodLiteral && schema.values.size === 1 ? [[arg, String(schema.value)]] : [],
    ),
  );
}

export const buildDefinitionName = (type: string, variant: string) =>
  `${type}-${variant.replaceAll(/[^A-Za-z0-9_]+/g, "-").replace(/-$/, "")}`;

/** Returns the rules of an entry, which define the arguments of each variant. */
export function createVariantRules(
  grammar: Grammar,
  kind: Placed,
  own: Properties,
  children: Record<string, JsonSchema>,
): JsonSchema {
  const { chosenBy, of } = kind.variants!;
  const { choices, other } = listChoices(kind);
  // Arguments that a variant redefines are repeated in each variant. The others are defined once.
  const contested = Object.keys(own).filter(
    (name) => name !== chosenBy && Object.values(of).some(({ args }) => name in args),
  );
  const [redefined, shared] = split(own, (name) => contested.includes(name));
  grammar.define(`${kind.type}-usual`, () => ({ properties: redefined }));
  const common: Properties = {
    ...Object.fromEntries(Object.keys(shared).map((name) => [name, true as const])),
    ...Object.fromEntries(
      Object.keys(redefined).map((name) => [name, createRef(`${kind.type}-usual/properties/${name}`)]),
    ),
  };
  const define = (name: string, variant: Variant, choice?: Choice) =>
    defineVariant(grammar, kind, name, variant, common, children, choice);
  const rules = choices.map((choice) => {
    const names = choice.variants.map(({ name, variant }) => define(name, variant, choice));
    return createChoiceRule(grammar, kind, choice, names);
  });
  if (other) {
    const name = define(...other);
    const known = choices.map(({ value }) => value);
    const unknown: JsonSchema = { not: { anyOf: [{ enum: known }, { pattern: "\\$\\{" }] } };
    rules.push({ if: createMatching(chosenBy, { type: "string", ...unknown }), then: createRef(name) });
  }
  return {
    properties: {
      ...shared,
      [chosenBy]: createChooser(grammar, own[chosenBy] as JsonSchema, choices, other !== undefined),
    },
    allOf: [...rules, createUnchosenRule(grammar, kind, contested)],
  };
}

/** Defines the arguments of an entry of a variant. */
function defineVariant(
  grammar: Grammar,
  kind: Placed,
  name: string,
  variant: Variant,
  common: Properties,
  children: Record<string, JsonSchema>,
  choice?: Choice,
): string {
  return grammar.define(buildDefinitionName(kind.type, name), () => {
    const [, args] = split(
      grammar.args(kind, variant.args, variant),
      (arg) => arg === kind.variants!.chosenBy || arg === choice?.by,
    );
    const [sections] = split(children, (section) => section in args);
    return {
      title: `${kind.type} ${name}`,
      description: variant.description,
      properties: {
        ...common,
        ...withSections(args, sections),
        ...(choice?.by === undefined ? {} : { [choice.by]: createModeSchema(grammar, kind, choice) }),
      },
      additionalProperties: false,
    };
  });
}

/** Applies one of the variants of a choice, which another argument may distinguish. @param names their definitions */
function createChoiceRule(
  grammar: Grammar,
  kind: Placed,
  { value, by, variants }: Choice,
  names: readonly string[],
): JsonSchema {
  const chosen = is(kind.variants!.chosenBy, value);
  if (by === undefined) return { if: chosen, then: createRef(names[0]!) };
  const undecided = createRef(combineVariants(grammar, `${kind.type}-${value}`, names));
  const described = variants.reduceRight<JsonSchema>((otherwise, { mode }, i) => {
    const then = createRef(names[i]!);
    return mode === undefined
      ? { if: has(by), then: otherwise, else: then }
      : { if: is(by, mode), then, else: otherwise };
  }, undecided);
  const { other } = listChoices(kind);
  if (other === undefined) return { if: chosen, then: described };
  const then = createRef(buildDefinitionName(kind.type, other[0]));
  return { if: chosen, then: { if: createOtherRule(kind), then, else: described } };
}

/** Applies where no variant is selected: only entries of templates and overlays are checked then. */
function createUnchosenRule(grammar: Grammar, kind: Placed, contested: readonly string[]): JsonSchema {
  const all = Object.keys(kind.variants!.of).map((name) => buildDefinitionName(kind.type, name));
  const any = combineVariants(grammar, `${kind.type}-of-any-type`, all);
  const unchosen: JsonSchema = { not: has(kind.variants!.chosenBy) };
  if (grammar.form === "overlay") return { if: unchosen, then: createRef(any) };
  const offered = Object.fromEntries(contested.map((name) => [name, createRef(`${any}/properties/${name}`)]));
  const hints = { properties: offered, defaultSnippets: listSnippets(kind) };
  return { if: unchosen, then: { if: has("template"), then: createRef(any), else: hints } };
}

/** Matches entries with an argument that only the variant for other values has. They are of that variant whatever their type. */
export function createOtherRule(kind: Placed): JsonSchema {
  const { of, chosenBy } = kind.variants!;
  const { other } = listChoices(kind);
  const elsewhere = Object.values(of).filter((variant) => variant !== other?.[1]);
  const own = Object.keys(other?.[1].args ?? {}).filter(
    (arg) => arg !== chosenBy && !elsewhere.some(({ args }) => arg in args),
  );
  return { anyOf: own.map(has) };
}

function split<T>(
  all: Record<string, T>,
  first: (name: string) => boolean,
): [Record<string, T>, Record<string, T>] {
  const entries = Object.entries(all);
  return [
    Object.fromEntries(entries.filter(([name]) => first(name))),
    Object.fromEntries(entries.filter(([name]) => !first(name))),
  ];
}

/** Combines the arguments of several variants. Of two schemas of one argument, the longer one counts. */
function combineVariants(grammar: Grammar, name: string, variants: readonly string[]): string {
  return grammar.define(name, () => {
    const forms = new Map<string, { form: JsonSchema | true; size: number }>();
    for (const variant of variants) {
      for (const [arg, schema] of Object.entries(grammar.defs[variant]?.properties ?? {})) {
        const size = JSON.stringify(schema).length;
        if (size <= (forms.get(arg)?.size ?? 0)) continue;
        forms.set(arg, { form: schema === true ? true : createRef(`${variant}/properties/${arg}`), size });
      }
    }
    const properties = Object.fromEntries([...forms].map(([arg, { form }]) => [arg, form]));
    return { properties, additionalProperties: false };
  });
}

/** Returns the schema of the selecting argument: known values with descriptions, and other values where allowed. */
function createChooser(
  grammar: Grammar,
  schema: JsonSchema,
  choices: readonly Choice[],
  open: boolean,
): JsonSchema {
  const values = choices.map(({ value, variants }) => {
    const meaning = variants.map(({ variant }) => variant.description).join(" ");
    return [value, meaning] as const;
  });
  const any: JsonSchema = open ? { type: "string", minLength: 1 } : placeholder;
  const removable: JsonSchema[] =
    grammar.form === "overlay"
      ? [{ type: ["null", "object"], properties: { $remove: overlayWords["$remove"]! } }]
      : [];
  const examples = schema.examples ?? choices.slice(0, 1).map(({ value }) => value);
  return createChoiceSchema({ ...schema, examples }, values, [any, ...removable]);
}

/** Returns the schema of the argument that distinguishes the variants of a choice, with their descriptions. */
function createModeSchema(grammar: Grammar, kind: Placed, { by, variants }: Choice): JsonSchema {
  const known = variants.filter(({ mode }) => mode !== undefined);
  const { variant } = known[0]!;
  const schema = grammar.args(kind, variant.args, variant)[by!] as JsonSchema;
  const values = known.map(({ mode, variant: { description } }) => [mode, description] as const);
  return createChoiceSchema(schema, values, [placeholder]);
}

/** Returns the schema of an argument with known values, each with its description, and others. */
function createChoiceSchema(
  { title, description, examples }: JsonSchema,
  values: readonly (readonly [value: unknown, description: string])[],
  others: readonly JsonSchema[],
): JsonSchema {
  const known = {
    enum: values.map(([value]) => value),
    enumDescriptions: values.map(([, meaning]) => meaning),
  };
  return { title, description, examples, anyOf: [{ description, ...known }, ...others] };
}

export const has = (arg: string): JsonSchema => ({ type: "object", required: [arg] });
export const is = (arg: string, value: string): JsonSchema => createMatching(arg, { const: value });
const createMatching = (arg: string, schema: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { [arg]: schema },
  required: [arg],
});
