/** Tests what is said of a module that is no document, or fails: why, and where. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadModule, ModuleError, readModule } from "../../../workspace-file/load/module.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

function failureOf(name: string, text?: string): ModuleError {
  const file = text === undefined ? join(folder, name) : fileIn(folder, name, text);
  try {
    readModule(file);
  } catch (error) {
    if (error instanceof ModuleError) return error;
    throw error;
  }
  throw new Error(`${name} is a document`);
}

const noDocument =
  "there is no default export that is a document: write `export default defineWorkspace({ version: 1, ... })`";

describe("a module", () => {
  it("exports by default what is read, in each format", () => {
    const forms: Readonly<Record<string, string>> = {
      "default.ts": 'export default { workspace: "acme" };',
      "default.cjs": 'exports.default = { workspace: "acme" };',
      "transpiled.cjs": 'exports.__esModule = true; exports.default = { workspace: "acme" };',
    };
    for (const [name, text] of Object.entries(forms)) {
      expect(readModule(fileIn(folder, name, text))).toEqual({ workspace: "acme" });
      expect(loadModule(join(folder, name))).toEqual({ value: { workspace: "acme" }, isDefault: true });
    }
    const whole = fileIn(folder, "whole.cjs", 'module.exports = { version: 1, workspace: "acme" };');
    expect(readModule(whole)).toEqual({ version: 1, workspace: "acme" });
    expect(loadModule(whole)).toEqual({ value: { version: 1, workspace: "acme" }, isDefault: false });
  });

  it.each([
    ["other.cjs", "module.exports = { workspace: 'acme' };"],
    ["named.ts", "export const version = 1;"],
    ["null.ts", "export default null;"],
    ["list.ts", "export default [];"],
  ])("is no document without a version and a default export: %s", (name, text) => {
    expect(failureOf(name, text).reason).toBe(noDocument);
  });
});

describe("a failure", () => {
  it.each([
    ["throw new Error('no region');", "throws Error: no region"],
    ["throw new TypeError('  no region\\nof that name');", "throws TypeError: no region"],
    ["throw 'no region';", "throws no region"],
    ["throw undefined;", "throws undefined"],
    [
      "require('node:fs').readFileSync('/none/regions.json');",
      "throws Error: ENOENT: no such file or directory, open '/none/regions.json'",
    ],
    ["throw new Error(__filename + ' is wrong');", `throws Error: ${join(folder, "fails.cjs")} is wrong`],
  ])("is told: %s", (text, reason) => {
    const error = failureOf("fails.cjs", `${text}\nmodule.exports = { version: 1 };`);
    expect(error.reason).toBe(reason);
    expect(error.message).toBe(`${join(folder, "fails.cjs")}: ${reason}`);
  });

  it("has what was thrown as its cause", () => {
    expect(failureOf("cause.cjs", "throw 'no region';").cause).toBe("no region");
    expect(failureOf("none.cjs", "module.exports = {};").cause).toBeUndefined();
  });

  it("of an import, a file that is not there, or a top-level await is told", () => {
    expect(failureOf("imports.ts", "import './nothing.js';\nexport default { version: 1 };").reason).toMatch(
      /^cannot be loaded: Cannot find module '.\/nothing.js'/,
    );
    expect(failureOf("nowhere.ts").reason).toBe(
      `there is no such file (looked in ${process.cwd()}): pass the workspace file with -f FILE`,
    );
    expect(failureOf("awaits.ts", "export default await Promise.resolve({ version: 1 });").reason).toBe(
      "has a top-level `await`, which is not supported",
    );
    expect(failureOf("broken.ts", "export default {\n  version: 1,,\n};").reason).toMatch(
      /^cannot be read: Unexpected token/,
    );
  });

  it("is located in the module, not in what it calls", () => {
    const lines = "\n".repeat(11);
    const deep = failureOf("deep.cjs", `${lines}const name = 'x'; throw new Error(name);`);
    expect(deep.place).toEqual({ file: join(folder, "deep.cjs"), line: 12, column: 24 });
    const named = failureOf("named.cjs", "\nthrow new Error(__filename + ' at other:5:6');");
    expect(named.place).toEqual({ file: join(folder, "named.cjs"), line: 2, column: 7 });
    expect(failureOf("text.cjs", "throw 'x';").place).toEqual({
      file: join(folder, "text.cjs"),
      line: 1,
      column: 1,
    });
  });
});
