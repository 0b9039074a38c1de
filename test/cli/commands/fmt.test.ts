/** Tests `fmt`. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Person } from "../service-support.js";
import { fileIn, run, temporaryFolder } from "../support.js";

const untidy = "# mine\nworkspace: acme # the shop\nversion: 1\n";
const tidy = "version: 1\n# mine\nworkspace: acme # the shop\n";

describe("fmt", () => {
  it("rewrites files that are not formatted, and prints their names", async () => {
    const folder = temporaryFolder();
    const [one, two] = [fileIn(folder, "one.yaml", untidy), fileIn(folder, "two.yaml", tidy)];
    const { code, stdout, stderr } = await run(["fmt", one, two]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${one}\n`,
      stderr: "1 file formatted, 1 unchanged\n",
    });
    expect(readFileSync(one, "utf8")).toBe(tidy);
    expect((await run(["fmt", one, two])).stdout).toBe("");
  });

  it("preserves the mode of a file, and a symbolic link to it", async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, "real.yaml", untidy);
    chmodSync(file, 0o640);
    symlinkSync(file, join(folder, "link.yaml"));
    expect((await run(["fmt", join(folder, "link.yaml")])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(tidy);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("640");
    expect(lstatSync(join(folder, "link.yaml")).isSymbolicLink()).toBe(true);
  });

  it("formats the files of a folder with overlays, but no Pulumi files, hidden files or subfolders", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "below"));
    const names = [
      "a.yaml",
      "workspace.eu.yml",
      "Pulumi.yaml",
      "Pulumi.dev.yaml",
      ".hidden.yaml",
      "notes.md",
      "below/b.yaml",
    ];
    for (const name of names) fileIn(folder, name, untidy);
    const { stdout } = await run(["fmt", folder]);
    expect(stdout).toBe(`${join(folder, "a.yaml")}\n${join(folder, "workspace.eu.yml")}\n`);
  });

  it("with --check changes nothing, and fails if a file is not formatted", async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder, "workspace.yaml", untidy);
    const before = await run(["fmt", "--check", file]);
    expect(before).toEqual({ code: 1, stdout: `${file}\n`, stderr: "1 file to be formatted, 0 unchanged\n" });
    expect(readFileSync(file, "utf8")).toBe(untidy);
    await run(["fmt", file]);
    expect((await run(["fmt", "--check", file])).code).toBe(0);
  });

  it("with --diff shows the changes without writing them", async () => {
    const file = fileIn(temporaryFolder(), "workspace.yaml", untidy);
    const { code, stdout } = await run(["fmt", "--diff", file]);
    expect(code).toBe(0);
    expect(stdout).toContain("\n-version: 1\n");
    expect(stdout).toContain("\n+version: 1\n");
    expect(readFileSync(file, "utf8")).toBe(untidy);
    expect((await run(["fmt", "--diff", "--check", file])).code).toBe(1);
  });

  it("with --diff shows no secrets of the file", async () => {
    const text =
      "variables:\n  DEPLOY_TOKEN:   words-in-clear\n  KEY: { encrypted: true,   value: words-in-clear }\n";
    const file = fileIn(temporaryFolder(), "workspace.yaml", `version: 1\n${text}`);
    const { stdout } = await run(["fmt", "--diff", file]);
    expect(stdout).not.toContain("in-clear");
    expect(stdout).toContain("\n-  DEPLOY_TOKEN:   **************\n");
    expect(stdout).toContain("\n+  DEPLOY_TOKEN: **************\n");
  });

  it("formats standard input", async () => {
    const ann = new Person();
    expect(await ann.types(["fmt", "-"], { input: untidy })).toEqual({ code: 0, stdout: tidy, stderr: "" });
    expect((await ann.types(["fmt", "-", "--check"], { input: untidy })).code).toBe(1);
    const both = await ann.types(["fmt", "-", "workspace.yaml"], { input: untidy });
    expect(both.stderr).toContain("standard input (-) and files cannot be formatted in one run");
  });

  it("leaves an invalid file unchanged, reports its errors, and formats the other files", async () => {
    const folder = temporaryFolder();
    const broken = fileIn(folder, "broken.yaml", "version: 1\nprojects: { web: [ }\n");
    const other = fileIn(folder, "other.yaml", untidy);
    const { code, stdout, stderr } = await run(["fmt", broken, other, join(folder, "none.yaml")]);
    expect(code).toBe(1);
    expect(stdout).toBe(`${other}\n`);
    expect(stderr).toMatch(/broken\.yaml:2:\d+: .+\n +2 \| projects: \{ web: \[ \}\n/);
    expect(stderr).toContain("none.yaml: there is no such file");
    expect(readFileSync(broken, "utf8")).toContain("[ }");
  });

  it("reports a remedy if there is no file", async () => {
    const { code, stderr } = await run(["fmt", temporaryFolder()]);
    expect(code).toBe(1);
    expect(stderr).toContain("pass the paths of the files to format");
  });
});
