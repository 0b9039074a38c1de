/** State that the generators of the schemas share: the kinds, the form, and the definitions so far. */
import type { z } from "zod";
import { type Definition, definitions } from "../../../provider/index.js";
import {
  type DocumentKind,
  listArgsFromParent,
  listKindsUnder,
} from "../../../resources/definition/placement.js";
import type { Definitions, JsonSchema } from "./json-schema.js";
import { createLeaf, type Form } from "./leaf.js";

export type Placed = DocumentKind;
export type Variant = NonNullable<Definition["variants"]>["of"][string];
export type Properties = Record<string, JsonSchema | boolean>;

export class Grammar {
  readonly defs: Definitions = {};

  /** Kinds whose entries have arguments, unlike those that are lists of keys. */
  readonly kinds = definitions.filter(
    (kind): kind is Placed => kind.document !== undefined && kind.document.form !== "keys",
  );

  constructor(readonly form: Form) {}

  /** Adds a definition unless it exists, and returns its name. */
  define(name: string, make: () => JsonSchema): string {
    if (!(name in this.defs)) {
      this.defs[name] = {}; // Reserves the name, since entries may contain entries of the same kind.
      this.defs[name] = make();
    }
    return name;
  }

  sectionsUnder(parent: string): Placed[] {
    return listKindsUnder(definitions, parent);
  }

  /** Returns the JSON Schemas of the arguments that are written in an entry. */
  args(kind: Placed, shape: Readonly<Record<string, z.core.$ZodType>>, variant?: Variant): Properties {
    const elsewhere = [...listArgsFromParent(kind), ...this.exclusiveSections(kind)];
    return Object.fromEntries(
      Object.entries(shape)
        .filter(([name]) => !elsewhere.includes(name))
        .map(([name, schema]) => [
          name,
          createLeaf(schema as z.ZodType, name, listExamples(kind, variant, name), this.form),
        ]),
    );
  }

  /** Returns the sections that can be an argument of the same name, which have the form of the section. */
  private exclusiveSections(kind: Placed): string[] {
    return this.sectionsUnder(kind.type)
      .filter(({ document }) => document.exclusiveWhen !== undefined)
      .map(({ document }) => document.section);
  }
}

/** Returns the values of an argument in the examples of its definition, without references to other examples. */
function listExamples(kind: Placed, variant: Variant | undefined, name: string): unknown[] {
  const sources = [variant?.examples ?? kind.examples, kind.examples];
  const values = sources.flatMap((examples) =>
    [examples.create, examples.update, examples.replace].map((args) => args?.[name]),
  );
  const useful = values.filter((v) => v !== undefined && v !== null && !JSON.stringify(v).includes('"@'));
  return [...new Map(useful.map((value) => [JSON.stringify(value), value])).values()].slice(0, 2);
}
