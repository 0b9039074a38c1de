/** Checks patterns of files and names that a library converts to regular expressions. */

const [LONGEST, STARS, DEEP, CHOICES] = [256, 3, 3, 3];

/** Explains why matching a pattern could take too long, and what to write instead. */
export function findCostlyPattern(pattern: string): string | undefined {
  const instead = "use several patterns, or a simpler one";
  if (pattern.length > LONGEST) return `has more than ${LONGEST} characters: ${instead}`;
  if (/[@?!+*]\(/.test(pattern))
    return `has an extended pattern such as +(...), which is not supported: ${instead}`;
  if (count(pattern, /\{/g) > CHOICES) return `has more than ${CHOICES} choices in braces: ${instead}`;
  if (count(pattern, /\*\*/g) > DEEP) return `has ** more than ${DEEP} times: ${instead}`;
  if (pattern.split("/").some((part) => count(part, /\*+/g) > STARS))
    return `has more than ${STARS} stars in one part: ${instead}`;
  return undefined;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
