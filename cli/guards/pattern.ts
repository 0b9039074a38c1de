/** Patterns of logical names: `*` stands for anything within one part of a path, `**` for any number of parts. */
export function matchesPattern(pattern: string, name: string): boolean {
  const source = pattern
    .split(/(\*\*\/|\/\*\*|\*\*|\*|\?)/)
    .map((part) => WILDCARDS[part] ?? part.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&"))
    .join("");
  return new RegExp(`^${source}$`).test(name);
}

const WILDCARDS: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  // What is named this way goes with all that stands in it.
  "/**": "(?:/.*)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};
