/**
 * Checks that no page, example or message suggests installing a package name that someone else may have
 * registered.
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const find = (...patterns: string[]) => globSync(patterns, { cwd: root, dot: true }).toSorted();
const texts = find(
  "README.md",
  "docs/**/*.md",
  "examples/**",
  "{automation,cli,reports,toolchain,sdk/nodejs}/**/*.ts",
);
const jobs = find("examples/**/*.yml", "examples/ci/service/workspace.yaml");

/** Matches an installation by name, as in `npm install pulumi-workspace-automation`, but not by path. */
const byName =
  /(?:(?:npm (?:i|install|add|exec)|yarn add|pnpm add)(?: -[\w-]+)* (?:pulumi-workspace-automation|workspace-automation-emulator|workspacectl)|npx(?: -[\w-]+)* (?:pulumi-workspace-automation|workspacectl@))\b/g;
/** Names the only page that contains such a command, as a warning. */
const warning = "docs/install.md";

describe("an unregistered package name", () => {
  it.each(texts.filter((name) => name !== warning))("is not installed by %s", (name) => {
    expect(read(name).match(byName) ?? []).toEqual([]);
  });

  it("is detected", () => {
    expect(read(warning)).toMatch(byName);
    expect("npm install --save-exact pulumi-workspace-automation").toMatch(byName);
    expect("npm install workspacectl").toMatch(byName);
    expect("npm install --save-exact ./vendor/pulumi-workspace-automation-0.1.0.tgz").not.toMatch(byName);
  });

  it.each(texts)("is not fetched by npx where %s runs the command", (name) => {
    const ran = read(name).match(/^.*npx (?!--no-install)(?:-[\w-]+ )*workspacectl.*$/gm) ?? [];
    expect(ran).toEqual(name === warning ? [expect.stringContaining("would fetch")] : []);
  });

  it.each(find("examples/**/package.json"))("is not a dependency of %s", (name) => {
    const { dependencies, devDependencies } = JSON.parse(read(name)) as Record<string, object>;
    const all = Object.entries({ ...dependencies, ...devDependencies });
    const ours = all.filter(([one]) => /workspace-automation|workspacectl/.test(one));
    expect(ours.map(([one]) => one)).toContain("pulumi-workspace-automation");
    expect(ours.filter(([, from]) => !/^file:/.test(String(from)))).toEqual([]);
    // npm requests from its registry what an example runs without depending on it, and what that depends on.
    const pages = find(`${dirname(name)}/**/README.md`)
      .map(read)
      .join("");
    if (pages.includes("npx --no-install workspacectl"))
      expect(ours.map(([one]) => one)).toEqual(
        expect.arrayContaining(["workspace-automation-emulator", "workspacectl"]),
      );
  });

  it.each(find("README.md", "docs/*.md"))(
    "%s uses npx only after the installation of the package",
    (name) => {
      const text = read(name);
      const first = /^(?:\$ |- run: )?npx --no-install workspacectl/m.exec(text)?.index ?? Infinity;
      const installed = text.search(/npm install --save-exact \.\/vendor\//);
      if (first !== Infinity) expect([name, installed >= 0 && installed < first]).toEqual([name, true]);
    },
  );
});

describe("files for CI", () => {
  it("exist", () => {
    expect(jobs.length).toBeGreaterThan(4);
  });

  it.each(jobs)("%s fetches no package by name", (name) => {
    expect(read(name)).not.toMatch(/npx (?!--no-install)/);
  });

  const ofGitHub = jobs.filter((name) => /(^|\/)github\//.test(name) && !name.endsWith("/dependabot.yml"));
  it.each(ofGitHub)("%s pins every action by commit", (name) => {
    const used = [...JSON.stringify(parse(read(name))).matchAll(/"uses":"([^"]*)"/g)].map(
      ([, action]) => action,
    );
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$|^\.\/trusted\//);
  });
});
