import { existsSync, readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";

const ROOMS = "cli|client|diff|emulator|provider|schema|sdk|workspace-file|test|scripts";
const PATH = new RegExp(String.raw`\x60((?:${ROOMS})/[\w./-]+)\x60`, "g");

it("every file named in the documentation exists", () => {
  const missing = globSync(["docs/**/*.md", "README.md", "CONTRIBUTING.md"]).flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(PATH)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(path))
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});
