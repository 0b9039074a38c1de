/** Patterns of files and names that are given to a library, which makes regular expressions of them. */

const [LONGEST, STARS, DEEP, CHOICES] = [256, 3, 3, 3];

/** Why a pattern could take for ever, and what to write instead; undefined of every other. */
export function costlyPattern(pattern: string): string | undefined {
  const instead = "name what is meant by several patterns, or more simply";
  if (pattern.length > LONGEST) return `has more than ${LONGEST} signs: ${instead}`;
  if (/[@?!+*]\(/.test(pattern))
    return `has an extended pattern such as +(...), which is not taken: ${instead}`;
  if (count(pattern, /\{/g) > CHOICES) return `has more than ${CHOICES} choices in braces: ${instead}`;
  if (count(pattern, /\*\*/g) > DEEP) return `has ** more than ${DEEP} times: ${instead}`;
  if (pattern.split("/").some((part) => count(part, /\*+/g) > STARS))
    return `has more than ${STARS} stars in one part: ${instead}`;
  return undefined;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
