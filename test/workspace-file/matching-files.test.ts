/** Tests patterns of files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ReadableFolders } from "../../trust/checkout-files.js";
import { TrustError } from "../../trust/errors.js";
import { findMatchingFiles } from "../../workspace-file/load/matching-files.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "matching-")));
  for (const path of [
    "ws/a.yaml",
    "ws/b.yml",
    "ws/teams/x/team.yaml",
    "ws/teams/y/team.yaml",
    "ws/teams/y/deep/team.yaml",
    "ws/.hidden/team.yaml",
    "ws/.c.yaml",
    "other/o.yaml",
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const find = (pattern: string, allowed: readonly string[] = []) => {
  const ws = join(folder, "ws");
  return findMatchingFiles(
    pattern,
    ws,
    new ReadableFolders(
      [ws],
      allowed.map((one) => join(folder, one)),
    ),
  );
};

it.each([
  ["*.yaml", ["a.yaml"]],
  ["*.{yaml,yml}", ["a.yaml", "b.yml"]],
  ["./teams/*/team.yaml", ["teams/x/team.yaml", "teams/y/team.yaml"]],
  ["teams/**/*.yaml", ["teams/x/team.yaml", "teams/y/deep/team.yaml", "teams/y/team.yaml"]],
  ["{a,teams/x/team}.yaml", ["a.yaml", "teams/x/team.yaml"]],
  ["[ab].y*", ["a.yaml", "b.yml"]],
  ["nothing/*.yaml", []],
  ["a.yaml/*", []],
  ["none.yaml", []],
  ["!a.yaml", []],
])("%s finds %j", (pattern, expected) => {
  expect(find(pattern)).toEqual(expected.toSorted());
});

it("finds files and folders that are links, also with a loop", () => {
  symlinkSync("a.yaml", join(folder, "ws/link.yaml"));
  symlinkSync("x", join(folder, "ws/teams/z"));
  symlinkSync("..", join(folder, "ws/teams/loop"));
  expect(find("*.yaml")).toEqual(["a.yaml", "link.yaml"]);
  expect(find("teams/*/team.yaml")).toEqual(["teams/x/team.yaml", "teams/y/team.yaml", "teams/z/team.yaml"]);
  expect(find("teams/**/team.yaml")).toHaveLength(4);
});

it("finds files in an allowed folder", () => {
  expect(find("../other/*.yaml", ["other"])).toEqual(["../other/o.yaml"]);
});

it.each(["../other/*.yaml", "/etc/*", "{a,../other/o}.yaml", "*/../../other/*.yaml", "../**/*.yaml"])(
  "%s leads out of the folder",
  (pattern) => {
    expect(() => find(pattern)).toThrow(TrustError);
  },
);

it("does not search a folder that is a link out of the folder", () => {
  symlinkSync("../../other", join(folder, "ws/teams/out"));
  symlinkSync("/", join(folder, "ws/teams/root"));
  expect(() => find("teams/*/*.yaml")).toThrow(/teams\/out is not read, because its path is .*, outside/);
  expect(() => find("**/*.yaml")).toThrow(TrustError);
  expect(find("*.yaml")).toEqual(["a.yaml"]);
  // Nothing that the pattern cannot reach is looked at, and nothing hidden.
  symlinkSync("../other", join(folder, "ws/out"));
  expect(find("*.yaml")).toEqual(["a.yaml"]);
  rmSync(join(folder, "ws/out"));
  symlinkSync("../other", join(folder, "ws/.out"));
  expect(find("*/*.yaml")).toEqual([]);
});

it("finds files that are only in memory, and links that lead nowhere", () => {
  symlinkSync("nowhere", join(folder, "ws/broken.yaml"));
  const ws = join(folder, "ws");
  const others = ["ws/a.yaml", "ws/c.yaml", "ws/teams/c.yaml"].map((name) => join(folder, name));
  expect(findMatchingFiles("*.yaml", ws, new ReadableFolders([ws]), others)).toEqual([
    "a.yaml",
    "broken.yaml",
    "c.yaml",
  ]);
});
