/**
 * Tests names and texts of a workspace in the source of a program: readable if possible, and never interpreted as code.
 */
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assignIdentifiers,
  renderComment,
  renderImport,
  renderLiteral,
} from "../../../../automation/export/typescript/literals.js";

const valueOf = (source: string): unknown =>
  JSON.parse(runInNewContext(`JSON.stringify(${source})`) as string);

function names(...wishes: [noun: string, ...keys: string[]][]): string[] {
  const all = wishes.map(([noun, ...keys]) => ({ name: [noun, ...keys].join("/"), noun, keys }));
  const found = assignIdentifiers(all, ["taken"]);
  return all.map(({ name }) => found.get(name) ?? "");
}

describe("a value in the source", () => {
  it("evaluates to the same value, whatever it contains", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "`${a}`",
        "\\`",
        "a\n`${b}\\",
        "\\u0041\n\r\n",
        "\u2028\n\u202e\ufeff",
        "\ud800\n",
        "\"\n'",
        "$\n{",
      ),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("map")),
      list: fc.array(tie("any"), { maxLength: 3 }),
      map: fc.dictionary(fc.oneof(text, fc.constant("__proto__")), tie("any"), { maxKeys: 3 }),
    })).any;
    fc.assert(
      fc.property(value, (given) => {
        const source = renderLiteral(given);
        expect(valueOf(source)).toEqual(JSON.parse(JSON.stringify(given)));
        // Invisible characters must be escaped.
        expect(source.replace(/[\n\t\u200c\u200d]/g, "")).not.toMatch(
          /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}]/u,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("has one part per line if it is too long for a line, at any depth", () => {
    const long = "x".repeat(30);
    expect(renderLiteral({ a: [long, long], b: [long, { c: long, d: [] }], e: "1\n2" })).toBe(
      `{
  a: ["${long}", "${long}"],
  b: [
    "${long}",
    { c: "${long}", d: [] },
  ],
  e: \`1
2\`,
}`,
    );
    expect(renderImport(["Action", "Pipeline"], "pulumi-workspace-automation")).toBe(
      'import { Action, Pipeline } from "pulumi-workspace-automation";',
    );
    expect(renderImport([long, long], "./a")).toBe(`import {\n  ${long},\n  ${long},\n} from "./a";`);
  });

  it("is a template literal if it has several lines, and a quoted string otherwise", () => {
    expect(renderLiteral("npm ci\nnpm test\n")).toBe("`npm ci\nnpm test\n`");
    expect(renderLiteral("npm ci\n")).toBe('"npm ci\\n"');
    expect(renderLiteral("a\u00a0b\u202e")).toBe('"a\\u00a0b\\u202e"');
    expect(renderLiteral({ ["__proto__"]: 1, "a-b": [true], c: -0 })).toBe(
      '{ ["__proto__"]: 1, "a-b": [true], c: -0 }',
    );
    expect(renderComment("a\nprocess.exit()\u2028b ")).toBe("// a\uFFFDprocess.exit()\uFFFDb");
  });
});

describe("the name of a variable", () => {
  it("is derived from the name of the object", () => {
    expect(
      names(
        ["pipeline", "Build & deploy", "web"],
        ["variable", "NODE_ENV"],
        ["group", "QA"],
        ["project", "gr\u00f6\u00dfe"],
        ["project", "\u6ce8\u6587"],
        ["member", "ann@example.com"],
      ),
    ).toEqual(["buildDeploy", "nodeEnv", "qa", "gr\u00f6\u00dfe", "\u6ce8\u6587", "ann"]);
  });

  it("is extended if it would be ambiguous, empty or a reserved word", () => {
    expect(
      names(
        ["pipeline", "deploy", "web"],
        ["pipeline", "deploy", "api/v2"],
        ["group", "developers"],
        ["permission set", "developers"],
        ["member", "bob@a.com"],
        ["member", "bob@b.com"],
      ),
    ).toEqual([
      "webDeploy",
      "apiV2Deploy",
      "developersGroup",
      "developersPermissionSet",
      "bobACom",
      "bobBCom",
    ]);
    expect(
      names(["action", "1: x"], ["group", "\u{1f680}"], ["group", "class"], ["project", "taken"]),
    ).toEqual([...["action1X", "group", "classGroup", "takenProject"]]);
    expect(names(["action", "a b", "p"], ["action", "a-b", "p"])).toEqual(["pABAction", "pABAction2"]);
  });
});
