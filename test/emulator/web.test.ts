/** Tests the web pages. */
import { describe, expect, test } from "vitest";
import { make, start, ws } from "./support.js";

const evil = `<script>alert("x")</script>`;

async function furnished() {
  const { emulator, call } = await start({
    seed: {
      users: [
        {
          email: "owner@example.com",
          name: evil,
          integrations: [{ name: "chat", type: "CHAT" }],
          keys: [{ content: "ssh-rsa AAAA" }],
        },
      ],
      workspaces: [
        {
          domain: "acme",
          name: "Acme",
          groups: [{ name: evil, members: ["owner@example.com"] }],
          variables: [{ key: "SECRET", value: "hush-hush", encrypted: true }],
          projects: [
            {
              name: "web shop",
              display_name: evil,
              members: [{ email: "owner@example.com", permission_set: "DEVELOPER" }],
              files: { "src/a b.txt": evil },
              pipelines: [
                {
                  name: "deploy",
                  ref_name: "main",
                  trigger_mode: "MANUAL",
                  actions: [
                    { name: evil, type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "x" },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  });
  return { emulator, call };
}

/** Collects every html_url in a response, at any depth. */
function webAddresses(value: unknown, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "html_url" && typeof inner === "string") found.add(inner);
    else webAddresses(inner, found);
  }
}

describe("the web view", () => {
  test("serves every html_url of the API and escapes texts", async () => {
    const { emulator, call } = await furnished();
    const project = `${ws}/projects/web%20shop`;
    const [pipeline] = (await make(call, "GET", `${project}/pipelines`)).pipelines;
    const run = await make(call, "POST", `${project}/pipelines/${pipeline.id}/executions`, {
      to_revision: { revision: "HEAD" },
    });
    const [group] = (await make(call, "GET", `${ws}/groups`)).groups;
    const paths = [
      "/workspaces",
      ws,
      "/user",
      "/user/keys",
      "/user/integrations",
      `${ws}/projects`,
      project,
      `${project}/members`,
      `${ws}/members`,
      `${ws}/groups`,
      `${ws}/groups/${group.id}/members`,
      `${ws}/permissions`,
      `${ws}/variables`,
      `${project}/pipelines`,
      `${project}/pipelines/${pipeline.id}`,
      `${project}/pipelines/${pipeline.id}/actions`,
      `${project}/pipelines/${pipeline.id}/executions`,
      `${project}/pipelines/${pipeline.id}/executions/${run.id}`,
      `${project}/repository/branches`,
      `${project}/repository/commits`,
      `${project}/repository/contents/src`,
    ];
    const addresses = new Set<string>();
    for (const path of paths) webAddresses(await make(call, "GET", path), addresses);
    expect(addresses.size).toBeGreaterThan(25);
    for (const address of addresses) {
      const page = await fetch(address);
      const text = await page.text();
      expect([address, page.status]).toEqual([address, 200]);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      // The page of something that runs has a script of its own.
      expect(text).not.toMatch(/<script(?!>\nconst renew = )/);
      expect(text).not.toContain("hush-hush");
    }
    expect(emulator.journal.requests.every(({ path }) => !path.startsWith("/app"))).toBe(true);
  });

  test("shows the contents of a workspace, and avatars", async () => {
    const { call } = await furnished();
    const { html_url } = await make(call, "GET", ws);
    const workspace = await (await fetch(html_url)).text();
    expect(workspace).toContain("<h1>Acme</h1>");
    expect(workspace).toContain("SECRET");
    expect(workspace).toContain("web shop");
    const project = await make(call, "GET", `${ws}/projects/web%20shop`);
    expect(await (await fetch(project.html_url)).text()).toContain("deploy");
    const svg = await fetch((await make(call, "GET", "/user")).avatar_url);
    expect(svg.headers.get("content-type")).toContain("image/svg+xml");
    expect(await svg.text()).not.toContain("<script");
  });

  test("returns 404 for missing objects, and still works when the API is disabled", async () => {
    const { emulator, call } = await furnished();
    const { html_url } = await make(call, "GET", ws);
    await emulator.setApiEnabled("acme", false);
    expect((await fetch(html_url)).status).toBe(200);
    expect((await fetch(`${html_url}/projects/none`)).status).toBe(404);
    expect((await fetch(`${html_url}x`)).status).toBe(404);
    expect((await fetch(html_url.replace("/acme", "/%zz"))).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(html_url.replace("/acme", ""))).status).toBe(200);
  });

  test("says what a number is, and emphasizes statuses only", async () => {
    const { emulator, call } = await furnished();
    const [pipeline] = (await make(call, "GET", `${ws}/projects/web%20shop/pipelines`)).pipelines;
    const run = await make(call, "POST", `${ws}/projects/web%20shop/pipelines/${pipeline.id}/executions`, {
      to_revision: { revision: "HEAD" },
    });
    const page = async (url: string) => (await fetch(url)).text();
    expect(await page(run.html_url)).toContain(`<h1>Execution ${run.id} of deploy</h1>`);
    const shown = await page(pipeline.html_url);
    expect(shown).toMatch(/<th>do_not_create_commit_status<\/th>\s*<td>false<\/td>/);
    expect(shown).toMatch(/<th>last_execution_status<\/th>\s*<td><span class="status">/);
    await emulator.close();
  });
});
