/** Tests that texts show what they contain, as the table of docs/reports.md says. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showLines, stripControls } from "../../client/printable.js";
import { escapeMarkdown, fenceLines, formatCode } from "../../reports/markdown/text.js";
import { escapeMarkup, makeVisible } from "../../text/safe-text.js";
import { formatValue, formatValueLines } from "../../text/shown-change.js";
import { countCases } from "../stories.js";

/** Each row of the table: a text, written with escapes of JSON, and how it is shown. */
const rows = [
  ...readFileSync(new URL("../../docs/reports.md", import.meta.url), "utf8").matchAll(
    /^\| [^|]+ \| `"([^`]*)"` \| `([^`]*)` \|$/gm,
  ),
].map(([, written = "", shown = ""]) => [JSON.parse(`"${written}"`) as string, shown] as const);

/** The forms in which a name or a value is shown. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  name: stripControls,
  lines: showLines,
  terminal: makeVisible,
  markup: escapeMarkup,
  markdown: (text) =>
    escapeMarkdown(text)
      .replaceAll(/\\([^\p{L}\p{N}])/gu, "$1")
      .replaceAll("&#8203;", ""),
  code: formatCode,
  block: (text) => fenceLines([text]).join("\n"),
  value: formatValue,
};

describe("a text", () => {
  it("has a table of what is shown of it", () => expect(rows.length).toBeGreaterThan(20));

  it.each(Object.keys(forms))("is shown as the table says: %s", (form) => {
    for (const [text, shown] of rows) {
      // A tab and a line break are what they are in a text of several lines.
      if (/[\t\n]/.test(text)) continue;
      expect(forms[form]?.(text), JSON.stringify(text)).toContain(shown);
    }
  });

  it("that is shown is shown the same again, also between other words", () => {
    const parts = [
      "а",
      "с",
      "ц",
      "é",
      "e",
      "α",
      "ｅ",
      "日",
      " ",
      "-",
      "u",
      "\u0301",
      "\u200d",
      "\u200b",
      "क",
      "1",
      "👩",
    ];
    const word = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((signs) => signs.join(""));
    fc.assert(
      fc.property(word, word, (text, other) => {
        const shown = stripControls(text);
        expect(stripControls(shown)).toBe(shown);
        expect(stripControls(`name ${shown} → ${stripControls(other)}`)).toContain(shown);
      }),
      { numRuns: countCases(2000, 1000) },
    );
  });

  it("in an object that is created shows the same, with escapes of YAML", () => {
    for (const [text, shown] of rows) {
      // A tab needs no escape in YAML.
      if (text.includes("\t")) continue;
      const lines = formatValueLines({ text }).join("\n");
      expect(lines.includes(text), JSON.stringify(text)).toBe(shown === text);
    }
    expect(formatValueLines({ text: "👨‍👩‍👧 e\u0301" })).toEqual(["text: 👨‍👩‍👧 e\u0301"]);
  });

  it.each([
    "日本語の名前",
    "ビルド　テスト",
    "مرحبا بالعالم",
    "می‌خواهم",
    "क्‍ष",
    "שלום",
    "สวัสดี",
    "Привет, мир",
    "Ελληνικά και",
    "한국어 이름",
    "Crème brûlée, naïve, Größe",
    "Cre\u0300me, Tiê\u0301ng Viê\u0323t",
    "👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ 1️⃣ 👍🏽 🇩🇪",
    "µs · → — “x” m²",
  ])("of an ordinary name stays as it is: %s", (name) => {
    for (const [form, show] of Object.entries(forms)) expect(show(name), form).toContain(name);
  });

  it("shows no character that does not show, in any form", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom(
        "\ud800",
        "\u{E0041}",
        "\uFE0F",
        "\u200D",
        "\u202E",
        "\u00A0",
        "\u3164",
        "\u0301",
        "pаypal",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const shown = stripControls(parts.join(""));
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\u00A0\u3164]/u);
        expect(stripControls(shown)).toBe(shown);
      }),
    );
  });
});
