/** Something that may differ, of which only the engine says what it is. */
export class Doubt extends Error {}

/** @throws {Doubt} unless the condition holds */
export function requireNoDoubt(isCertain: boolean, doubt: string): void {
  if (!isCertain) throw new Doubt(doubt);
}
