/** Completes the site after its pages are built, and checks its links. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { JSDOM } from "jsdom";
import type { SiteConfig } from "vitepress";
import { draft07Of, inDraft07 } from "../draft-07.mjs";

/** Adds the schemas, the Markdown of the pages and llms.txt, and fails for a broken link or anchor. */
export function finishSite({ outDir, srcDir, pages, site }: SiteConfig): void {
  const root = resolve(srcDir, "..");
  for (const schema of listFilesIn(join(root, "schema")).filter((file) => file.endsWith(".schema.json")))
    cpSync(join(root, "schema", schema), join(outDir, "schema", schema));
  for (const [from, to] of inDraft07) {
    const text = readFileSync(join(root, "schema", from), "utf8");
    writeFileSync(join(outDir, "schema", to), draft07Of(text));
  }
  for (const file of pages) cpSync(join(srcDir, file), join(outDir, file));
  writeFileSync(join(outDir, "llms.txt"), formatLlmsText(srcDir, pages, site.title, site.description));
  const dead = findDeadLinks(outDir, site.base);
  if (dead.length > 0)
    throw new Error(`Links that lead nowhere:\n${dead.map((one) => `  ${one}`).join("\n")}`);
}

/** Returns the list of pages for language models (llmstxt.org). */
export function formatLlmsText(
  folder: string,
  pages: readonly string[],
  title: string,
  summary: string,
): string {
  const lines = pages.toSorted().flatMap((page) => {
    const text = readFileSync(join(folder, page), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
    const heading = /^# (.*)$/m.exec(text)?.[1];
    if (heading === undefined) return [];
    const first = /^# .*\n+(?:<!--[\s\S]*?-->\n+)?(.+(?:\n.+)*)/m.exec(text)?.[1] ?? "";
    return [
      `- [${heading}](/${page}): ${first.replaceAll("\n", " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")}`,
    ];
  });
  return `# ${title}\n\n> ${summary}\n\n## Pages\n\n${lines.join("\n")}\n`;
}

/** Returns the links of the built pages to files or anchors that do not exist. */
export function findDeadLinks(folder: string, base = "/"): string[] {
  const files = new Set(listFilesIn(folder));
  const documents = new Map(
    [...files]
      .filter((file) => file.endsWith(".html"))
      .map((file) => [file, new JSDOM(readFileSync(join(folder, file), "utf8")).window.document] as const),
  );
  return [...documents].flatMap(([file, document]) =>
    [...document.querySelectorAll("a[href]")].flatMap((link) => {
      const href = link.getAttribute("href") ?? "";
      const url = new URL(href, `http://site${base}${file}`);
      if (url.host !== "site") return [];
      const path = decodeURIComponent(url.pathname.slice(base.length)) || "index.html";
      const found = [path, `${path}.html`, join(path, "index.html")].find((name) => files.has(name));
      if (found === undefined) return [`${file}: ${href}`];
      const anchor = decodeURIComponent(url.hash.slice(1));
      const target = documents.get(found);
      if (anchor === "" || target === undefined || target.getElementById(anchor)) return [];
      return [`${file}: ${href}`];
    }),
  );
}

function listFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
