/**
 * Patterns of logical names: `*` stands for anything within one part of a path, `**` for any number of parts, `?` for one sign.
 * Each piece of a pattern passes over the name once: patterns stand in files, and a regular expression of many stars may take for
 * ever.
 * @param signs whether `?` has a meaning, too
 */
export function matchesPattern(pattern: string, name: string, signs = true): boolean {
  const pieces = pattern.split(signs ? /(\*\*\/|\/\*\*|\*\*|\*|\?)/ : /(\*\*\/|\/\*\*|\*\*|\*)/);
  // Of each beginning of the name, by its length, whether it fits the pieces so far.
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
  /** Whether what is before this length fits the pieces before this one. */
  readonly fit: boolean;
  readonly length: number;
  readonly name: string;
  /** What the piece remembers of shorter beginnings. */
  readonly state: boolean;
}
type Pass = (at: At) => { readonly fits: boolean; readonly state: boolean };

const last = ({ name, length }: At) => name[length - 1];
const same = (fits: boolean) => ({ fits, state: fits });

const WILDCARDS: Readonly<Record<string, Pass>> = {
  "**/": (at) => ({ fits: at.fit || (at.state && last(at) === "/"), state: at.state || at.fit }),
  // What is named this way goes with all that stands in it.
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
