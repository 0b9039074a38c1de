/**
 * References to secrets as the engine and the state carry them: apart from the arguments, which have `[secret]` in their places. So no
 * text of a file, a state or a service can become a reference.
 */
import { z } from "zod";
import { isRecord } from "../../../diff/structural-diff.js";
import { asSecret, withoutMarks } from "../../../diff/values.js";
import {
  type OpenedReference,
  type SecretOrigin,
  secretOrigins,
  type SecretReference,
} from "../../../trust/references.js";
import type { Fields } from "../definition.js";
import type { PropertyPath } from "../problems.js";
import { MASK } from "./mask.js";

/** Input and output: the references, by argument. No type has such an argument, and Pulumi does not show it. */
export const SECRET_REFERENCES = "__secretReferences";

/** A reference in an argument. */
export interface ReferenceAt extends SecretReference {
  /** Path of the text within the argument. */
  readonly at: PropertyPath;
  /** Where the text has `[secret]` instead of the secret. */
  readonly offset: number;
}

export type References = Readonly<Record<string, readonly ReferenceAt[]>>;

/** An argument with `[secret]` in the place of each secret. */
export interface ReferringValue {
  readonly value: unknown;
  readonly references: readonly ReferenceAt[];
}

const schema = z.record(
  z.string(),
  z.array(
    z.object({
      at: z.array(z.union([z.string(), z.int()])),
      offset: z.int(),
      origin: z.enum(secretOrigins),
      name: z.string(),
    }),
  ),
);

/** Returns the references in the arguments of an object. */
export function listReferences(props: Fields): References {
  if (props[SECRET_REFERENCES] === undefined) return {};
  const { data = {} } = schema.safeParse(withoutMarks(props[SECRET_REFERENCES]));
  const present = ([name, references]: readonly [string, readonly unknown[]]) =>
    references.length > 0 && name !== "__proto__" && Object.hasOwn(props, name);
  return Object.fromEntries(Object.entries(data).filter(present));
}

/** Returns the inputs of arguments with references. */
export function buildReferringInputs(
  values: Readonly<Record<string, ReferringValue>>,
  secret: (value: unknown) => unknown = asSecret,
): Fields {
  const args = Object.entries(values);
  if (args.length === 0) return {};
  return {
    ...Object.fromEntries(args.map(([name, { value }]) => [name, secret(value)])),
    [SECRET_REFERENCES]: Object.fromEntries(args.map(([name, { references }]) => [name, references])),
  };
}

/** Returns a text with `[secret]` in the place of each reference. */
export function createReferringText(
  parts: readonly (string | SecretReference)[],
  at: PropertyPath,
): ReferringValue {
  let value = "";
  const references: ReferenceAt[] = [];
  for (const part of parts) {
    if (typeof part !== "string")
      references.push({ at, offset: value.length, origin: part.origin, name: part.name });
    value += typeof part === "string" ? part : MASK;
  }
  return { value, references };
}

export interface FilledValue {
  readonly value: unknown;
  readonly secrets: readonly string[];
  /** Why secrets are missing. A missing one leaves `[secret]` in its place. */
  readonly closed: readonly string[];
}

/** Puts secrets into an argument. */
export function fillReferences(
  { value, references }: ReferringValue,
  open: (reference: SecretReference) => OpenedReference,
): FilledValue {
  const secrets: string[] = [];
  const usable = listUsableReferences({ value, references });
  const closed = new Set(
    usable.length < references.length ? ["the state does not say where its secrets are"] : [],
  );
  let filled = value;
  for (const group of groupByText(usable))
    filled = replaceAt(filled, group[0]?.at ?? [], (text) => {
      let [result, end] = ["", 0];
      for (const reference of group) {
        const opened = open(reference);
        if ("secret" in opened) secrets.push(opened.secret);
        else closed.add(opened.closed);
        result += String(text).slice(end, reference.offset) + ("secret" in opened ? opened.secret : MASK);
        end = reference.offset + MASK.length;
      }
      return result + String(text).slice(end);
    });
  return { value: filled, secrets, closed: [...closed] };
}

