/** Tests the page of a plan in a real browser. */
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatHtmlReport } from "../../../../reports/html/html-report.js";
import { chromiumPath } from "../../../browser.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { refused, viewOf } from "./support.js";

const text = formatHtmlReport(viewOf(refused, { result: "refused" }));
const address = pathToFileURL(fileIn(temporaryFolder(), "plan.html", text)).href;

describe.skipIf(chromiumPath === undefined)("the page of a plan", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  it.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)("shows what is refused, and fits a window of %i px, %s", async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => problems.push(message.text()));
    await page.goto(address);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await page.textContent("h1")).toContain("Refused");
    expect(await page.textContent("details.more.guards")).toContain("To allow it: --max-deletes 14");
    const sides = page.locator(".finding:has-text('Hobby club') .side");
    expect(await sides.nth(0).getAttribute("class")).toBe("side actual");
    expect(await sides.nth(1).getAttribute("class")).toBe("side expected");
    expect(problems).toEqual([]);
    await page.close();
  });
});
