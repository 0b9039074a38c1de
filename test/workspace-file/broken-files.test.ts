/**
 * Tests that every broken workspace file of test/fixtures/broken is refused with exactly the expected
 * diagnostics.
 */
import { describe, expect, it } from "vitest";
import { readDeclarations, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { fileIn, run, temporaryFolder } from "../cli/support.js";
import { brokenFiles, complaintOf, env, expectedOf, withoutFolder } from "./broken-support.js";

const files = brokenFiles();

describe("a broken workspace file", () => {
  it("exists in many kinds", () => {
    expect(files.length).toBeGreaterThanOrEqual(200);
  });

  it.each(files)("$name is refused with the expected diagnostics", async (broken) => {
    const expected = expectedOf(broken);
    expect(complaintOf(broken)).toBe(expected);
    const { code, stdout, stderr } = await run(["validate", "-f", broken.file, "--stack", "eu"], env);
    expect({ code, stdout, stderr: withoutFolder(stderr, broken.name) }).toEqual({
      code: 1,
      stdout: "",
      stderr: expected,
    });
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  });
});

/** Tests files that are too large for a fixture. */
describe("a text designed to break the loader", () => {
  const folder = temporaryFolder();
  const deep = 100_000;
  const flat = 30_000;

  it.each([
    ["lists in lists", `version: 1\nx-a: ${"[".repeat(deep)}`],
    ["closed lists in lists", `version: 1\nx-a: ${"[".repeat(deep)}${"]".repeat(deep)}`],
    ["maps in maps", `version: 1\nx-a: ${"{ a: ".repeat(deep)}1${"}".repeat(deep)}`],
    ["keys that are maps", `version: 1\nx-a:\n  ${"? ".repeat(deep)}`],
    ["items in items", `version: 1\nx-a:\n  ${"- ".repeat(deep)}a`],
    ["indentation without end", Array.from({ length: 1500 }, (_, n) => `${" ".repeat(n)}a:`).join("\n")],
    ["tags without end", `version: 1\nx-a: ${"!a ".repeat(flat)}`],
    ["quotes without end", `version: 1\nvariables: { A: ${'"'.repeat(flat + 1)} }`],
    ["more than 2 MB", `version: 1\nvariables: { A: "${"a".repeat(2 * 1024 * 1024)}" }`],
    ["anchors of one another", bombOf(40)],
    ["merge keys of one another", mergeBombOf(40)],
  ])("is refused: %s", (_what, text) => {
    const file = fileIn(folder, "workspace.yaml", text);
    expect(() => readDeclarations(file, { env })).toThrow(WorkspaceFileError);
  });

  it.each([
    ["placeholders that are not closed", "${env:".repeat(10 * flat)],
    ["dollar signs", "$".repeat(flat)],
    ["a shell's words", "${a:".repeat(10 * flat)],
    ["a name without end", `\${env:${"A".repeat(flat)}:-${":-".repeat(flat)}}`],
  ])("is loaded: %s", (_what, value) => {
    const file = fileIn(folder, "workspace.yaml", `version: 1\nvariables: { A: '${value}' }\n`);
    expect(outcomeOf(file)).toMatch(/^(read|refused)$/);
  });

  it("does not affect the prototype of objects", () => {
    const words = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
    for (const word of words) {
      const text = `version: 1\nx-a: &a { ${word}: { polluted: 1 } }\ngroups: { ${word}: { ${word}: { <<: *a } } }\ndefaults: { ${word}: { ${word}: 1 } }\n`;
      expect(outcomeOf(fileIn(folder, "workspace.yaml", text))).toBe("refused");
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("is refused when its files exceed the size limit", () => {
    fileIn(folder, "large.txt", "a".repeat(1024 * 1024));
    const variables = Array.from({ length: 40 }, (_, n) => `  V${n}: "\${file:large.txt}"\n`).join("");
    const file = fileIn(folder, "workspace.yaml", `version: 1\nvariables:\n${variables}`);
    expect(() => readDeclarations(file, { env })).toThrow("16 MB");
  });

  function outcomeOf(file: string): string {
    try {
      readDeclarations(file, { env });
      return "read";
    } catch (error) {
      return error instanceof WorkspaceFileError ? "refused" : String(error);
    }
  }
});

/** Nests lists so that each contains the previous one ten times. */
function bombOf(levels: number): string {
  const lists = Array.from({ length: levels }, (_, n) => {
    const before = n === 0 ? "a" : `*l${n - 1}`;
    return `x-${n}: &l${n} [${Array.from({ length: 10 }, () => before).join(", ")}]\n`;
  });
  return `version: 1\n${lists.join("")}`;
}

/** Nests maps so that each merges the previous one and contains it twice. */
function mergeBombOf(levels: number): string {
  const maps = Array.from({ length: levels }, (_, n) =>
    n === 0
      ? `x-0: &m0 { a: 1 }\n`
      : `x-${n}: &m${n} { <<: *m${n - 1}, k${n}: *m${n - 1}, j${n}: *m${n - 1} }\n`,
  );
  return `version: 1\n${maps.join("")}`;
}
