/** Checks that each file that the documentation names exists. */
import { existsSync, readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { inDraft07 } from "../../scripts/draft-07.mjs";
import { listRooms } from "./rooms.js";

const ROOMS = [...listRooms(), "test", "scripts"].join("|");
const PATH = new RegExp(String.raw`\x60((?:${ROOMS})/[\w./-]+)\x60`, "g");

/** Files of the package that only the build makes. */
const built = inDraft07.map(([, to]) => `schema/${to}`);

it("every file named in the documentation exists", () => {
  const missing = globSync(["docs/**/*.md", "README.md", "CONTRIBUTING.md"]).flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(PATH)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(path) && !built.includes(path))
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});
