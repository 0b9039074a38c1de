/**
 * The spelling of identifying values: which differences the service may make in a value without it naming another object. Definitions
 * declare it per argument (`spelling`), references for the names that they take.
 */

/**
 * `name`: the Unicode normal form and surrounding blanks may differ. `email`: upper and lower case may differ, too. Case distinguishes
 * names of any other kind. Values without a spelling, such as paths in Git, are compared exactly.
 */
export type Spelling = "name" | "email";

/** The form in which values that name the same object are equal. Only texts have several spellings. */
export function canonicalize<T>(spelling: Spelling | undefined, value: T): T | string {
  if (typeof value !== "string" || spelling === undefined) return value;
  const name = value.normalize("NFC").trim();
  return spelling === "email" ? name.toLowerCase() : name;
}

/** Whether two values are equal, or texts that name the same object. */
export function isSameSpelling(spelling: Spelling | undefined, one: unknown, other: unknown): boolean {
  return one === other || canonicalize(spelling, one) === canonicalize(spelling, other);
}

/** A value as JSON in which combining characters and unusual blanks show, for texts that look alike. */
export function formatVisibly(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{M}\p{Z}]/gu, (character) =>
    character === " " ? character : `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );
}

/** The items that a value names. Where one has exactly this name, those in other spellings are others. */
export function findNamed<T>(
  items: readonly T[],
  spelling: Spelling | undefined,
  name: unknown,
  getName: (item: T) => unknown,
): T[] {
  const exact = items.filter((item) => getName(item) === name);
  return exact.length > 0 ? exact : items.filter((item) => isSameSpelling(spelling, getName(item), name));
}
