/** Tests trust/checkout.ts. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCheckoutRoot, isInside } from "../../trust/checkout.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "checkout-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds the root of a checkout from a folder in it", () => {
  mkdirSync(join(folder, "repository", ".git"), { recursive: true });
  mkdirSync(join(folder, "repository", "teams", "shop"), { recursive: true });
  expect(findCheckoutRoot(join(folder, "repository", "teams", "shop"))).toBe(join(folder, "repository"));
});

it("takes a folder without version control for a checkout of its own", () => {
  expect(findCheckoutRoot(folder)).toBe(folder);
});

it("finds the root of a worktree, whose .git is a file", () => {
  writeFileSync(join(folder, ".git"), "gitdir: elsewhere\n");
  mkdirSync(join(folder, "a"));
  expect(findCheckoutRoot(join(folder, "a"))).toBe(folder);
});

it.each([
  ["a file in the folder", "inside/file", true],
  ["the folder itself", "inside", true],
  ["a name that begins with two dots", "inside/..file", true],
  ["a file that does not exist yet", "inside/new/file", true],
  ["a file next to the folder", "outside", false],
  ["a folder whose name begins like it", "inside2", false],
  ["a link that leads out", "inside/link", false],
  ["a new file under a link that leads out", "inside/link/new", false],
])("%s", (_title, path, expected) => {
  mkdirSync(join(folder, "inside"));
  mkdirSync(join(folder, "outside"));
  symlinkSync(join(folder, "outside"), join(folder, "inside", "link"));
  expect(isInside(join(folder, "inside"), join(folder, path))).toBe(expected);
});
