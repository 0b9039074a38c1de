/** Tests workspace files in JSON, which are read as YAML and must be JSON. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { readDeclarations, WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { parseYaml } from "../../../workspace-file/syntax/parse.js";
import { getValue } from "../../../workspace-file/syntax/tree.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

function problemsIn(text: string): string[] {
  const file = fileIn(folder, "workspace.json", text);
  try {
    readDeclarations(file);
    return [];
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    return error.problems.map(({ place, message }) => `${place.line}:${place.column} ${message}`);
  }
}

it("is read like YAML", () => {
  const file = fileIn(folder, "good.json", '{ "version": 1, "groups": { "QA": {} } }');
  expect(readDeclarations(file).declarations.map(({ name }) => name)).toEqual(["groups/QA"]);
});

it("shows where a problem is", () => {
  const lines = ["{", '  "version": 1,', '  "groups": {', '    "QA": { "descripton": "x" }', "  }", "}"];
  expect(problemsIn(lines.join("\n"))).toEqual([
    expect.stringMatching(/^4:13 unknown property "descripton"/),
  ]);
});

it.each([
  ["a missing comma", '{\n  "version": 1\n  "groups": {}\n}', 2],
  ["a missing bracket", '{\n  "version": 1,\n  "groups": {\n', 3],
  ["a key without quotes", '{\n  "version": 1,\n  groups: {}\n}', 3],
  ["a comment", '{\n  "version": 1 # first\n}', 2],
])("shows where %s is", (_, text, line) => {
  expect(problemsIn(text)[0]).toMatch(new RegExp(`^${line}:`));
});

it("has the same meaning as for a parser of JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2, "\t"), (value, indent) => {
      const text = JSON.stringify({ "x-any": value }, null, indent);
      // The loader refuses this key, which is no property for all parsers.
      fc.pre(!text.includes('"__proto__"'));
      const { tree, problems } = parseYaml("any.json", text);
      expect(problems).toEqual([]);
      expect(tree && getValue(tree)).toEqual(JSON.parse(text));
    }),
  );
});
