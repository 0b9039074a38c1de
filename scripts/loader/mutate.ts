/** Mutates texts by characters, keywords of the language and lines, and combines two texts. */

/** Returns a pseudorandom number generator (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const SIGNS = [
  ..." \n\t:-?[]{},&*!|>'\"%@`#~<$\\\u0000\u00e4\u2028\ud83d\ufeff0189.",
  "\r\n",
  ": ",
  "- ",
  "\n  ",
];

export class Mutator {
  constructor(
    private readonly random: () => number,
    private readonly words: readonly string[],
    private readonly longest: number,
  ) {}

  /** Returns the text with a few mutations, some of which copy parts of the other text. */
  change(text: string, other: string): string {
    let result = text;
    for (let rounds = 1 + this.below(5); rounds > 0; rounds -= 1) result = this.once(result, other);
    return result.slice(0, this.longest);
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  private once(text: string, other: string): string {
    const at = this.below(text.length + 1);
    const to = Math.min(text.length, at + 1 + this.below(8));
    const lines = text.split("\n");
    const [line, further] = [this.below(lines.length), this.below(lines.length)];
    const changes: (() => string)[] = [
      () => text.slice(0, at) + this.pick(SIGNS) + text.slice(at),
      () => text.slice(0, at) + this.pick(SIGNS) + text.slice(to),
      () => text.slice(0, at) + text.slice(to),
      () => text.slice(0, at) + this.pick(this.words) + text.slice(at),
      () => text.replace(/[\w$.-]+/g, (word) => (this.random() < 0.03 ? this.pick(this.words) : word)),
      () => text.slice(0, at) + text.slice(at, to).repeat(2 + this.below(200)) + text.slice(to),
      () => lines.toSpliced(line, 1).join("\n"),
      () => lines.toSpliced(further, 0, lines[line] ?? "").join("\n"),
      () => lines.toSpliced(line, 1, `${" ".repeat(this.below(6))}${lines[line] ?? ""}`).join("\n"),
      () => [...lines.slice(0, line), ...other.split("\n").slice(this.below(lines.length))].join("\n"),
      () => text.slice(0, at) + other.slice(this.below(other.length), this.below(other.length) + 40),
    ];
    return this.pick(changes)();
  }
}
