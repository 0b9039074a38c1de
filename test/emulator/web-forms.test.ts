/** Changes objects by hand on the web pages, first without and then with a browser. */
import { JSDOM } from "jsdom";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath as executablePath } from "../browser.js";
import { make, start, ws } from "./support.js";

async function furnished() {
  const { emulator, call } = await start({
    actionSeconds: 1,
    seed: {
      users: [{ email: "owner@example.com", name: "Olga" }],
      workspaces: [
        {
          domain: "acme",
          name: "Acme",
          groups: [{ name: "QA", description: "Testers" }],
          variables: [{ key: "TOKEN", value: "hush-hush", encrypted: true }],
          projects: [
            {
              name: "web",
              display_name: "Web shop",
              files: { "README.md": "# Shop\n" },
              pipelines: [
                {
                  name: "deploy",
                  ref_name: "main",
                  trigger_mode: "MANUAL",
                  actions: [
                    {
                      name: "Build",
                      type: "BUILD",
                      trigger_time: "ON_EVERY_EXECUTION",
                      container_image_name: "node",
                      container_image_tag: "22",
                      execute_commands: ["npm ci", "npm test"],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  });
  const [group] = (await make(call, "GET", `${ws}/groups`)).groups as { id: number; html_url: string }[];
  return { emulator, call, group: group! };
}

describe("a form", () => {
  async function tokenOn(address: string): Promise<string> {
    const { document } = new JSDOM(await (await fetch(address)).text()).window;
    return document.querySelector<HTMLInputElement>("input[name=token]")?.value ?? "";
  }
  const post = (address: string, fields: Record<string, string>) =>
    fetch(address, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

  test("changes only the fields that were changed", async () => {
    const { call, group } = await furnished();
    const address = `${group.html_url}?form=edit`;
    const token = await tokenOn(address);
    // Somebody else renames the group meanwhile.
    await call("PATCH", `${ws}/groups/${group.id}`, { name: "Quality" });
    const fields = { name: "QA", "was:name": "QA", description: "", "was:description": "Testers" };
    expect((await post(address, { token, ...fields })).status).toBe(303);
    expect(await make(call, "GET", `${ws}/groups/${group.id}`)).toMatchObject({
      name: "Quality",
      description: null,
    });
  });

  test("that does not come from the emulator's page changes nothing", async () => {
    const { call, group } = await furnished();
    const other = await tokenOn(`${new URL(group.html_url).origin}/app/acme/projects/web?form=edit`);
    for (const token of ["", "x", other])
      expect((await post(`${group.html_url}?form=delete`, { token })).status).toBe(400);
    expect((await make(call, "GET", `${ws}/groups`)).groups).toHaveLength(1);
  });

  test("does not exist where the API has no endpoint", async () => {
    const { emulator, group } = await furnished();
    const token = await tokenOn(`${group.html_url}?form=edit`);
    const workspace = `${emulator.webUrl}/acme`;
    for (const query of ["form=delete", "form=edit", "form=other", "form=new&list=99", "form=new"]) {
      expect((await fetch(`${workspace}?${query}`)).status).toBe(404);
      expect((await post(`${workspace}?${query}`, { token })).status).toBeGreaterThanOrEqual(400);
    }
  });
});

const withBrowser = executablePath === undefined ? describe.skip : describe;
withBrowser("in a browser, a user", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  async function openWorkspace() {
    const { emulator, call } = await furnished();
    page = await browser.newPage({ viewport: { width: 390, height: 800 }, colorScheme: "dark" });
    await page.goto(`${emulator.webUrl}/acme`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    return { call };
  }
  const follow = (name: string) => page.getByRole("link", { name, exact: true }).first().click();
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const fill = (name: string, text: string) => page.locator(`[name="${name}"]`).fill(text);

  test("creates, changes and deletes a group and a variable", async () => {
    const { call } = await openWorkspace();
    await follow("QA");
    await follow("Edit");
    expect(await page.inputValue("[name=description]")).toBe("Testers");
    await fill("description", "By hand");
    await press("Save");
    expect(await page.textContent("body")).toContain("By hand");
    await follow("Delete");
    await press("Delete");
    expect((await make(call, "GET", `${ws}/groups`)).groups).toEqual([]);

    await page.locator("h2:has-text('Groups') ~ p.links a").first().click();
    await fill("name", "Ops <b>");
    await press("Create");
    expect(await page.textContent("h1")).toBe("Ops <b>");

    await follow("acme");
    const before = (await make(call, "GET", `${ws}/variables`)).variables as { value: string }[];
    await follow("TOKEN");
    await follow("Edit");
    // The masked value is not sent back.
    expect(await page.inputValue("[name=value]")).toBe("");
    await fill("value", "rotated");
    await press("Save");
    const after = (await make(call, "GET", `${ws}/variables`)).variables as { value: string }[];
    expect(after).toMatchObject([{ key: "TOKEN", encrypted: true }]);
    expect(after[0]?.value).not.toBe(before[0]?.value);
  });

  test("sees why the service refuses a change", async () => {
    await openWorkspace();
    await page.locator("h2:has-text('Groups') ~ p.links a").first().click();
    await fill("name", " ");
    await press("Create");
    expect(await page.getByRole("alert").textContent()).toContain("name");
  });

  test("changes an action, adds another one, runs the pipeline and watches it", async () => {
    const { call } = await openWorkspace();
    await follow("web");
    await follow("deploy");
    await follow("Build");
    await follow("Edit");
    expect(await page.inputValue("[name=execute_commands]")).toBe("npm ci\nnpm test");
    await fill("execute_commands", "npm ci\nnpm run build");
    await press("Save");
    const [{ id }] = (await make(call, "GET", `${ws}/projects/web/pipelines`)).pipelines as unknown as [
      { id: number },
    ];
    await follow(String(id));
    await page.locator("h2:has-text('Actions') ~ p.links a").first().click();
    await page.getByRole("link", { name: /PING/ }).click();
    await fill("name", "Reachable");
    await fill("destination", "shop.example.com");
    await page.selectOption("[name=trigger_time]", "ON_EVERY_EXECUTION");
    await press("Create");
    const { actions } = await make(call, "GET", `${ws}/projects/web/pipelines/${id}/actions`);
    expect(actions).toMatchObject([
      { name: "Build", execute_commands: ["npm ci", "npm run build"] },
      { name: "Reachable", type: "PING" },
    ]);

    await follow(String(id));
    await press("Run");
    expect(await page.textContent("body")).toMatch(/INPROGRESS|ENQUEUED|INITIAL/);
    // The page renews its content by itself.
    await page.getByText("SUCCESSFUL").first().waitFor({ timeout: 60_000 });
  });
});
