/** Tests what completes the web site of the documentation. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { findDeadLinks, formatLlmsText } from "../../scripts/site/finish.js";
import { boostDocument } from "../../scripts/site/search.js";

const docs = resolve(import.meta.dirname, "../../docs");

it("a link to a missing page or anchor is found", () => {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  mkdirSync(join(folder, "guides"));
  writeFileSync(
    join(folder, "index.html"),
    '<a href="/guides/one">1</a><a href="/guides/one#no">2</a><a href="/two">3</a>',
  );
  writeFileSync(join(folder, "guides/one.html"), '<h2 id="yes"></h2><a href="#yes">4</a><a href="../">5</a>');
  expect(findDeadLinks(folder)).toEqual(["index.html: /guides/one#no", "index.html: /two"]);
});

it("llms.txt lists the pages with their first sentence", () => {
  const text = formatLlmsText(docs, ["reference/errors.md", "editors.md"], "Title", "Summary.");
  expect(text).toMatch(/^# Title\n\n> Summary\.\n\n## Pages\n\n- \[/);
  expect(text).toContain(
    "- [Error codes](/reference/errors.md): Every error has a code, a cause and a remedy.",
  );
  expect(text).toContain(
    "- [Workspace files in an editor](/editors.md): Editors complete, explain and validate workspace files",
  );
});

it("every page is in the sidebar", () => {
  const config = readFileSync(join(docs, "../scripts/site/.vitepress/config.ts"), "utf8");
  // The pages of resource types are listed from their definitions, those of commands from their index.
  const ignore = ["index.md", "_index.md", "reference/resources/*.md", "reference/commands/*.md"];
  const pages = globSync("**/*.md", { cwd: docs, ignore }).map((page) => page.replace(/\.md$/, ""));
  expect(pages.filter((page) => !config.includes(`"${page}")`))).toEqual([]);
});

it("the search ranks tasks before guides, guides before the reference, and how it works last", () => {
  const weights = [
    "/tasks#a",
    "/guides/secrets.html#b",
    "/reference/resources/group.html#c",
    "/architecture#d",
  ].map((id) => boostDocument(id));
  expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  expect(new Set(weights).size).toBe(4);
  expect(boostDocument("/base/tasks.html#a")).toBe(boostDocument("/tasks#a"));
});
