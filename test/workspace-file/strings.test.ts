/**
 * Tests that readers of YAML 1.1 and 1.2 take each byte of a string that we write, and that fmt and Prettier leave its form alone.
 * PyYAML reads them too where Python has it. STRINGS says how many strings, SEED which ones.
 */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import prettier from "prettier";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { definitions } from "../../provider/index.js";
import type { WorkspaceDocument } from "../../schema/workspace-document.js";
import { escapePlaceholders } from "../../workspace-file/compose/placeholders.js";
import { insertItem, insertKey } from "../../workspace-file/edit/yaml/insert.js";
import { RawText } from "../../workspace-file/edit/yaml/raw.js";
import { replaceSlot } from "../../workspace-file/edit/yaml/replace-slot.js";
import { formatYaml } from "../../workspace-file/format/format.js";
import { renderBlockText, renderQuoted } from "../../workspace-file/format/strings.js";
import { documentText, valueText } from "../../workspace-file/write/write.js";

const seed = Number(process.env["SEED"] ?? 20261128);
const count = Number(process.env["STRINGS"] ?? (process.env["STORIES"] === "all" ? 1_000 : 60));

// cspell:disable
const words =
  "on off yes NO y n 1_000 1:30 190:20:30 0777 0o7 0b11 2026-11-28 2026-11-28T10:00:00Z = << ~ null .5 +1 0x1F 1e3 .inf -.INF .nan -0 __1" +
  " !x &a *a %a @a `a | > ? - -- --- ... #a {a [a] 'a \"a a: : :p ::p true FALSE $X ${X} \\ ] é \u{1f600}";
// cspell:enable
const parts = words.split(" ");
const invisible = [
  "",
  " ",
  "a\tb",
  "a\r",
  "\r",
  "\u00a0",
  "\u0085a",
  "a\u2028b",
  "\ufeffa",
  "\u0007",
  "\u007f",
];
const part = fc.constantFrom(...parts, ...invisible, "a #b", "a: b", "a :b", "- a", "? a", ": a", "a, b");
const blank = fc.constantFrom("", "", "", " ", "  ", "\t", " \t");
const line = fc.tuple(blank, part, blank).map((of) => of.join(""));
const string = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom("", "", "\n", "\n\n", "\n\n\n"))
  .map(([lines, end]) => lines.join("\n") + end);
const strings = fc.sample(string, { seed, numRuns: count });

/** What is written, and what it means. */
type Written = readonly [text: string, value: unknown];

const documentOf = (text: string) => {
  const actions = [
    { name: "A", executeCommands: ["a", text, "b"], content: text, fields: { x: text, y: [[text], text] } },
  ];
  const projects = { web: { pipelines: { p: { actions } } } };
  return { version: 1, workspace: "acme", projects } as unknown as WorkspaceDocument;
};

/** A string in a new file, as a value alone, and in edits of lists and maps in several forms. */
function writeEverywhere(text: string): Written[] {
  const own = escapePlaceholders(text);
  const edits = [
    "a:\n  - x\n  - w\n",
    "a:\n- x\n- |-\n   foo\n# c\n",
    "a: [x, w]\n",
    "a: [x, 'w']\nb: 1\n",
  ].flatMap((file) => {
    const before = parse(file) as { a: string[] };
    const edit = (change: (raw: RawText) => void, value: unknown): Written => {
      const raw = new RawText(file);
      change(raw);
      return [raw.text, value];
    };
    const list = (raw: RawText) => raw.find([{ key: "a" }])!;
    const inner = (of: string) => ({ k: { l: [of], m: of, o: [[of]] } });
    return [
      edit((raw) => replaceSlot(raw, raw.find([{ key: "a" }, { index: 1 }])!, text), {
        ...before,
        a: ["x", own],
      }),
      edit((raw) => insertItem(raw, list(raw), 2, text), { ...before, a: [...before.a, own] }),
      edit((raw) => insertItem(raw, list(raw), 0, inner(text)), { ...before, a: [inner(own), ...before.a] }),
      edit((raw) => insertKey(raw, raw.root, "z", inner(text)), { ...before, z: inner(own) }),
      edit((raw) => insertKey(raw, raw.root, "z", text), { ...before, z: own }),
    ];
  });
  const value = { a: text, b: [text, [text]], c: { d: { e: text } } };
  return [
    [documentText(documentOf(text)), documentOf(text)],
    [valueText(value), value],
    [valueText(text), text],
    ...edits,
  ];
}

it(`all readers take each byte of ${count} strings (seed ${seed})`, () => {
  const written = strings.flatMap(writeEverywhere);
  for (const [text, value] of written)
    for (const version of ["1.1", "1.2"] as const)
      expect([text, parse(text, { version })]).toEqual([text, value]);
  const program = `
import json, sys
try: import yaml
except ImportError: sys.exit(3)
for text, value in json.load(sys.stdin):
  for loader in {yaml.SafeLoader, vars(yaml).get("CSafeLoader", yaml.SafeLoader)}:
    try: read = yaml.load(text, Loader=loader)
    except yaml.YAMLError as error: read = str(error)
    if read != value: sys.exit(json.dumps([text, value, read]))
`;
  const python = spawnSync("python3", ["-c", program], { input: JSON.stringify(written), encoding: "utf8" });
  if (python.error === undefined && python.status !== 3) expect(python.stderr).toBe("");
});

it(`fmt and Prettier agree on their form (seed ${seed})`, async () => {
  for (const text of strings) {
    const own = documentText(documentOf(text));
    expect(formatYaml("workspace.yaml", own, definitions)).toEqual({ text: own });
    let file = own;
    for (let turn = 0; turn < 3; turn += 1) {
      const pretty = await prettier.format(file, { parser: "yaml", proseWrap: "preserve" });
      const formatted = formatYaml("workspace.yaml", pretty, definitions);
      if (turn > 0) expect([pretty, formatted]).toEqual([file, { text: file }]);
      file = "text" in formatted ? formatted.text : JSON.stringify(formatted);
    }
    expect(parse(file)).toEqual(documentOf(text));
  }
});

it("writes a script as a block with all of its blanks", () => {
  const form = { column: 0, indent: 2, keeps: true };
  expect(renderBlockText("\tmake\n", form)).toBe("|2\n  \tmake");
  expect(renderBlockText("\n  a\n\n", form)).toBe("|2+\n\n    a\n");
  expect(valueText({ a: "\tmake\nend" })).toBe("a: |2-\n  \tmake\n  end\n");
  // At the top, readers disagree about the indentation.
  expect(valueText("  a\nb")).toBe('"  a\\nb"\n');
});

it("quotes what editors would remove, line by line where it is long", () => {
  expect(renderBlockText("a\n  \n", { column: 0, indent: 2, keeps: true })).toBeUndefined();
  expect(renderQuoted("a\n  \n", "  ")).toBe('"a\\n  \\n"');
  const long = `${"a".repeat(40)} \n\n  b\u0085\n \nc\n`;
  expect(renderQuoted(long, "  ")).toBe(`"${"a".repeat(40)}\\x20\n\n\n  \\  b\\u0085\n\n  \\x20\n\n  c\\n"`);
  expect(parse(`k: ${renderQuoted(long, "  ")}`)).toEqual({ k: long });
});
