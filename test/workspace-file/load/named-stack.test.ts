/** Tests the stack that a file names. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stackNamedIn } from "../../../workspace-file/load/named-stack.js";
import { temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

it("is that of the file, or of the first file of a folder that names one", () => {
  expect(stackNamedIn(file("one.yaml", "version: 1\nstack: us\n"))).toBe("us");
  expect(stackNamedIn(file("none.yaml", "version: 1\nworkspace: acme\n"))).toBeUndefined();
  expect(stackNamedIn(file("said.yaml", "version: 1 # no stack here\n"))).toBeUndefined();
  expect(stackNamedIn(file("list.yaml", "- stack\n"))).toBeUndefined();
  expect(stackNamedIn(join(folder, "missing.yaml"))).toBeUndefined();
  mkdirSync(join(folder, "parts"));
  file("parts/a.yaml", "groups: {}\n");
  file("parts/b.yaml", "stack: eu\n");
  file("parts/c.yaml", "stack: later\n");
  expect(stackNamedIn(join(folder, "parts"))).toBe("eu");
});

it("is read from standard input and from a module", () => {
  expect(stackNamedIn("-", { stdin: () => "version: 1\nstack: piped\n" })).toBe("piped");
  expect(stackNamedIn("-", { stdin: () => "version: 1\n" })).toBeUndefined();
});

it.each([
  ["stack: [us]\n", /stack: /],
  ["stack: a b\n", /stack: /],
  ['stack: "\n', /workspace/],
])("is refused where it is no name: %j", (text, message) => {
  expect(() => stackNamedIn(file("workspace.yaml", text))).toThrow(message);
});
