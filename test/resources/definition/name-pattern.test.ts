/** Tests the patterns of logical names: what they match, and whether two of them can match the same name. */
import { describe, expect, it } from "vitest";
import { formatCommonText, matchesPattern } from "../../../resources/definition/name-pattern.js";
import { randomOf } from "../../chaos/random.js";

/** Returns the regular expression that is equivalent to a pattern. */
function expressionOf(pattern: string): RegExp {
  const meanings: Record<string, string> = {
    "**/": "(?:.*/)?",
    "/**": "(?:/.*)?",
    "**": ".*",
    "*": "[^/]*",
    "?": "[^/]",
  };
  const parts = pattern.split(/(\*\*\/|\/\*\*|\*\*|\*|\?)/);
  return new RegExp(`^${parts.map((part) => meanings[part] ?? part.replaceAll(".", "\\.")).join("")}$`);
}

describe("a pattern of names", () => {
  it.each([
    ["groups/*", "groups/QA", true],
    ["groups/*", "groups/QA/members/ann@example.com", false],
    ["groups/**", "groups/QA/members/ann@example.com", true],
    ["projects/web/**", "projects/web", true],
    ["projects/web/**", "projects/web-2/pipelines/p", false],
    ["**/variables/*", "variables/REGION", true],
    ["**/variables/*", "projects/web/variables/REGION", true],
    ["groups/Q?", "groups/QA", true],
    ["groups/Q.A", "groups/QxA", false],
  ])("%s and %s: %s", (pattern, name, matches) => {
    expect(matchesPattern(pattern, name)).toBe(matches);
  });

  it("matches as the equivalent regular expression does", () => {
    const random = randomOf(7);
    const text = (signs: string, most: number) =>
      Array.from({ length: random.below(most) }, () => random.pick([...signs])).join("");
    for (let round = 0; round < 3000; round++) {
      const [pattern, name] = [text("ab/**?.", 7), text("ab/.", 8)];
      expect([pattern, name, matchesPattern(pattern, name)]).toEqual([
        pattern,
        name,
        expressionOf(pattern).test(name),
      ]);
    }
  });

  it("takes no longer for many stars", () => {
    // A regular expression would take years.
    for (const many of ["*a", "**a", "**/a", "?*"])
      expect(matchesPattern(`${many.repeat(40)}x`, `${"a".repeat(300)}/${"a/".repeat(50)}`)).toBe(false);
  });

  it("matches words of the language literally", () => {
    expect(matchesPattern("**/constructor", "groups/constructor")).toBe(true);
    expect(matchesPattern("**/constructor", "groups/QA")).toBe(false);
  });
});

describe("two patterns", () => {
  const both = (one: string, other: string) => formatCommonText([one, other]);

  it("of different parts match no common name", () => {
    expect(both("projects/web/**", "projects/api/**")).toBeUndefined();
    expect(both("projects/web/**", "projects/web-shop/**")).toBeUndefined();
    expect(both("groups/*", "groups/QA/members/*")).toBeUndefined();
    expect(both("projects/web-*/**", "projects/?/**")).toBeUndefined();
    expect(both("*/QA", "*/*/*")).toBeUndefined();
  });

  it("that overlap have a shortest common name", () => {
    expect(both("projects/web*", "projects/*api")).toBe("projects/webapi");
    expect(both("projects/web/**", "projects/*/members/*")).toBe("projects/web/members/");
    expect(both("projects/web/**", "**/members/**")).toBe("projects/web/members");
    expect(both("projects/web/**", "projects/web")).toBe("projects/web");
    expect(both("groups/Q?", "groups/?A")).toBe("groups/QA");
    expect(both("**", "groups/QA")).toBe("groups/QA");
    expect(formatCommonText(["projects/**", "**/members/**", "projects/?*/members/?*"])).toBe(
      "projects/x/members/x",
    );
  });

  it("have one exactly where a name exists that both match", () => {
    const parts = ["a", "b", "/", "*", "**", "?", "**/", "/**", "a/b"];
    let state = 7;
    const pick = (count: number) => (state = (state * 16807) % 2147483647) % count;
    const some = (from: readonly string[], most: number) =>
      Array.from({ length: 1 + pick(most) }, () => from[pick(from.length)]).join("");
    const names = Array.from({ length: 300 }, () => some(["a", "b", "/", "x"], 6));
    for (let round = 0; round < 400; round++) {
      const patterns = [some(parts, 5), some(parts, 5)];
      const common = formatCommonText(patterns);
      const matchesAll = (name: string) => patterns.every((pattern) => matchesPattern(pattern, name));
      if (common === undefined)
        expect({ patterns, name: names.find(matchesAll) }).toEqual({ patterns, name: undefined });
      else expect({ patterns, common, fits: matchesAll(common) }).toEqual({ patterns, common, fits: true });
    }
  });

  it("are followed together in short time, however many wildcards they have", () => {
    const began = performance.now();
    expect(both(`${"*a".repeat(60)}b`, `${"a*".repeat(60)}c`)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(3000);
  });
});
