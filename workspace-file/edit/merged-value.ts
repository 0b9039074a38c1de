/** Merges a new value into an old one: placeholders with the same value stay, and none is overwritten. */
import { isPlain } from "../../diff/values.js";
import { chooseVariableFor } from "../../trust/variables.js";
import { parseVariable } from "../compose/placeholders.js";
import { getLocation } from "../syntax/source.js";
import { findLeafValue, listPlaceholdersIn } from "../syntax/tree.js";
import { type Canonical, Filled, isFilledBy, toCanonicalMap } from "./canonical-form.js";
import { AsWritten, Refusal } from "./edit-types.js";

/**
 * Returns a new value that replaces an old one.
 * @throws {Refusal} a conflict, when a placeholder would need another value
 */
export function mergeValue(old: Canonical, value: unknown): Canonical {
  if (old instanceof Filled) {
    if (value instanceof AsWritten ? value.text === old.written : isFilledBy(old, value)) return old;
    throw createConflict(old);
  }
  if (isPlain(old) && isPlain(value)) return mergeMap(old, value);
  if (Array.isArray(old) && Array.isArray(value)) return mergeList(old, value);
  if (value instanceof AsWritten && (isPlain(old) || Array.isArray(old)))
    throw new Refusal("invalid", "a list or a map cannot become one placeholder: write its items yourself");
  keepsPlaceholders(old);
  return value ?? null;
}

function mergeMap(
  old: Readonly<Record<string, Canonical>>,
  value: Readonly<Record<string, unknown>>,
): Canonical {
  for (const [key, gone] of Object.entries(old)) if (!Object.hasOwn(value, key)) keepsPlaceholders(gone);
  return toCanonicalMap(
    Object.entries(value).map(([key, part]) => [
      key,
      Object.hasOwn(old, key) ? mergeValue(old[key], part) : (part ?? null),
    ]),
  );
}

function mergeList(old: readonly Canonical[], value: readonly unknown[]): Canonical {
  if (old.length === value.length) return value.map((part, index) => mergeValue(old[index], part));
  const remaining: Canonical[] = [...old];
  const items = value.map((part) => {
    const same = remaining.findIndex((item) => hasMeaning(item, part));
    return same < 0 ? part : remaining.splice(same, 1)[0];
  });
  remaining.forEach(keepsPlaceholders);
  return items;
}

/** Reports whether a part has a value when its placeholders are replaced. */
function hasMeaning(part: Canonical, value: unknown): boolean {
  if (part instanceof Filled)
    return value instanceof AsWritten ? value.text === part.written : isFilledBy(part, value);
  if (Array.isArray(part) && Array.isArray(value))
    return part.length === value.length && part.every((item, index) => hasMeaning(item, value[index]));
  if (isPlain(part) && isPlain(value)) {
    const keys = new Set([...Object.keys(part), ...Object.keys(value)]);
    return [...keys].every((key) => hasMeaning(part[key], value[key]));
  }
  return Object.is(part ?? null, value ?? null);
}

/** @throws {Refusal} when a part that is removed contains a placeholder */
export function keepsPlaceholders(part: Canonical): void {
  if (part instanceof Filled) throw createConflict(part);
  if (Array.isArray(part)) part.forEach(keepsPlaceholders);
  else if (isPlain(part)) Object.values(part).forEach(keepsPlaceholders);
}

/** Returns the conflict of a placeholder with another value. Names both locations but no value, which may be a secret. */
function createConflict({ leaf, written }: Filled): Refusal {
  const { file, line, column } = getLocation(leaf.at);
  const places = listPlaceholdersIn(leaf).map(describeOrigin);
  const known = findLeafValue(leaf) !== undefined && !leaf.mock;
  const differs = known ? "has another value" : "has a value that is not known here";
  return new Refusal(
    "conflict",
    `${file}:${line}:${column} says ${shortenText(written)}, which ${differs}: change it in ${places.join(" and ")}, ` +
      "or put the value into the file yourself",
  );
}

function describeOrigin({ kind, body }: { kind: string; body: string }): string {
  if (kind === "env") return `the environment variable ${chooseVariableFor(parseVariable(body)[0])}`;
  if (kind === "file") return `the file ${body}`;
  if (kind === "config") return `the stack's configuration ${body}`;
  return kind === "param" ? `the template's parameter ${body}` : `what \${${kind}:${body}} refers to`;
}

const shortenText = (text: string) => {
  const [first = "", ...rest] = text.split("\n");
  return rest.length > 0 || first.length > 60 ? `${first.slice(0, 60)}...` : first;
};

/** Returns the path of the file whose text must become the value, where a value is `${file:path}` alone. */
export function findFileToChange(old: Canonical, value: unknown): string | undefined {
  if (!(old instanceof Filled) || typeof value !== "string" || isFilledBy(old, value)) return undefined;
  const [only, ...rest] = old.leaf.pieces ?? [];
  if (typeof only !== "object" || only.kind !== "file" || only.secret || rest.length > 0) return undefined;
  return only.body;
}
