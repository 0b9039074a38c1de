/** Tests that printed text cannot control a terminal or a CI runner, and that JSON and YAML lose no content by that. */
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { note } from "../../automation/port.js";
import { formatDiagnosticsGithub } from "../../reports/github.js";
import { print, printCommands, printText } from "../../reports/io.js";
import { escapeJson, escapeMarkup, formatJson, makePrintable } from "../../text/safe-text.js";
import { makeYamlPrintable } from "../../text/safe-yaml.js";
import { testIo } from "../cli/support.js";

const ESC = "\u001b";
const hostile = `a${ESC}[2J${ESC}]8;;https://evil.example${ESC}\\b\rc\u009b31m\u0085\u202Ed\u2066\u200b\u2028\uFEFF\u{E0041}\n::error::x ##[error]y ##vso[task]z`;
const plain = { colors: false, ci: false };
const ci = { colors: false, ci: true };

describe("printed text", () => {
  it("keeps line breaks and tabs, but no other control characters", () => {
    const text = makePrintable(hostile, plain);
    expect(text).not.toMatch(/[^\P{C}\n]|\p{Bidi_Control}|[\u2028\u200b]/u);
    expect(text.split("\n")).toHaveLength(2);
    expect(makePrintable("a\tb\r\nc\n", plain)).toBe("a\tb\nc\n");
    expect(makePrintable("naïve 日本語 ✅ — x", ci)).toBe("naïve 日本語 ✅ — x");
  });

  it("keeps our own colors if they are enabled, but no other escape sequences", () => {
    const colors = pc.createColors(true);
    const ours = colors.bold(colors.red("x")) + colors.dim("y");
    expect(makePrintable(ours, { colors: true, ci: false })).toBe(ours);
    expect(makePrintable(ours, plain)).not.toContain(ESC);
    // Hidden text is not one of our styles.
    for (const code of [`${ESC}[8m`, `${ESC}[2J`, `${ESC}[1;1H`, `${ESC}]0;title\u0007`, `${ESC}[?25l`])
      expect(makePrintable(code, { colors: true, ci: false })).not.toContain(ESC);
  });

  it("contains no CI command, at any position", () => {
    const lines = ["::error::x", "  ::add-mask::x", "\t::stop-commands::x", "a ##[error]x", "##vso[task.x]y"];
    for (const line of lines) expect(makePrintable(line, ci)).not.toMatch(/^\s*::|##\w*\[/);
    expect(makePrintable(`${ESC}[31m::error::x`, { colors: true, ci: true })).toBe(`${ESC}[31m: :error::x`);
    // Removing a character must not turn the rest into a command.
    expect(makePrintable("\u200b::error::x", ci)).not.toMatch(/^::/);
    expect(makePrintable("a::b, # c ## d", ci)).toBe("a::b, # c ## d");
    expect(makePrintable("::error::x", plain)).toBe("::error::x");
  });

  it("stays on one line if a line is printed", () => {
    const { io, written } = testIo({ CI: "true" });
    print(io, `Logged in as ${hostile}\n`);
    note(io, `\nnote ${hostile}`);
    expect(written().stdout.split("\n")).toHaveLength(3);
    expect(written().stderr.split("\n")).toHaveLength(3);
    expect(written().stdout + written().stderr).not.toMatch(/^\s*::/m);
  });

  it.each([{ GITHUB_ACTIONS: "true" }, { CI: "1" }, { TF_BUILD: "True" }, {}, { CI: "false" }])(
    "is escaped for a CI runner if the environment indicates one: %o",
    (env) => {
      const { io, written } = testIo(env);
      printText(io, "::error::x\n");
      expect(written().stdout.startsWith("::")).toBe(!Object.values(env).some((value) => value !== "false"));
    },
  );
});

describe("printed data", () => {
  it("is JSON that printing leaves unchanged, with the same value", () => {
    const value = { [hostile]: [hostile, { x: "##[a" }] };
    for (const indent of [0, 2]) {
      const text = formatJson(value, indent);
      expect(makePrintable(text, ci)).toBe(text);
      expect(JSON.parse(text)).toEqual(value);
    }
    expect(JSON.parse(escapeJson(JSON.stringify(value)))).toEqual(value);
  });

  it("is YAML that printing leaves unchanged, with the same value", () => {
    const texts = [
      `name: "${JSON.stringify(hostile).slice(1, -1)}"\nrest: 1\n`,
      `plain: a\u202Eb # c\nblock: |\n  one\n  ::error::x\n  ##[group]y\nfolded: >-\n  a\u200bb\n  c\nlast: 1\n`,
      `? "k\u202Ey"\n: v\nlist:\n  - 'it''s \u{E0041}'\n  - {a: "\u009b", ::b: c}\n`,
    ];
    for (const text of texts) {
      const now = makeYamlPrintable(text, true);
      expect(makePrintable(now, ci)).toBe(now);
      expect(parse(now)).toEqual(parse(text));
    }
    const good = "# it's fine\na: |\n  ::error::\n";
    expect(makeYamlPrintable(good, false)).toBe(good);
  });

  it("is markup on one line", () => {
    expect(escapeMarkup('<a>\n::error::"\r\u202E\u001b\t')).toBe(
      "&lt;a&gt;&#10;::error::&quot;&#13;\\u202e\\u001b\t",
    );
  });

  it("is exactly one GitHub annotation", () => {
    const place = { file: "a\n::error::b,c:d.yaml", line: 1, column: 2 };
    const problem = { code: "x", severity: "error" as const, message: `100% ${hostile}`, place };
    const report = { file: "f", problems: [problem], rules: {}, textOf: () => undefined };
    const { io, written } = testIo({ GITHUB_ACTIONS: "true" });
    printCommands(io, formatDiagnosticsGithub(report, { folder: "/" }));
    expect(written().stdout).toMatch(
      /^::error file=[^:\n]*,line=1,col=2,title=x::100%25 a[^\n]*%0A: ?:error[^\n]*\n$/,
    );
    expect(written().stdout).not.toMatch(/##\w*\[|[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});
