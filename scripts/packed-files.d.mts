/** Types of packed-files.mjs. */
export function unknownFiles(name: string, files: readonly string[]): string[];
export function requireKnownFiles(name: string, files: readonly string[]): void;
