/** Tests the web pages in a browser. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath as executablePath } from "../browser.js";
import { make, send, start, ws } from "./support.js";

const withBrowser = executablePath === undefined ? describe.skip : describe;
const title = "in a browser" + (executablePath === undefined ? " (skipped: no Chromium is installed)" : "");

withBrowser(title, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  test("a user navigates from the workspace to a pipeline and a file", async () => {
    const { call } = await start({
      actionSeconds: 600,
      seed: {
        users: [{ email: "owner@example.com", name: "Olga <b>Owner</b>" }],
        workspaces: [
          {
            domain: "acme",
            name: "Acme",
            projects: [
              {
                name: "web",
                display_name: "Web shop",
                files: { "src/app.ts": "let a = 1;\n" },
                pipelines: [
                  {
                    name: "deploy",
                    ref_name: "main",
                    trigger_mode: "MANUAL",
                    actions: [
                      { name: "Ping", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "x" },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    });
    const [pipeline] = (await make(call, "GET", `${ws}/projects/web/pipelines`)).pipelines;
    await make(call, "POST", `${ws}/projects/web/pipelines/${pipeline.id}/executions`, {
      to_revision: { revision: "HEAD" },
    });
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (entry) => entry.type() === "error" && problems.push(entry.text()));
    await page.goto((await make(call, "GET", ws)).html_url);
    expect(await page.textContent("h1")).toBe("Acme");
    // Names are escaped.
    expect(await page.getByText("Olga <b>Owner</b>").count()).toBeGreaterThan(0);
    await page.getByRole("link", { name: "web" }).first().click();
    expect(await page.textContent("h1")).toBe("Web shop");
    await page.getByRole("link", { name: "deploy" }).click();
    expect(await page.textContent("h1")).toBe("deploy");
    expect(await page.getByText("Ping").count()).toBeGreaterThan(0);
    expect(await page.getByText("INPROGRESS").count()).toBeGreaterThan(0);
    await page.goBack();
    await page.getByRole("link", { name: "src" }).click();
    await page.getByRole("link", { name: "app.ts" }).click();
    expect(await page.textContent("body")).toContain("src/app.ts");
    expect(problems).toEqual([]);
  });

  test("a user allows access for an OAuth client, which receives its tokens", async () => {
    const back = createServer((request, response) => response.end(request.url));
    await new Promise<void>((resolve) => back.listen(0, "127.0.0.1", resolve));
    const redirect_uri = `http://127.0.0.1:${(back.address() as AddressInfo).port}/back`;
    try {
      const { emulator } = await start({
        seed: {
          users: [
            { email: "owner@example.com", name: "Olga" },
            { email: "bob@example.com", name: "Bob" },
          ],
          workspaces: [{ domain: "acme" }],
          oauth_clients: [
            { client_id: "tool", client_secret: "s", client_name: "My tool", redirect_uris: [redirect_uri] },
          ],
        },
      });
      const query = new URLSearchParams({
        response_type: "code",
        client_id: "tool",
        redirect_uri,
        scope: "USER_INFO",
        state: "s1",
      });
      const page = await browser.newPage();
      await page.goto(`${emulator.authorizeUrl}?${query.toString()}`);
      expect(await page.textContent("h1")).toBe("My tool asks for access");
      await page.getByRole("combobox").selectOption("bob@example.com");
      await page.getByRole("button", { name: "Allow", exact: true }).click();
      await page.waitForURL(`${redirect_uri}**`);
      const arrived = new URL(page.url());
      expect(arrived.searchParams.get("state")).toBe("s1");
      const code = arrived.searchParams.get("code") ?? "";
      const tokens = await send(emulator.baseUrl, "POST", "/oauth2/token", {
        body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri }).toString(),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          authorization: `Basic ${Buffer.from("tool:s").toString("base64")}`,
        },
      });
      const { access_token: token } = tokens.body as unknown as { access_token: string };
      expect((await send(emulator.baseUrl, "GET", "/user", { token })).body.name).toBe("Bob");
    } finally {
      back.close();
    }
  });
});
