/** Holds docs/security.md to the code: its tables name what is read, and the tests that exist. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT_KEYS, STACK_KEYS } from "../../trust/project.js";

const page = readFileSync("docs/security.md", "utf8");
const section = (title: string) =>
  new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## )`, "m").exec(page)?.[1] ?? "";

it.each([
  ["Pulumi.yaml", PROJECT_KEYS],
  ["Pulumi.<stack>.yaml", STACK_KEYS],
])("lists each key that is read from %s, and no other", (file, keys) => {
  const rows =
    section("What is read from each file").match(new RegExp(`^\\| \`${file}\` \\|.*$`, "gm")) ?? [];
  const named = rows.flatMap((row) =>
    [...(row.split("|")[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, key]) => key),
  );
  expect(named.toSorted()).toEqual(Object.keys(keys).toSorted());
});

it("names a test that exists in each cell of ways and promises, or why there is none", () => {
  const rows = section("Ways and promises")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const [way = "", ...cells] = row.slice(2, -2).split(" | ");
    expect([way, cells.length]).toEqual([way, 3]);
    expect(row, way).toContain("](../test/");
    for (const cell of cells) {
      const tests = [...cell.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = ""]) => path);
      if (tests.length === 0) expect(cell, way).toMatch(/^none: \w+ \w+/);
      expect(tests.filter((path) => !existsSync(join(import.meta.dirname, "../..", path)))).toEqual([]);
    }
  }
});
