/** Tests the site of the documentation in a browser. The playground shows what the commands print, and sends nothing. */
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import type Axe from "axe-core";
import { source as axeSource } from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath as executablePath } from "../browser.js";
import { fileIn, run, temporaryFolder } from "../cli/support.js";
import { buildSite, openPage, type OpenPage } from "./built-site.js";

const withBrowser = executablePath === undefined ? describe.skip : describe;
const title = "the site" + (executablePath === undefined ? " (skipped: no Chromium is installed)" : "");
const folder = temporaryFolder();
const site = join(folder, "site");
const examples = resolve(import.meta.dirname, "../../examples");

withBrowser(title, () => {
  let browser: Browser;
  beforeAll(async () => {
    await buildSite(site);
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
  }, 600_000);
  afterAll(() => browser?.close());

  const open = async (options: Parameters<typeof openPage>[3] = {}): Promise<OpenPage> => {
    const opened = await openPage(browser, site, "playground", options);
    await soon(() => summary(opened.page)).toBe("no problems");
    return opened;
  };

  it("shows Mermaid code as a picture, in both themes", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, errors } = await openPage(browser, site, "architecture", { colorScheme });
      const box = page.locator("svg .node").filter({ hasText: "workspace-file/" });
      await soon(() => box.count()).toBe(1);
      expect(errors).toEqual([]);
    }
  });

  it("has a playground that shows what the commands print, without a request", async () => {
    const { page, requests, errors } = await open();
    const loaded = requests.length;
    const file = join(examples, "quickstart/workspace.yaml");
    const printed = async (...argv: string[]) => (await run([...argv, "-f", file, "--offline"])).stdout;

    expect(await shown(page, "Document")).toBe(await printed("render"));
    expect(await shown(page, "What runs")).toBe(await printed("what-runs", "--push", "main"));
    await choose(page, "Event", "a manual start");
    await choose(page, "Pipeline", "api/Release");
    await expect
      .poll(() => page.textContent(".view pre"))
      .toBe(await printed("what-runs", "--manual", "api/Release"));

    await tab(page, "Graph");
    expect(await page.textContent(".view pre")).toBe(await printed("graph"));

    await tab(page, "Access");
    const cells = await page.$$eval(".view tr", (rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.replace("\n", " ("))),
    );
    const table = (await printed("access", "--format", "markdown")).matchAll(/^\| (.*) \|$/gm);
    const lines = [...table].map(([, line = ""]) =>
      line
        .replace(/\\(.)|&#8203;/g, "$1")
        .replaceAll(")", "")
        .split(" | "),
    );
    expect(cells).toEqual(lines.filter(([first]) => !first?.startsWith("---")));

    // What draws the graph is part of the site, and loaded when it is needed.
    expect(requests.slice(loaded).filter((url) => !url.startsWith("http://site.test/assets/"))).toEqual([]);
    expect(errors).toEqual([]);
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

  it("keeps what the playground showed before an error", async () => {
    const { page } = await open();
    const before = await shown(page, "Document");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText("x: [");
    await soon(() => summary(page)).toMatch(/error/);
    expect(await page.textContent(".view pre")).toBe(before);
    expect(await page.innerText(".view .old")).toBe("This is from before the errors.");
    await choose(page, "Example", "Two regions");
    await soon(() => summary(page)).toBe("no problems");
    expect(await page.locator(".view .old").count()).toBe(0);
  });

  it.each([
    [1280, 2],
    [390, 1],
  ])("shows the panes of the playground and its graph in a window of %i pixels", async (width, columns) => {
    const { page } = await open({ viewport: { width, height: 900 } });
    await tab(page, "Graph");
    const svg = page.locator(".view svg");
    await soon(() => svg.count()).toBe(1);
    const boxes = await page.$$eval(".halves > section, .view, .view svg", (elements) =>
      elements.map((element) => element.getBoundingClientRect().toJSON() as DOMRect),
    );
    const [files, result, view, graph] = boxes as [DOMRect, DOMRect, DOMRect, DOMRect];
    expect(result.top > files.top ? 1 : 2).toBe(columns);
    expect(files.width).toBeGreaterThan((width / columns) * 0.85);
    expect(graph.right).toBeLessThanOrEqual(view.right);
    await page.getByLabel("Full size").check();
    expect((await svg.boundingBox())?.width).toBeGreaterThan(graph.width);
  });

  it("cannot send a request: the browser refuses it", async () => {
    const { page } = await open();
    const send = () => fetch("http://site.test/openapi.json").then(String, (error: Error) => error.message);
    expect(await page.evaluate(send)).toBe("Failed to fetch");
    expect(await page.workers()[0]?.evaluate(send)).toBe("Failed to fetch");
  });

  it.each([
    [
      "errors",
      "validate",
      "version: 1\nprojects:\n  web:\n    pipelines:\n      a: { triggerMde: MANUAL }\n  x: 3\n",
    ],
    ["an error of syntax", "validate", "version: 1\nprojects: [\n"],
    [
      "likely mistakes",
      "lint",
      "version: 1\nvariables:\n  API_TOKEN: abc\ngroups:\n  Empty: { description: x }\n",
    ],
  ])("reports %s in the playground as %s does, at the same positions", async (_, command, text) => {
    const { page } = await open();
    await write(page, text);
    await soon(() => summary(page)).not.toBe("no problems");
    const file = fileIn(folder, "workspace.yaml", text);
    const { stdout } = await run([command, "-f", file, "--offline", "--json"]);
    const { problems } = JSON.parse(stdout) as { problems: readonly ProblemJson[] };
    const lines = problems.map(
      ({ severity, line, column, message, code }) =>
        `${severity} workspace.yaml:${line}:${column} ${message} ${code}`,
    );
    expect(await page.getByRole("list", { name: "Problems" }).locator("li").allInnerTexts()).toEqual(lines);
    // A problem leads to its position.
    await page
      .getByRole("button", { name: /workspace\.yaml:/ })
      .first()
      .click();
    const underlined = page.locator(".cm-activeLineGutter").first();
    expect(await underlined.innerText()).toBe(String(problems[0]?.line));
    expect(await page.locator(".cm-lintRange").count()).toBeGreaterThan(0);
  });

  it("completes values and keys in the playground from the schema", async () => {
    const { page } = await open();
    await write(page, "version: 1\nprojects:\n  web:\n    pipelines:\n      deploy:\n        triggerMode: ");
    await page.keyboard.press("Control+Space");
    const offers = page.locator(".cm-tooltip-autocomplete li");
    await expect
      .poll(() => offers.allInnerTexts())
      .toEqual(expect.arrayContaining(["ON_EVERY_PUSH", "SCHEDULED", "MANUAL"]));
    await page.keyboard.type("SCH");
    await soon(() => offers.count()).toBe(1);
    // The editor ignores keys that are pressed just when the list appears.
    await page.waitForTimeout(200);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("refN");
    await soon(() => offers.first().innerText()).toMatch(/^refName/);
    await page.waitForTimeout(200);
    await page.keyboard.press("Enter");
    expect(await text(page)).toMatch(/ {8}triggerMode: SCHEDULED\n {8}refName: \w+$/);
  });

  it("applies the overlay of a stack in the playground, and includes files", async () => {
    const { page } = await open();
    await choose(page, "Example", "Templates, defaults and an overlay");
    await soon(() => page.textContent(".view pre")).toContain("workspace: acme\n");
    await choose(page, "Overlay of stack", "eu");
    await soon(() => page.textContent(".view pre")).toContain("workspace: acme-eu\n");
    cpSync(join(examples, "reuse"), join(folder, "reuse"), { recursive: true });
    const file = join(folder, "reuse/workspace.yaml");
    const { stdout } = await run(["render", "-f", file, "--offline", "--stack", "eu"]);
    expect(await shown(page, "Document")).toBe(stdout);
    // Each file keeps what was typed.
    await page.getByRole("tab", { name: "templates.yaml" }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("x");
    await soon(() => summary(page)).not.toBe("no problems");
    await page.getByRole("tab", { name: "workspace.yaml" }).click();
    await page.getByRole("tab", { name: "templates.yaml" }).click();
    expect(await page.locator(".cm-content").innerText()).toMatch(/x$/);
  });

  it("has a playground that can be used with the keyboard only", async () => {
    const { page } = await open();
    await page.getByRole("combobox", { name: "Example" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("messages/failed.txt");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Text of workspace.yaml");
    // Within the editor, Tab indents. Escape, then Tab leaves it, as the page says.
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Text of workspace.yaml");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await soon(() => focused(page)).toBe("Document");
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("Graph");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("playground-view");
  });

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "has a playground that can be read in the %s theme at a width of %i pixels",
    async (colorScheme, width) => {
      const { page } = await open({ colorScheme, viewport: { width, height: 900 } });
      await write(page, "version: 1\nprojects:\n  web: { pipelins: {} }\n# remark\n");
      await soon(() => summary(page)).toBe("1 error");
      await soon(() => violations(page)).toEqual([]);
      await choose(page, "Example", "Two regions");
      await soon(() => summary(page)).toBe("no problems");
      for (const name of ["Document", "Graph", "Access", "What runs"]) {
        await tab(page, name);
        expect(await violations(page), name).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(
          width,
        );
      }
    },
  );
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

interface ProblemJson {
  readonly severity: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly code: string;
}

/** Waits for what a slow machine shows later. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });
const summary = (page: Page) => page.getByRole("status").innerText();
const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click();
const text = (page: Page) => page.locator(".cm-content").innerText();

async function shown(page: Page, view: string): Promise<string> {
  await tab(page, view);
  return (await page.textContent(".view pre")) ?? "";
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).selectOption(option);
}

/** Replaces the whole text, as a paste does: without the indentation that typing adds. */
async function write(page: Page, content: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(content);
}

/** Returns the name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    return element.getAttribute("aria-label") ?? element.innerText;
  });
}

/** Checks names, roles and contrasts of what the page itself shows. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: typeof Axe }).axe;
    // The text in the editor takes the focus, and scrolls.
    const rules = { "scrollable-region-focusable": { enabled: false } };
    const { violations: found } = await axe.run(".vp-doc", { rules });
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
