/** Tests the stack that a file names. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WorkspaceFileError } from "../../../workspace-file/load/load.js";
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
  expect(stackNamedIn(file("one.mjs", 'export default { version: 1, stack: "of-module" };'))).toBe(
    "of-module",
  );
  // A module without the word is not run.
  expect(stackNamedIn(file("none.mjs", "throw new Error('run');"))).toBeUndefined();
});

it("may be in a file that is a link, and is none of an empty file", () => {
  mkdirSync(join(folder, "links"));
  file("named.yaml", "version: 1\nstack: linked\n");
  symlinkSync("../named.yaml", join(folder, "links/workspace.yaml"));
  expect(stackNamedIn(join(folder, "links/workspace.yaml"))).toBe("linked");
  expect(stackNamedIn(file("comment.yaml", "# stack\n"))).toBeUndefined();
});

it.each([
  ["stack: [us]\n", "2:8: stack: must be a string", "wrong-format"],
  ["stack: a b\n", "2:8: stack: must be a name of letters, digits, _, - and .", "wrong-format"],
  ['stack: "\n', "2:8: ", "syntax"],
])("is refused where it is no name: %j", (text, message, code) => {
  try {
    stackNamedIn(file("workspace.yaml", `version: 1\n${text}`));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(WorkspaceFileError);
    expect((error as WorkspaceFileError).message).toContain(`workspace.yaml:${message}`);
    expect((error as WorkspaceFileError).message).toContain(`    2 | ${text}`);
    expect((error as WorkspaceFileError).problems).toMatchObject([{ code }]);
  }
});

it("is not looked for in a file of another kind, which no message quotes", () => {
  for (const text of ["# stack\n- PLANTED: [\n", `stack:\n  a: *PLANTED\nPLANTED: ${"[".repeat(100)}\n`]) {
    const other = file("other.yaml", text);
    expect(() => stackNamedIn(other)).toThrow(WorkspaceFileError);
    expect(() => stackNamedIn(other)).not.toThrow(/PLANTED/);
  }
});
