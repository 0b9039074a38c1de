/** Finds the arguments whose secrets the provider can read itself, so that the state contains only references to them. */
import { isPlain } from "../../diff/values.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { createReferringText, type Fields, MASK, type ReferringValue } from "../../resources/index.js";
import { type LeafTree, listLeavesIn, type Tree } from "../syntax/tree.js";

/**
 * @param secrets names of the arguments that contain a secret
 * @param leafAt returns the part of the file that contains an argument
 */
export function collectReferences(
  args: Fields,
  secrets: readonly string[],
  leafAt: (path: PropertyPath) => LeafTree | undefined,
): Record<string, ReferringValue> {
  const references: Record<string, ReferringValue> = {};
  for (const arg of secrets) {
    const referring = findReferringValue(args[arg], [arg], leafAt);
    if (referring !== undefined && referring.references.length > 0) references[arg] = referring;
  }
  return references;
}

/** Whether a value comes from the environment or the stack's configuration. */
function isFromOutside({ pieces = [] }: LeafTree): boolean {
  return pieces.some((piece) => typeof piece === "object" && ["env", "config"].includes(piece.kind));
}

/** Whether the file does not contain all of a value itself. */
export function holdsOutsideValue(part: Tree | undefined): boolean {
  return listLeavesIn(part).some(isFromOutside);
}

/** Returns arguments with placeholders in the place of what the file does not contain itself. */
export function collectWritten(
  args: Fields,
  names: readonly string[],
  leafAt: (path: PropertyPath) => LeafTree | undefined,
): Fields {
  const write = (value: unknown, path: PropertyPath): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown, index) => write(item, [...path, index]));
    if (isPlain(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, write(part, [...path, key])]),
      );
    const leaf = leafAt(path);
    const isHidden = leaf !== undefined && (leaf.secret === true || isFromOutside(leaf));
    return isHidden ? (leaf.written ?? MASK) : value;
  };
  return Object.fromEntries(names.map((name) => [name, write(args[name], [name])]));
}

/** Returns a value with its references; undefined when it contains a secret that is not a reference. */
function findReferringValue(
  value: unknown,
  path: PropertyPath,
  leafAt: (path: PropertyPath) => LeafTree | undefined,
): ReferringValue | undefined {
  if (Array.isArray(value) || isPlain(value)) {
    const steps: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    const parts = steps.map((step) => findReferringValue((value as Fields)[step], [...path, step], leafAt));
    if (!parts.every((part) => part !== undefined)) return undefined;
    const values = parts.map((part) => part.value);
    return {
      value: Array.isArray(value)
        ? values
        : Object.fromEntries(steps.map((step, index) => [step, values[index]])),
      references: parts.flatMap(({ references }) => references),
    };
  }
  if (typeof value === "object" && value !== null) return undefined;
  const leaf = leafAt(path);
  if (leaf?.secret !== true) return { value, references: [] };
  if (typeof value !== "string" || leaf.parts === undefined) return undefined;
  return createReferringText(leaf.parts, path.slice(1));
}
