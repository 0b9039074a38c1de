/**
 * Tests the page in a real browser: names are not interpreted as HTML, nothing is fetched, and the page fits a phone.
 */
import { pathToFileURL } from "node:url";
import { JSDOM } from "jsdom";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DriftReport } from "../../../../automation/drift/drift-report.js";
import { formatHtmlReport as htmlOf } from "../../../../reports/html/html-report.js";
import { createDriftView } from "../../../../reports/views/drift-view.js";
import { chromiumPath } from "../../../browser.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { finding, reportWith, unread } from "./support.js";

const html = (report: DriftReport) => htmlOf(createDriftView(report));
const attack = `</pre><script>document.title="taken"</script><img src="https://evil.example/x" onerror="document.title='taken'">`;
const long = "x".repeat(400);
const findings = [
  finding({
    id: "one",
    class: "deleted",
    name: "groups/Ops",
    path: "",
    pathParts: [],
    declared: { name: "Ops", description: attack },
  }),
  finding({ id: "two", name: `groups/${attack}`, live: attack, link: "javascript:alert(1)" }),
  finding({ id: "three", live: long, declared: "Testers", applied: "Before" }),
  finding({ id: "four", path: "name", live: "Quality" }),
  finding({
    id: "five",
    class: "added",
    name: `groups/${long}`,
    path: "",
    pathParts: [],
    live: { name: long },
  }),
  finding({ id: "six", class: "unverifiable", path: "cron", live: undefined }),
];
const folder = temporaryFolder();
const text = html({
  ...reportWith({ findings, incomplete: [{ ...unread, reason: attack }] }),
  changedSinceLast: true,
});
const address = pathToFileURL(fileIn(folder, "drift.html", text)).href;

describe("the source of the page", () => {
  it("contains no elements from names or values, and no addresses to fetch", () => {
    const { document } = new JSDOM(text).window;
    expect(document.querySelectorAll("script")).toHaveLength(1);
    expect(
      document.querySelectorAll("img, link, iframe, object, embed, [src], [onerror], [style]"),
    ).toHaveLength(0);
    const links = [...document.querySelectorAll("a")].map((link) => link.href);
    expect(new Set(links)).toEqual(new Set(["https://service.example/acme/groups/1"]));
    expect(document.querySelector("style")?.textContent).not.toMatch(/@import|url\(/);
    expect(text).toContain(`default-src 'none'`);
  });

  it("states that there are no findings", () => {
    expect(html(reportWith({ findings: [] }))).toContain("The workspace matches the declaration.");
    expect(html(reportWith({ findings: [], incomplete: [unread] }))).toContain(
      "Nothing was found in what could be read.",
    );
  });
});

describe.skipIf(chromiumPath === undefined)("the page in a browser", () => {
  let browser: Browser;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  async function open(width: number, colorScheme: "light" | "dark" = "light"): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    page.on("request", (request) => {
      if (request.url() !== address) problems.push(`fetched ${request.url()}`);
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => problems.push(message.text()));
    await page.goto(address);
    return page;
  }

  const shown = (page: Page) =>
    page.locator(".finding:visible").evaluateAll((all) => all.map(({ id }) => id));

  it.each([
    [1280, "light"],
    [1280, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)("does not scroll horizontally at %i px, %s", async (width, theme) => {
    const page = await open(width, theme);
    for (const by of ["object", "class"]) {
      await page.check(`input[value=${by}]`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.close();
  });

  it("has readable colors in both themes", async () => {
    for (const theme of ["light", "dark"] as const) {
      const page = await open(1280, theme);
      for (const selector of [
        "h1",
        ".verdict",
        ".tag.gone",
        ".tag.other",
        ".tag.new",
        ".tag.unknown",
        ".about",
        ".facts",
        ".expected h4",
        ".actual h4",
        "pre",
        "a",
        "#shown",
        "footer",
      ])
        expect(await contrast(page, selector), `${theme} ${selector}`).toBeGreaterThanOrEqual(4.5);
      await page.close();
    }
  });

  it("searches names and values for all the given words", async () => {
    const page = await open(1280);
    expect(await shown(page)).toHaveLength(findings.length);
    await page.fill("#search", "quality groups/qa");
    expect(await shown(page)).toEqual(["f-four"]);
    expect(await page.textContent("#shown")).toBe("1 of 6 findings");
    await page.fill("#search", "nowhere");
    expect(await page.isVisible("#none")).toBe(true);
    expect(await page.locator(".group:visible").count()).toBe(0);
    await page.close();
  });

  it("filters by class, and groups by object", async () => {
    const page = await open(1280);
    await page.uncheck("input[value=changed]");
    expect(await shown(page)).toEqual(["f-one", "f-five", "f-six"]);
    await page.check("input[value=changed]");
    await page.check("input[value=object]");
    const titles = await page.locator(".group h2").allTextContents();
    expect(titles.filter((title) => title === "Group groups/QA")).toHaveLength(1);
    await page.check("input[value=class]");
    expect(await page.locator(".group h2").first().textContent()).toContain("deleted");
    await page.close();
  });

  it("runs no code from names, and fetches nothing", async () => {
    const page = await open(1280);
    expect(await page.title()).toBe("Drift of acme");
    expect(await page.locator("a[href^=javascript]").count()).toBe(0);
    expect(await page.locator("#f-two .name").textContent()).toBe(`groups/${attack}`);
    await page.close();
    expect(problems).toEqual([]);
  });
});

/** Returns the contrast of an element's text to its background (WCAG 2). */
function contrast(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const numbers = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
      const light = (color: string) => {
        const [r = 0, g = 0, b = 0] = numbers(color).map((part) => {
          const share = part / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      let behind: Element | null = element;
      while (behind && (numbers(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0)
        behind = behind.parentElement;
      const [one = 0, other = 0] = [
        light(getComputedStyle(element).color),
        light(getComputedStyle(behind ?? document.body).backgroundColor),
      ].sort((a, b) => b - a);
      return (one + 0.05) / (other + 0.05);
    });
}

it("says once for each object what to do about it", () => {
  const child = { class: "deleted" as const, path: "", pathParts: [] };
  const all = [
    finding({ ...child, id: "a", name: "groups/Ops" }),
    finding({ ...child, id: "b", name: "groups/Ops/members/ann@example.com", type: "GroupMember" }),
    finding({ id: "c" }),
    finding({ id: "d", path: "name", pathParts: ["name"], live: "Quality" }),
  ];
  const view = createDriftView(reportWith({ findings: all }), { again: ["-f", "a.yaml"] });
  const { document } = new JSDOM(htmlOf(view)).window;
  expect([...document.querySelectorAll(".remedy")].map((one) => one.textContent)).toEqual([
    "accept: workspacectl drift accept groups/Ops groups/Ops/members/ann@example.com -f a.yaml",
    "revert: workspacectl drift revert groups/Ops groups/Ops/members/ann@example.com -f a.yaml",
    "accept: workspacectl drift accept groups/QA -f a.yaml",
    "revert: workspacectl drift revert groups/QA -f a.yaml",
  ]);
});
