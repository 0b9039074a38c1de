/** Mutates texts by characters, keywords of the language and lines, and combines two texts. */

import type { Random } from "../../test/chaos/random.js";

const SIGNS = [
  ..." \n\t:-?[]{},&*!|>'\"%@`#~<$\\\u0000\u00e4\u2028\ud83d\ufeff0189.",
  "\r\n",
  ": ",
  "- ",
  "\n  ",
];

export class Mutator {
  constructor(
    private readonly random: Random,
    private readonly words: readonly string[],
    private readonly longest: number,
  ) {}

  /** Returns the text with a few mutations, some of which copy parts of the other text. */
  change(text: string, other: string): string {
    let result = text;
    for (let rounds = 1 + this.random.below(5); rounds > 0; rounds -= 1) result = this.once(result, other);
    return result.slice(0, this.longest);
  }

  private once(text: string, other: string): string {
    const { random, words } = this;
    const at = random.below(text.length + 1);
    const to = Math.min(text.length, at + 1 + random.below(8));
    const lines = text.split("\n");
    const [line, further] = [random.below(lines.length), random.below(lines.length)];
    const changes: (() => string)[] = [
      () => text.slice(0, at) + random.pick(SIGNS) + text.slice(at),
      () => text.slice(0, at) + random.pick(SIGNS) + text.slice(to),
      () => text.slice(0, at) + text.slice(to),
      () => text.slice(0, at) + random.pick(words) + text.slice(at),
      () => text.replace(/[\w$.-]+/g, (word) => (random.chance(0.03) ? random.pick(words) : word)),
      () => text.slice(0, at) + text.slice(at, to).repeat(2 + random.below(200)) + text.slice(to),
      () => lines.toSpliced(line, 1).join("\n"),
      () => lines.toSpliced(further, 0, lines[line] ?? "").join("\n"),
      () => lines.toSpliced(line, 1, `${" ".repeat(random.below(6))}${lines[line] ?? ""}`).join("\n"),
      () => [...lines.slice(0, line), ...other.split("\n").slice(random.below(lines.length))].join("\n"),
      () => text.slice(0, at) + other.slice(random.below(other.length), random.below(other.length) + 40),
    ];
    return random.pick(changes)();
  }
}
