/** Checks that the files and folders that the pages for contributors name exist. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
// The page that adds a type creates its files.
const pages = globSync(["CONTRIBUTING.md", "docs/architecture.md", "docs/contributing/*.md"], {
  ignore: ["docs/contributing/adding-a-resource.md"],
});

it.each(pages)("%s names only files that exist", (page) => {
  const named = [
    ...readFileSync(page, "utf8").matchAll(/`([\w-]+(?:\/[\w.-]+)+\.(?:ts|mjs|cjs|txt|json))`/g),
  ];
  const missing = named.flatMap(([, path = ""]) =>
    files.some((file) => `/${file}`.endsWith(`/${path}`)) ? [] : [path],
  );
  expect(missing).toEqual([]);
});
