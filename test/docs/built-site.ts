/** Builds the site of the documentation, and opens its pages in a browser without a server. */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

const root = resolve(import.meta.dirname, "../..");

export async function buildSite(folder: string): Promise<void> {
  const vitepress = dirname(createRequire(import.meta.url).resolve("vitepress/package.json"));
  const command = [join(vitepress, "bin/vitepress.js"), "build", "scripts/site", "--outDir", folder];
  await promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 2 ** 26 });
}

export interface OpenPage {
  readonly page: Page;
  /** Addresses of all requests so far. */
  readonly requests: string[];
  /** What the page reported as an error. */
  readonly errors: string[];
}

/** Opens a page. Each request is responded to from the folder, or with 404. */
export async function openPage(
  browser: Browser,
  folder: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext(options);
  await context.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    const file = [pathname, `${pathname}.html`, `${pathname}index.html`]
      .map((name) => join(folder, name))
      .find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
    return file === undefined ? route.fulfill({ status: 404, body: "" }) : route.fulfill({ path: file });
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (entry) => entry.type() === "error" && errors.push(entry.text()));
  await page.goto(`http://site.test/${path}`);
  return { page, requests, errors };
}
