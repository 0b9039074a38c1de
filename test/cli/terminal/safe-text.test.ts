/** What is printed commands neither a terminal nor a CI runner, and says no less as JSON and YAML. */
import { describe, expect, it } from "vitest";
import pc from "picocolors";
import { parse } from "yaml";
import { print, note, printCommands, printText } from "../../../cli/terminal/io.js";
import { escaped } from "../../../cli/terminal/markup.js";
import { escapedJson, jsonText, printed } from "../../../cli/terminal/safe-text.js";
import { printableYaml } from "../../../cli/terminal/safe-yaml.js";
import { github } from "../../../cli/reporters/github.js";
import { testIo } from "../support.js";

const ESC = "\u001b";
const hostile = `a${ESC}[2J${ESC}]8;;https://evil.example${ESC}\\b\rc\u009b31m\u0085\u202Ed\u2066\u200b\u2028\uFEFF\u{E0041}\n::error::x ##[error]y ##vso[task]z`;
const plain = { colors: false, ci: false };
const ci = { colors: false, ci: true };

describe("a printed text", () => {
  it("keeps its lines and tabs, and nothing else that steers", () => {
    const text = printed(hostile, plain);
    expect(text).not.toMatch(/[^\P{C}\n]|\p{Bidi_Control}|[\u2028\u200b]/u);
    expect(text.split("\n")).toHaveLength(2);
    expect(printed("a\tb\r\nc\n", plain)).toBe("a\tb\nc\n");
    expect(printed("naïve 日本語 ✅ — x", ci)).toBe("naïve 日本語 ✅ — x");
  });

  it("keeps our own colors where there are any, and no other escape", () => {
    const colors = pc.createColors(true);
    const ours = colors.bold(colors.red("x")) + colors.dim("y");
    expect(printed(ours, { colors: true, ci: false })).toBe(ours);
    expect(printed(ours, plain)).not.toContain(ESC);
    // Hidden text is none of ours.
    for (const code of [`${ESC}[8m`, `${ESC}[2J`, `${ESC}[1;1H`, `${ESC}]0;title\u0007`, `${ESC}[?25l`])
      expect(printed(code, { colors: true, ci: false })).not.toContain(ESC);
  });

  it("is no command for a CI runner, wherever it begins", () => {
    const lines = ["::error::x", "  ::add-mask::x", "\t::stop-commands::x", "a ##[error]x", "##vso[task.x]y"];
    for (const line of lines) expect(printed(line, ci)).not.toMatch(/^\s*::|##\w*\[/);
    expect(printed(`${ESC}[31m::error::x`, { colors: true, ci: true })).toBe(`${ESC}[31m: :error::x`);
    // A sign that is taken out makes no command of what is left.
    expect(printed("\u200b::error::x", ci)).not.toMatch(/^::/);
    expect(printed("a::b, # c ## d", ci)).toBe("a::b, # c ## d");
    expect(printed("::error::x", plain)).toBe("::error::x");
  });

  it("is one line where a line is printed", () => {
    const { io, written } = testIo({ CI: "true" });
    print(io, `Logged in as ${hostile}\n`);
    note(io, `\nnote ${hostile}`);
    expect(written().stdout.split("\n")).toHaveLength(3);
    expect(written().stderr.split("\n")).toHaveLength(3);
    expect(written().stdout + written().stderr).not.toMatch(/^\s*::/m);
  });

  it.each([{ GITHUB_ACTIONS: "true" }, { CI: "1" }, { TF_BUILD: "True" }, {}, { CI: "false" }])(
    "is for a runner where the environment says so: %o",
    (env) => {
      const { io, written } = testIo(env);
      printText(io, "::error::x\n");
      expect(written().stdout.startsWith("::")).toBe(!Object.values(env).some((value) => value !== "false"));
    },
  );
});

describe("data", () => {
  it("is JSON that printing does not change, and that says the same", () => {
    const value = { [hostile]: [hostile, { x: "##[a" }] };
    for (const indent of [0, 2]) {
      const text = jsonText(value, indent);
      expect(printed(text, ci)).toBe(text);
      expect(JSON.parse(text)).toEqual(value);
    }
    expect(JSON.parse(escapedJson(JSON.stringify(value)))).toEqual(value);
  });

  it("is YAML that printing does not change, and that says the same", () => {
    const texts = [
      `name: "${JSON.stringify(hostile).slice(1, -1)}"\nrest: 1\n`,
      `plain: a\u202Eb # c\nblock: |\n  one\n  ::error::x\n  ##[group]y\nfolded: >-\n  a\u200bb\n  c\nlast: 1\n`,
      `? "k\u202Ey"\n: v\nlist:\n  - 'it''s \u{E0041}'\n  - {a: "\u009b", ::b: c}\n`,
    ];
    for (const text of texts) {
      const now = printableYaml(text, true);
      expect(printed(now, ci)).toBe(now);
      expect(parse(now)).toEqual(parse(text));
    }
    const good = "# it's fine\na: |\n  ::error::\n";
    expect(printableYaml(good, false)).toBe(good);
  });

  it("is markup on one line", () => {
    expect(escaped('<a>\n::error::"\r\u202E\u001b\t')).toBe(
      "&lt;a&gt;&#10;::error::&quot;&#13;\uFFFD\uFFFD\t",
    );
  });

  it("is an annotation of GitHub's, and only one", () => {
    const place = { file: "a\n::error::b,c:d.yaml", line: 1, column: 2 };
    const problem = { code: "x", severity: "error" as const, message: `100% ${hostile}`, place };
    const report = { file: "f", problems: [problem], rules: {}, textOf: () => undefined };
    const { io, written } = testIo({ GITHUB_ACTIONS: "true" });
    printCommands(io, github(report, { folder: "/" }));
    expect(written().stdout).toMatch(
      /^::error file=[^:\n]*,line=1,col=2,title=x::100%25 a[^\n]*%0A: ?:error[^\n]*\n$/,
    );
    expect(written().stdout).not.toMatch(/##\w*\[|[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});
