/** Checks the links between pages, to files of the repository and to anchors, as a Git host shows them. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import GithubSlugger from "github-slugger";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: root,
  ignore: ["**/node_modules/**"],
});
const read = (file: string) => readFileSync(join(root, file), "utf8");
const withoutCode = (text: string) =>
  text.replace(/^( *)```[\s\S]*?^\1```$/gm, "").replace(/`[^`\n]*`/g, "code");

it.each(pages.filter((page) => page !== "docs/_index.md"))(
  "%s has only links that lead somewhere",
  (page) => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)|(?:srcset|src|href)="([^"]+)"/g)];
    const dead = links
      .map(([, inline, html]) => inline ?? html ?? "")
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link));
    expect(dead).toEqual([]);
  },
);

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? page : relative(root, resolve(root, dirname(page), path));
  if (!existsSync(join(root, file))) return false;
  if (anchor === undefined || statSync(join(root, file)).isDirectory()) return true;
  return anchorsOf(file).has(anchor);
}

function anchorsOf(file: string): Set<string> {
  const slugger = new GithubSlugger();
  const text = read(file).replace(/^( *)```[\s\S]*?^\1```$/gm, "");
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => heading);
  const plain = (heading: string) => heading.replace(/[`*]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return new Set(headings.map((heading) => slugger.slug(plain(heading))));
}
