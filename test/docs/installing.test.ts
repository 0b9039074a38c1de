/** No page, example or message leads anybody to install a name that somebody else may have registered. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const find = (...patterns: string[]) => globSync(patterns, { cwd: root, dot: true }).toSorted();
const texts = find("README.md", "docs/**/*.md", "examples/**", "cli/**/*.ts", "sdk/nodejs/**/*.ts");
const jobs = find("examples/**/*.yml", "examples/ci/service/workspace.yaml");

/** An installation by name, as in `npm install pulumi-workspace-automation`; a path before the name is none. */
const byName =
  /(?:(?:npm (?:i|install|add|exec)|yarn add|pnpm add)(?: -[\w-]+)* (?:pulumi-workspace-automation|workspace-automation-emulator|workspacectl)|npx(?: -[\w-]+)* (?:pulumi-workspace-automation|workspacectl@))\b/g;
/** The one place that says not to. */
const warning = "docs/install.md";

describe("a package name that nobody has registered", () => {
  it.each(texts.filter((name) => name !== warning))("is not installed by %s", (name) => {
    expect(read(name).match(byName) ?? []).toEqual([]);
  });

  it("would be noticed", () => {
    expect(read(warning)).toMatch(byName);
    expect("npm install --save-exact pulumi-workspace-automation").toMatch(byName);
    expect("npm install workspacectl").toMatch(byName);
    expect("npm install --save-exact ./vendor/pulumi-workspace-automation-0.1.0.tgz").not.toMatch(byName);
  });

  it("is no dependency by version of any example", () => {
    for (const name of find("examples/**/package.json")) {
      const { dependencies } = JSON.parse(read(name)) as { dependencies: Record<string, string> };
      expect([name, dependencies["pulumi-workspace-automation"]]).toEqual([
        name,
        expect.stringMatching(/^file:/),
      ]);
    }
  });

  it.each(find("README.md", "docs/*.md"))("%s runs npx only after the package is installed", (name) => {
    const text = read(name);
    const first = /^(?:\$ |- run: )?npx workspacectl/m.exec(text)?.index ?? Infinity;
    const installed = text.search(/npm install --save-exact \.\/vendor\//);
    if (first !== Infinity) expect([name, installed >= 0 && installed < first]).toEqual([name, true]);
  });
});

describe("ready files for CI", () => {
  it("there are some", () => {
    expect(jobs.length).toBeGreaterThan(4);
  });

  it.each(jobs)("%s fetches no package by name", (name) => {
    expect(read(name)).not.toMatch(/npx (?!--no-install)/);
  });

  it.each(jobs.filter((name) => name.includes("github/")))("%s pins every action by commit", (name) => {
    const used = [...JSON.stringify(parse(read(name))).matchAll(/"uses":"([^"]*)"/g)].map(
      ([, action]) => action,
    );
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
  });
});
