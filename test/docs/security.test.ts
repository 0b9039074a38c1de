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

it("names a test that exists in each cell of ways and promises", () => {
  const rows = section("Ways and promises")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const tests = [...row.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = ""]) => path);
    expect(tests.length, row).toBeGreaterThan(0);
    expect(tests.filter((path) => !existsSync(join(import.meta.dirname, "../..", path)))).toEqual([]);
  }
});
