/** Tests implicit dependencies between the branches and files of a project. */
import { expect, it } from "vitest";
import { readDeclarations } from "../../workspace-file/load/load.js";
import { fileIn, temporaryFolder } from "../cli/support.js";

const folder = temporaryFolder();

/** Returns the logical names below `projects/` in declaration order. */
function order(projects: string): string[] {
  const file = fileIn(folder, "workspace.yaml", `version: 1\nworkspace: acme\nprojects:\n${projects}`);
  const names = readDeclarations(file).declarations.map(({ name }) => name);
  return names
    .filter((name) => /\/(branches|files)\//.test(name))
    .map((name) => name.slice("projects/".length));
}

it("a branch depends on the files of its project", () => {
  const web = `  web: { branches: { develop: null }, files: { a: "1" } }\n`;
  const api = `  api: { branches: { develop: null }, files: { b: { content: "1", branch: main } } }\n`;
  expect(order(web + api)).toEqual([
    "web/files/a",
    "web/branches/develop",
    "api/files/b",
    "api/branches/develop",
  ]);
});

it("a file on a declared branch depends on it, while a branch does not depend on files of declared branches", () => {
  const files = `{ a: { content: "1", branch: develop }, b: { content: "1", branch: next }, c: "1" }`;
  const names = order(`  web: { files: ${files}, branches: { next: null, develop: { revision: next } } }\n`);
  const at = (name: string) => names.indexOf(`web/${name}`);
  expect(names).toHaveLength(5);
  expect(at("files/c")).toBeLessThan(at("branches/next"));
  expect(at("branches/next")).toBeLessThan(at("files/b"));
  expect(at("files/b")).toBeLessThan(at("branches/develop"));
  expect(at("branches/develop")).toBeLessThan(at("files/a"));
});

it("an explicit reference takes precedence, so that there is no cycle", () => {
  const linked = `{ a: "\${ref:projects/web/branches/develop.htmlUrl}" }`;
  expect(order(`  web: { branches: { develop: null }, files: ${linked} }\n`)).toEqual([
    "web/branches/develop",
    "web/files/a",
  ]);
  const twins = `{ one: { revision: two }, two: { revision: one } }`;
  expect(order(`  web: { branches: ${twins} }\n`)).toHaveLength(2);
});
