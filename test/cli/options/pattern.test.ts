/** Tests patterns from files and flags: none may take unbounded time to match. */
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { buildScope } from "../../../automation/export/scope.js";
import { applySuppressions } from "../../../automation/report/suppressions.js";
import { findCostlyPattern } from "../../../workspace-file/index.js";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const hanging = `${"*a".repeat(40)}b`;
const quick = (work: () => void): void => {
  const began = performance.now();
  work();
  expect(performance.now() - began).toBeLessThan(3000);
};

describe("a pattern", () => {
  it("of a suppression matches in one pass, whatever it contains", () => {
    const place = { file: "drift-ignore.yaml", line: 1, column: 1 };
    const findings = ["groups/QA", "a".repeat(2000)].map((name) => ({
      class: "changed",
      name,
      path: "x[0]",
    }));
    const entry = (object: string, path?: string) => ({
      object,
      reason: "r",
      place,
      ...(path ? { path } : {}),
    });
    const apply = (...entries: ReturnType<typeof entry>[]) =>
      applySuppressions(findings, entries, ["changed"], { today: "2026-01-01", complete: true });
    quick(() => expect(apply(entry(hanging), entry(`**${hanging}`)).findings).toHaveLength(2));
    // Names may contain characters that are special in other pattern languages.
    expect(apply(entry("groups/*", "x[*]")).ignored).toHaveLength(1);
    expect(apply(entry("groups/Q?")).ignored).toHaveLength(0);
  });

  it.each([
    [hanging, "more than 3 stars in one part"],
    [`+(a|${"b".repeat(9)})`, "an extended pattern"],
    ["{a,b}{a,b}{a,b}{a,b}", "more than 3 choices"],
    ["**/a/**/b/**/c/**", "** more than 3 times"],
    ["a".repeat(300), "more than 256 characters"],
  ])("of files is rejected if matching could take unbounded time: %s", async (pattern, why) => {
    expect(findCostlyPattern(pattern)).toContain(why);
    const file = fileIn(folder, "workspace.yaml", `version: 1\ninclude: ${JSON.stringify(pattern)}\n`);
    const { code, stderr } = await run(["validate", "-f", file]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/workspace\.yaml:2:10: /);
    expect(stderr).toContain(why);
    expect(stderr).toContain("use several patterns");
  });

  it("of names may contain many stars, but is rejected if matching could take unbounded time", () => {
    const named = (name: string, key: string) =>
      buildScope({ name }).includes({ definition: { type: "Group" }, name: `groups/${key}` } as never);
    expect(named("web-*", "web-1~1x")).toBe(true);
    expect([named("web?", "web1"), named("{a,b}*", "bc"), named("QA", "QAX")]).toEqual([true, true, false]);
    quick(() => expect(named(hanging, "a".repeat(3000))).toBe(false));
    expect(() => buildScope({ project: "+(a|b)" })).toThrow('the pattern "+(a|b)" has an extended pattern');
  });

  it.each(["*a*a*", "**/*a*b*/**/*.{yaml,yml}", "web-*", "teams/*/*.yaml"])(
    "of a simple form is accepted: %s",
    (pattern) => {
      expect(findCostlyPattern(pattern)).toBeUndefined();
      // No component of a file path is longer.
      quick(() => picomatch(pattern)(`${"a".repeat(255)}/${"a/".repeat(40)}x`));
    },
  );
});
