/**
 * Matches a logical name against a pattern: `*` matches within one part of a path, `**` any number of parts, `?` one character.
 * Each piece of the pattern scans the name once, because a regular expression with many stars could backtrack for too long.
 * @param signs whether `?` is a wildcard
 */
export function matchesPattern(pattern: string, name: string, signs = true): boolean {
  const pieces = pattern.split(signs ? PIECES : /(\*\*\/|\/\*\*|\*\*|\*)/);
  // Whether the prefix of each length matches the pieces so far.
  let fits = Array.from({ length: name.length + 1 }, (_none, length) => length === 0);
  for (const piece of pieces) {
    const pass = (signs || piece !== "?" ? WILDCARDS.get(piece) : undefined) ?? createLiteral(piece);
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

const PIECES = /(\*\*\/|\/\*\*|\*\*|\*|\?)/;

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

const findLast = ({ name, length }: At) => name[length - 1];
const createSame = (fits: boolean) => ({ fits, state: fits });

const WILDCARDS: ReadonlyMap<string, Pass> = new Map<string, Pass>([
  ["**/", (at) => ({ fits: at.fit || (at.state && findLast(at) === "/"), state: at.state || at.fit })],
  [
    // Matches an object and everything in it.
    "/**",
    (at) => {
      const inside = at.state || (findLast(at) === "/" && at.before[at.length - 1] === true);
      return { fits: at.fit || inside, state: inside };
    },
  ],
  ["**", (at) => createSame(at.fit || at.state)],
  ["*", (at) => createSame(at.fit || (at.state && findLast(at) !== "/"))],
  ["?", (at) => createSame(at.before[at.length - 1] === true && findLast(at) !== "/")],
]);

function createLiteral(text: string): Pass {
  return ({ before, length, name }) =>
    createSame(before[length - text.length] === true && name.startsWith(text, length - text.length));
}

/** A step of a pattern: from one position to another, over a character of a class or over none. */
interface Edge {
  readonly to: number;
  /** `any` character, one within a `part` of a path, or a certain one; undefined for none. */
  readonly over?: "any" | "part" | { readonly character: string };
}

interface Machine {
  readonly edges: readonly (readonly Edge[])[];
  readonly end: number;
}

/**
 * Returns a shortest text that all patterns match, or undefined when there is none. Follows all patterns at the same time, so
 * the time is at most the product of their lengths.
 */
export function formatCommonText(patterns: readonly string[]): string | undefined {
  const machines = patterns.map(getMachine);
  const visited = new Set<string>();
  let level: { readonly at: readonly number[]; readonly text: string }[] = [
    { at: machines.map(() => 0), text: "" },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    // Steps over no character extend the level while it is read.
    for (const { at, text } of level) {
      if (visited.has(at.join())) continue;
      visited.add(at.join());
      if (at.every((position, index) => position === machines[index]?.end)) return text;
      const steps = at.map((position, index) => machines[index]?.edges[position] ?? []);
      for (const [index, edges] of steps.entries())
        for (const { to, over } of edges)
          if (over === undefined) level.push({ at: at.with(index, to), text });
      for (const { to, character } of listStepsTogether(steps)) next.push({ at: to, text: text + character });
    }
    level = next;
  }
  return undefined;
}

/** Returns the steps over one character that all can make. */
function listStepsTogether(steps: readonly (readonly Edge[])[]) {
  type Together = { readonly to: readonly number[]; readonly over: NonNullable<Edge["over"]> };
  let found: Together[] = [{ to: [], over: "any" }];
  for (const edges of steps)
    found = found.flatMap(({ to, over }) =>
      edges.flatMap((edge) => {
        const both = edge.over === undefined ? undefined : findNarrower(over, edge.over);
        return both === undefined ? [] : [{ to: [...to, edge.to], over: both }];
      }),
    );
  return found.map(({ to, over }) => ({ to, character: typeof over === "object" ? over.character : "x" }));
}

function findNarrower(
  one: NonNullable<Edge["over"]>,
  other: NonNullable<Edge["over"]>,
): Edge["over"] | undefined {
  if (one === "any") return other;
  if (other === "any") return one;
  const [a, b] = [one, other].map((over) => (over === "part" ? undefined : over.character));
  if (a === undefined && b === undefined) return "part";
  if (a !== undefined && b !== undefined) return a === b ? one : undefined;
  return (a ?? b) === "/" ? undefined : { character: a ?? b ?? "" };
}

function getMachine(pattern: string): Machine {
  const edges: Edge[][] = [[]];
  const add = (from: number, edge: Edge) => edges[from]?.push(edge);
  const position = () => edges.push([]) - 1;
  const slash = { character: "/" };
  const pieces = pattern.split(PIECES).flatMap((piece) => (WILDCARDS.has(piece) ? [piece] : piece.split("")));
  let at = 0;
  for (const piece of pieces) {
    const from = at;
    at = position();
    if (!WILDCARDS.has(piece)) add(from, { to: at, over: { character: piece } });
    else if (piece === "?") add(from, { to: at, over: "part" });
    else add(from, { to: at });
    if (piece === "*") add(at, { to: at, over: "part" });
    if (piece === "**") add(at, { to: at, over: "any" });
    if (piece !== "**/" && piece !== "/**") continue;
    const inside = position();
    add(inside, { to: inside, over: "any" });
    add(from, piece === "/**" ? { to: inside, over: slash } : { to: inside });
    add(inside, piece === "/**" ? { to: at } : { to: at, over: slash });
  }
  return { edges, end: at };
}