/** Puts the placeholders of a file into an argument, in the place of its secrets. */
export function formatReferences({ value, references }: ReferringValue): unknown {
  let formatted = value;
  for (const group of groupByText(listUsableReferences({ value, references })))
    formatted = replaceAt(formatted, group[0]?.at ?? [], (text) => {
      let [result, end] = ["", 0];
      for (const { offset, origin, name } of group) {
        result += `${String(text).slice(end, offset)}\${secret:${origin}:${name}}`;
        end = offset + MASK.length;
      }
      return result + String(text).slice(end);
    });
  return formatted;
}

/** Returns the references to which the value fits: it has `[secret]` where each reference of a text says. */
export function listUsableReferences({ value, references }: ReferringValue): readonly ReferenceAt[] {
  return groupByText(references).flatMap((group) => {
    let fits = false;
    replaceAt(value, group[0]?.at ?? [], (text) => {
      fits =
        typeof text === "string" &&
        group.every(
          ({ offset }, index) =>
            text.startsWith(MASK, offset) &&
            offset >= (index === 0 ? 0 : group[index - 1]!.offset + MASK.length),
        );
      return text;
    });
    return fits ? group : [];
  });
}

/** Groups the references of each text, in their order in it. */
function groupByText(references: readonly ReferenceAt[]): ReferenceAt[][] {
  const groups = new Map<string, ReferenceAt[]>();
  for (const reference of references.toSorted((a, b) => a.offset - b.offset)) {
    const key = JSON.stringify(reference.at);
    groups.set(key, [...(groups.get(key) ?? []), reference]);
  }
  return [...groups.values()];
}

/** Replaces a part of a value. A path that does not exist changes nothing. */
function replaceAt(
  value: unknown,
  [step, ...rest]: PropertyPath,
  replace: (part: unknown) => unknown,
): unknown {
  if (step === undefined) return replace(value);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? replaceAt(item, rest, replace) : item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === step ? replaceAt(part, rest, replace) : part]),
  );
}

const TEMPLATE = /\$\$\{|\$\{secret:(env|file|config):([^}]*)\}/g;

/**
 * Reads the arguments that earlier releases have written. There, `__secretReferences` lists names of arguments, and each text in them is
 * a template: `${secret:env:NAME}` stands for a secret, and `$${` for `${`.
 */
export function withReferences(props: Fields): Record<string, unknown> {
  const names: unknown = withoutMarks(props[SECRET_REFERENCES]);
  if (!Array.isArray(names)) return { ...props };
  const referring = names
    .filter((name): name is string => typeof name === "string" && Object.hasOwn(props, name))
    .map((name) => [name, fromTemplate(withoutMarks(props[name]), [])] as const);
  return { ...props, [SECRET_REFERENCES]: {}, ...buildReferringInputs(Object.fromEntries(referring)) };
}

function fromTemplate(value: unknown, at: PropertyPath): ReferringValue {
  if (typeof value === "string") return createReferringText(splitTemplate(value), at);
  if (typeof value !== "object" || value === null) return { value, references: [] };
  const parts = Array.isArray(value)
    ? value.map((item, index) => [index, fromTemplate(item, [...at, index])] as const)
    : Object.entries(value).map(([key, part]) => [key, fromTemplate(part, [...at, key])] as const);
  return {
    value: Array.isArray(value)
      ? parts.map(([, part]) => part.value)
      : Object.fromEntries(parts.map(([key, part]) => [key, part.value])),
    references: parts.flatMap(([, part]) => part.references),
  };
}

function splitTemplate(text: string): (string | SecretReference)[] {
  const parts: (string | SecretReference)[] = [];
  let end = 0;
  for (const match of text.matchAll(TEMPLATE)) {
    const [whole, origin, name = ""] = match;
    parts.push(text.slice(end, match.index));
    parts.push(origin === undefined ? "${" : { origin: origin as SecretOrigin, name });
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
