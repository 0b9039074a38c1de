/** Checks the arguments of an entry. Texts from placeholders are converted to the expected type. */
import { UNKNOWN } from "../../diff/values.js";
import type { Problem, PropertyPath } from "../../resources/definition/problems.js";
import { type Definition, type Fields, validateArgs } from "../../resources/index.js";
import { splitPieces } from "../compose/placeholder-text.js";
import { findPartAt, type LeafTree, type Tree } from "../syntax/tree.js";
import { mapRefs } from "./resolve-names.js";

export interface Checked {
  readonly args: Fields;
  readonly problems: readonly Problem[];
}

/**
 * Checks arguments. A text from a placeholder becomes a number or a boolean where only that is allowed. Problems of mock values
 * are omitted.
 * @param leafAt returns the part of the file that contains an argument
 */
export function checkArgs(
  definition: Definition,
  args: Fields,
  words: readonly string[],
  leafAt: (path: PropertyPath) => LeafTree | undefined,
): Checked {
  const check = (values: Fields) => validateArgs(definition, mapRefs(values, () => UNKNOWN) as Fields, words);
  const first = check(args);
  let read = args;
  for (const { path, code } of first) {
    const value = code === "wrong-type" ? findPlainValue(leafAt(path)) : undefined;
    if (value !== undefined) read = setAt(read, path, value) as Fields;
  }
  const problems = read === args ? first : check(read);
  const shown = problems.flatMap((problem) => {
    const leaf = leafAt(problem.path);
    return leaf?.mock
      ? []
      : [{ ...problem, message: `${problem.message}${namePlaceholders(problem, leaf)}` }];
  });
  return { args: read, problems: shown };
}

/** Says that a value comes from elsewhere, because the line shows only what stands for it. */
function namePlaceholders({ code }: Problem, leaf: LeafTree | undefined): string {
  const isOfValue = code !== "unknown-property" && code !== "required";
  const pieces = isOfValue ? splitPieces(leaf?.written ?? "") : [];
  const names = pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.whole]));
  return names.length === 0 ? "" : `; correct the value that ${names.join(" and ")} stands for`;
}

/** Returns the leaf at a path. */
export function findLeafIn(tree: Tree, path: PropertyPath): LeafTree | undefined {
  const part = findPartAt(tree, path);
  return part?.kind === "leaf" ? part : undefined;
}

function findPlainValue(leaf: LeafTree | undefined): number | boolean | undefined {
  if (leaf?.written === undefined || typeof leaf.value !== "string") return undefined;
  if (leaf.value === "true" || leaf.value === "false") return leaf.value === "true";
  return /^-?\d+(\.\d+)?$/.test(leaf.value) ? Number(leaf.value) : undefined;
}

function setAt(parent: unknown, [step, ...rest]: PropertyPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(parent)) {
    return parent.map((item: unknown, index) => (index === step ? setAt(item, rest, value) : item));
  }
  const fields = parent as Fields;
  return { ...fields, [step]: setAt(fields[step], rest, value) };
}
