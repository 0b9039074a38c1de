/** Tests trust/output-files.ts. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TrustError } from "../../trust/errors.js";
import { makeFolder, makePrivateFolder, removeFile, writeFile, writeOnce } from "../../trust/output-files.js";
import { writeIn } from "./folder-of-files.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "output-")));
  put("checkout/.git/hooks/sample", "");
  put("checkout/reports/old.md", "old");
  put("victim/x.md", "mine");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { at, put, link } = writeIn(() => folder);
const read = (path: string) => readFileSync(at(path), "utf8");
const modeOf = (path: string) => statSync(at(path)).mode & 0o777;

describe("a file that is written", () => {
  it("is new, or replaces one whose permissions it keeps, and nothing else is left", () => {
    writeFile(at("checkout/reports/new.md"), "new");
    execFileSync("chmod", ["640", at("checkout/reports/old.md")]);
    writeFile(at("checkout/reports/old.md"), "new");
    expect([read("checkout/reports/new.md"), read("checkout/reports/old.md")]).toEqual(["new", "new"]);
    expect(modeOf("checkout/reports/old.md")).toBe(0o640);
    expect(readdirSync(at("checkout/reports"))).toEqual(["new.md", "old.md"]);
  });

  it("has the permissions that are asked for", () => {
    writeFile(at("checkout/reports/old.md"), "new", { mode: 0o600 });
    expect(modeOf("checkout/reports/old.md")).toBe(0o600);
  });

  it.each([
    ["the file is a link that leads out", () => link("checkout/x.md", at("victim/x.md")), "checkout/x.md"],
    [
      "the file is a link to a new file outside",
      () => link("checkout/x.md", at("victim/new.md")),
      "checkout/x.md",
    ],
    [
      "the file is a link to another file of the checkout",
      () => link("checkout/x.md", "reports/old.md"),
      "checkout/x.md",
    ],
    ["a folder is a link that leads out", () => link("checkout/r", at("victim")), "checkout/r/x.md"],
    ["a folder is a link to a hidden one", () => link("checkout/r", ".git/hooks"), "checkout/r/pre-commit"],
    [
      "a chain of links leads out",
      () => {
        link("checkout/r", "reports/a");
        link("checkout/reports/a", "../../victim");
      },
      "checkout/r/x.md",
    ],
    ["the file is a device", () => link("checkout/x.md", "/dev/null"), "checkout/x.md"],
    ["the file is a pipe", () => execFileSync("mkfifo", [at("checkout/x.md")]), "checkout/x.md"],
    ["the file is a folder", () => undefined, "checkout/reports"],
  ])("is refused when %s", (_title, plant, path) => {
    plant();
    for (const named of [true, false])
      expect(() => writeFile(at(path), "report", { named })).toThrow(TrustError);
    expect(read("victim/x.md")).toBe("mine");
    expect(read("checkout/reports/old.md")).toBe("old");
    expect([readdirSync(at("victim")), readdirSync(at("checkout/.git/hooks"))]).toEqual([
      ["x.md"],
      ["sample"],
    ]);
  });

  it("may be a link, or a device, outside every checkout if the caller names it", () => {
    link("links/x.md", at("victim/x.md"));
    expect(() => writeFile(at("links/x.md"), "report")).toThrow(TrustError);
    writeFile(at("links/x.md"), "report", { named: true });
    expect(lstatSync(at("links/x.md")).isSymbolicLink()).toBe(true);
    expect(read("victim/x.md")).toBe("report");
    writeFile("/dev/null", "report", { named: true });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("fails as the system says in a folder that does not exist", () => {
    expect(() => writeFile(at("checkout/none/x.md"), "")).toThrow(/ENOENT/);
  });
});

it("a file that is written once is unchanged", () => {
  writeOnce(at("checkout/.gitignore"), "*\n");
  writeOnce(at("checkout/.gitignore"), "other");
  expect(read("checkout/.gitignore")).toBe("*\n");
  link("checkout/x", at("victim/new.md"));
  expect(() => writeOnce(at("checkout/x"), "text")).toThrow(TrustError);
  expect(existsSync(at("victim/new.md"))).toBe(false);
});

it("a file is removed, and a link itself, but nothing in a folder outside", () => {
  link("checkout/x.md", at("victim/x.md"));
  link("checkout/r", at("victim"));
  for (const path of ["checkout/x.md", "checkout/reports/old.md", "checkout/none.md"]) removeFile(at(path));
  expect(existsSync(at("checkout/reports/old.md"))).toBe(false);
  expect(() => lstatSync(at("checkout/x.md"))).toThrow(/ENOENT/);
  expect(() => removeFile(at("checkout/r/x.md"))).toThrow(TrustError);
  expect(read("victim/x.md")).toBe("mine");
});

describe("a folder", () => {
  it("is made with its parents, and may exist", () => {
    expect(makeFolder(at("checkout/a/b"))).toBe(at("checkout/a/b"));
    expect(makeFolder(at("checkout/a/b"))).toBe(at("checkout/a/b"));
  });

  it("is not made through a link that leads out", () => {
    link("checkout/r", at("victim"));
    expect(() => makeFolder(at("checkout/r/new"))).toThrow(TrustError);
    expect(() => makeFolder(at("checkout/r"))).toThrow(TrustError);
    expect(readdirSync(at("victim"))).toEqual(["x.md"]);
  });
});

describe("a private folder", () => {
  it("is made, and made private if it exists", () => {
    makePrivateFolder(at("checkout/.state"));
    expect(modeOf("checkout/.state")).toBe(0o700);
    makePrivateFolder(at("checkout/reports"));
    expect(modeOf("checkout/reports")).toBe(0o700);
  });

  it.each([
    ["it is a link that leads out", () => link("checkout/.state", at("victim"))],
    ["it is a link to another folder of the checkout", () => link("checkout/.state", "reports")],
    ["it contains a link", () => link("checkout/.state/.pulumi", at("victim"))],
    ["a folder in it contains a link", () => link("checkout/.state/.pulumi/locks/x", "../../y")],
  ])("is refused when %s", (_title, plant) => {
    plant();
    execFileSync("chmod", ["755", at("victim"), at("checkout/reports")]);
    expect(() => makePrivateFolder(at("checkout/.state"))).toThrow(TrustError);
    expect([modeOf("victim"), modeOf("checkout/reports")]).toEqual([0o755, 0o755]);
  });
});
