/** Snippets that editors offer for a new entry, with its required arguments. */
import { z } from "zod";
import { listArgsFromParent } from "../../../resources/definition/placement.js";
import { isOptional } from "../describe.js";
import type { Placed, Variant } from "./grammar.js";
import type { Snippet } from "./json-schema.js";

export function listSnippets(kind: Placed): Snippet[] {
  const variants = Object.entries(kind.variants?.of ?? {});
  if (variants.length === 0) {
    const body = createBody(kind);
    return Object.keys(body).length === 0
      ? []
      : [{ label: `new ${kind.noun}`, description: kind.description, body }];
  }
  return variants.map(([name, variant]) => ({
    label: `${name} ${kind.noun}`,
    description: variant.description,
    body: createBody(kind, variant),
  }));
}

function createBody(kind: Placed, variant?: Variant): Record<string, unknown> {
  let stop = 0;
  const next = (text: string) => `\${${++stop}:${text}}`;
  return Object.fromEntries(
    getRequiredArgs(kind, variant).map(([name, schema]) => [
      name,
      fillIn(schema, variant?.examples.create[name] ?? kind.examples.create[name] ?? name, next),
    ]),
  );
}

function fillIn(schema: z.ZodType, example: unknown, next: (text: string) => string): unknown {
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (Array.isArray(example)) return [next(String(example[0] ?? ""))];
  // Without this mark, editors quote the number.
  if (typeof example === "number") return `^${next(String(example))}`;
  return typeof example === "string" ? next(example.startsWith("@") ? "" : example) : example;
}

/** Returns the required arguments of an entry, without those that follow from its key and location. */
export function getRequiredArgs(kind: Placed, variant?: Variant): [string, z.ZodType][] {
  const given = listArgsFromParent(kind);
  if (kind.document.form === "map") given.push(kind.document.keyedBy);
  const args = { ...kind.args.shape, ...variant?.args } as Record<string, z.ZodType>;
  return Object.entries(args).filter(([name, schema]) => !given.includes(name) && !isOptional(schema));
}
