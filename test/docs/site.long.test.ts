/** Tests the site of the documentation in a browser. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listViolations } from "../axe.js";
import { chromiumPath as executablePath } from "../browser.js";
import { temporaryFolder } from "../cli/support.js";
import { buildSite, openPage } from "./built-site.js";

const withBrowser = executablePath === undefined ? describe.skip : describe;
const title = "the site" + (executablePath === undefined ? " (skipped: no Chromium is installed)" : "");
const folder = temporaryFolder();
const site = join(folder, "site");

withBrowser(title, () => {
  let browser: Browser;
  beforeAll(async () => {
    await buildSite(site);
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
  }, 600_000);
  afterAll(() => browser?.close());

  it("shows Mermaid code as a picture, in both themes", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, errors } = await openPage(browser, site, "architecture", { colorScheme });
      const box = page.locator("svg .node").filter({ hasText: "workspace-file/" });
      await soon(() => box.count()).toBe(1);
      expect(errors).toEqual([]);
    }
  });

  it("finds the steps of a task first", async () => {
    const { page } = await openPage(browser, site, "");
    for (const [words, heading] of Object.entries(found)) {
      await page.locator("#local-search button").first().click();
      await page.getByRole("searchbox").fill(words);
      const first = page.locator("#localsearch-list a").first();
      await soon(() => first.getAttribute("href")).toMatch(new RegExp(`/tasks(\\.html)?#${heading}$`));
      await page.keyboard.press("Escape");
    }
  });

  it("begins with the two commands and what they show", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, errors } = await openPage(browser, site, "", { colorScheme });
      expect(await page.locator(".VPHome pre").innerText()).toBe("npm run demo\nnpm test");
      const pictures = await page.locator(".terminal img:visible").all();
      const themes = await Promise.all(pictures.map((picture) => picture.getAttribute("class")));
      const theme = `on-${colorScheme}`;
      expect(themes).toEqual([theme, theme]);
      expect(errors).toEqual([]);
    }
  });

  it("has only pages that everybody can read", async () => {
    const files = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((one) =>
      one.endsWith(".html"),
    );
    expect(files.length).toBeGreaterThan(50);
    // Each page in one of the two: both show all kinds of contents.
    const windows = [
      { colorScheme: "light", viewport: { width: 1440, height: 900 } },
      { colorScheme: "dark", viewport: { width: 390, height: 900 } },
    ] as const;
    const found = await Promise.all(
      windows.map(async (window, turn) => {
        const { page } = await openPage(browser, site, "", window);
        const problems: string[] = [];
        for (const file of files.toSorted().filter((_, index) => index % windows.length === turn)) {
          await page.goto(`http://site.test/${file}`);
          problems.push(...(await listViolations(page)).map((one) => `${file}: ${one}`));
        }
        return problems;
      }),
    );
    expect(found.flat()).toEqual([]);
  });
});

/** What readers search for, and the section of the tasks that they find. */
const found = {
  rename: "rename-an-object",
  move: "move-an-object",
  delete: "delete-an-object",
  "stop managing": "stop-managing-an-object",
  "hand over": "hand-an-object-over",
  rotate: "rotate-a-secret",
  restore: "restore-a-state",
};

/** Waits for what a slow machine shows later. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });
