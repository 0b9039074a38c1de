/**
 * Matches a logical name against a pattern: `*` matches within one part of a path, `**` any number of parts, `?` one character.
 * Each piece of the pattern scans the name once, because a regular expression with many stars could backtrack for too long.
 * @param signs whether `?` is a wildcard
 */
export function matchesPattern(pattern: string, name: string, signs = true): boolean {
  const pieces = pattern.split(signs ? /(\*\*\/|\/\*\*|\*\*|\*|\?)/ : /(\*\*\/|\/\*\*|\*\*|\*)/);
  // Whether the prefix of each length matches the pieces so far.
  let fits = Array.from({ length: name.length + 1 }, (_none, length) => length === 0);
  for (const piece of pieces) {
    const pass = (signs || piece !== "?" ? WILDCARDS[piece] : undefined) ?? literal(piece);
    const before = fits;
    let state = false;
    fits = before.map((fit, length) => {
      const step = pass({ before, fit, length, name, state });
      state = step.state;
      return step.fits;
    });
  }
  return fits[name.length] === true;
}

interface At {
  readonly before: readonly boolean[];
  /** Whether the prefix of this length matches the previous pieces. */
  readonly fit: boolean;
  readonly length: number;
  readonly name: string;
  /** State of the piece from shorter prefixes. */
  readonly state: boolean;
}
type Pass = (at: At) => { readonly fits: boolean; readonly state: boolean };

const last = ({ name, length }: At) => name[length - 1];
const same = (fits: boolean) => ({ fits, state: fits });

const WILDCARDS: Readonly<Record<string, Pass>> = {
  "**/": (at) => ({ fits: at.fit || (at.state && last(at) === "/"), state: at.state || at.fit }),
  // Matches an object and everything in it.
  "/**": (at) => {
    const inside = at.state || (last(at) === "/" && at.before[at.length - 1] === true);
    return { fits: at.fit || inside, state: inside };
  },
  "**": (at) => same(at.fit || at.state),
  "*": (at) => same(at.fit || (at.state && last(at) !== "/")),
  "?": (at) => same(at.before[at.length - 1] === true && last(at) !== "/"),
};

function literal(text: string): Pass {
  return ({ before, length, name }) =>
    same(before[length - text.length] === true && name.startsWith(text, length - text.length));
}
