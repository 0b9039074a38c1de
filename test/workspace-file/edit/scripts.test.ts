/** Tests with random scripts that an edit changes only the lines that differ, in the form that people write scripts in. */
import fc from "fast-check";
import prettier from "prettier";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { definitions } from "../../../provider/index.js";
import { RawText } from "../../../workspace-file/edit/yaml/raw.js";
import { replaceSlot } from "../../../workspace-file/edit/yaml/replace-slot.js";
import { formatYaml } from "../../../workspace-file/format/format.js";
import { valueText } from "../../../workspace-file/write/write.js";

const seed = Number(process.env["SEED"] ?? 20261128);
const numRuns = process.env["STORIES"] === "all" ? 1_000 : 100;

const line = fc.constantFrom(
  ...[
    "npm ci",
    "  indented",
    "echo a  ",
    "# a comment",
    "",
    "cat > x <<'EOF'",
    "key: value",
    "- item",
    "\techo tab",
  ],
  ...[
    'if [ -n "$X" ]; then',
    "printf '%s\\n' \"$TOKEN\" > .env",
    "echo ${X:-y} $(date) `id`",
    "---",
    "on",
    "é: ü",
    "?",
  ],
);
const script = fc
  .tuple(
    fc.constantFrom("npm ci", "set -e", "# first", "  sh"),
    fc.array(line, { maxLength: 12 }),
    fc.constantFrom("end", "exit 0  ", "EOF"),
    fc.constantFrom("", "\n", "\n\n"),
  )
  .map(([first, lines, last, end]) => [first, ...lines, last].join("\n") + end);

/** A script as a command, as a field and in a header, before and after other parts. */
const positions = [
  (text: string) => ({
    document: { commands: ["npm ci", text, "on"], other: "1_000" },
    steps: [{ key: "commands" }, { index: 1 }],
  }),
  (text: string) => ({
    document: { commands: ["npm ci", text] },
    steps: [{ key: "commands" }, { index: 1 }],
  }),
  (text: string) => ({
    document: { a: { fields: { script: text, z: "yes" } } },
    steps: [{ key: "a" }, { key: "fields" }, { key: "script" }],
  }),
  (text: string) => ({
    document: { headers: [{ name: "X", value: text }], b: 1 },
    steps: [{ key: "headers" }, { index: 0 }, { key: "value" }],
  }),
  (text: string) => ({
    document: { variables: { SCRIPT: text } },
    steps: [{ key: "variables" }, { key: "SCRIPT" }],
  }),
];

describe("a script that is changed in one line", () => {
  it(`changes at most three lines of the file, and keeps each byte of the rest (seed ${seed})`, () => {
    fc.assert(
      fc.property(script, fc.constantFrom(...positions), fc.nat(), line, (text, place, at, added) => {
        const lines = text.split("\n");
        const after = lines.toSpliced(1 + (at % lines.length), 0, added).join("\n");
        const before = valueText(place(text).document);
        const raw = new RawText(before);
        const slot = raw.find(place(text).steps);
        if (slot === undefined) throw new TypeError("there is no such part");
        replaceSlot(raw, slot, after);
        expect(parse(raw.text)).toEqual(place(after).document);
        // A text that needs quotes for one of its lines changes as a whole.
        if (!before.includes('"') && !raw.text.includes('"')) return;
        const known = before.split("\n");
        if (/[|]/.test(before) && /[|]/.test(raw.text))
          expect(raw.text.split("\n").filter((one) => !known.includes(one)).length).toBeLessThanOrEqual(3);
      }),
      { seed, numRuns },
    );
  });

  it(`is a form that fmt and prettier leave alone, in turn (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(script, async (text) => {
        let file = valueText({ version: 1, groups: { QA: { description: text } } });
        for (let turn = 0; turn < 4; turn += 1) {
          const formatted = formatYaml("workspace.yaml", file, definitions);
          if (!("text" in formatted)) throw new Error(JSON.stringify(formatted));
          const pretty = await prettier.format(formatted.text, { parser: "yaml", proseWrap: "preserve" });
          if (turn > 1) expect([pretty, formatted.text]).toEqual([file, file]);
          file = pretty;
        }
        expect((parse(file) as { groups: { QA: { description: string } } }).groups.QA.description).toBe(text);
      }),
      { seed, numRuns: Math.ceil(numRuns / 5) },
    );
  });
});

it("quotes what readers of YAML 1.1 take for something else", () => {
  const texts = [
    "on",
    "off",
    "yes",
    "no",
    "y",
    "n",
    "1_000",
    "1:30",
    "0777",
    "0b11",
    "2026-11-28",
    "=",
    "<<",
    "~",
    ".5",
    "0o7",
    "+1",
  ];
  expect(parse(valueText(texts), { version: "1.1" })).toEqual(texts);
  const raw = new RawText("commands:\n  - npm ci\n");
  for (const text of texts) {
    const slot = raw.find([{ key: "commands" }, { index: 0 }]);
    if (slot) replaceSlot(raw, slot, text);
    expect(parse(raw.text, { version: "1.1" })).toEqual({ commands: [text] });
  }
});
