/** The spelling of an argument, which it declares itself or takes from what it refers to. */
import type { Reference } from "./definition.js";
import { mapReferences } from "./reference-paths.js";
import { canonicalize, type Spelling } from "./spelling.js";

interface Spelled {
  readonly spelling: Readonly<Record<string, Spelling | undefined>>;
  readonly references: Readonly<Record<string, Reference>>;
}

/** The spelling of an argument: its own, or that of the names that it refers to. */
export function getSpelling({ spelling, references }: Spelled, arg: string): Spelling | undefined {
  return spelling[arg] ?? references[arg]?.spelling;
}

/** The value of an argument with all names in it in their canonical spelling. */
export function canonicalizeArgument(
  { spelling, references }: Spelled,
  arg: string,
  value: unknown,
): unknown {
  const reference = references[arg];
  if (reference === undefined) return canonicalize(spelling[arg], value);
  return mapReferences(reference, value, (inner, name) => canonicalize(inner.spelling, name));
}
