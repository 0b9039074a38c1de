/** Tests `access`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../../client/index.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { chromiumPath } from "../../browser.js";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const file = fileIn(
  folder,
  "workspace.yaml",
  `version: 1
workspace: acme
members:
  ann@example.com: { admin: true }
  bob@example.com: { admin: false }
  carol@example.com: {}
permissionSets:
  devs: { description: Make, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY }
  "<b>out|side</b>": { external: true }
groups:
  QA: { members: [bob@example.com] }
projects:
  web: { exclusive: true, members: { bob@example.com: devs, carol@example.com: "<b>out|side</b>" } }
  api: { members: { bob@example.com: { permissionSet: devs } } }
`,
);
const access = (...argv: string[]) => run(["access", "-f", file, ...argv]);

describe("access declared in the file", () => {
  it("is a matrix of members and projects, in which groups grant nothing", async () => {
    const { code, stdout, stderr } = await access();
    expect(stdout).toMatchInlineSnapshot(`
      "Access to acme: repository / pipelines
      member             workspace                api                    web
      ann@example.com    administrator            as administrator       as administrator
      bob@example.com    member                   READ_WRITE / RUN_ONLY  READ_WRITE / RUN_ONLY
      carol@example.com  member or administrator  not a member           not known
      "
    `);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "The file does not say everything (such as the levels of an external permission set): --live reads the rest.\n",
    });
  });

  it("is a list with one line per membership if the matrix is too wide", async () => {
    const many = Array.from(
      { length: 9 },
      (_, n) => `  p${n}: { members: { bob@example.com: devs } }\n`,
    ).join("");
    const wide = fileIn(folder, "wide.yaml", readFileSync(file, "utf8") + many);
    expect((await run(["access", "-f", wide, "--member", "bob@example.com"])).stdout).toMatchInlineSnapshot(`
      "Access to acme: repository / pipelines
      member           workspace  project  repository  pipelines  permission set
      bob@example.com  member     api      READ_WRITE  RUN_ONLY   devs
                                  p0       READ_WRITE  RUN_ONLY   devs
                                  p1       READ_WRITE  RUN_ONLY   devs
                                  p2       READ_WRITE  RUN_ONLY   devs
                                  p3       READ_WRITE  RUN_ONLY   devs
                                  p4       READ_WRITE  RUN_ONLY   devs
                                  p5       READ_WRITE  RUN_ONLY   devs
                                  p6       READ_WRITE  RUN_ONLY   devs
                                  p7       READ_WRITE  RUN_ONLY   devs
                                  p8       READ_WRITE  RUN_ONLY   devs
                                  web      READ_WRITE  RUN_ONLY   devs
      "
    `);
  });

  it("can be limited to a member or a project, whose name must exist", async () => {
    expect((await access("--project", "api")).stdout).toMatchInlineSnapshot(`
      "Access to acme: repository / pipelines
      member           workspace      api
      ann@example.com  administrator  as administrator
      bob@example.com  member         READ_WRITE / RUN_ONLY
      "
    `);
    expect((await access("--member", "Bob@example.com", "--project", "web")).stdout).toContain(
      "READ_WRITE / RUN_ONLY",
    );
    const refused = [await access("--project", "wbe"), await access("--member", "nobody@example.com")];
    expect(refused.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 1, stderr: 'error: there is no project "wbe" in the file. Did you mean "web"?\n' },
      {
        code: 1,
        stderr: 'error: there is no member "nobody@example.com" in the file: omit --member to see all\n',
      },
    ]);
  });

  it("is available as JSON and Markdown", async () => {
    expect(
      JSON.parse((await access("--format", "json", "--member", "bob@example.com")).stdout),
    ).toMatchObject({
      workspace: "acme",
      source: "declared",
      projects: ["api", "web"],
      rows: [
        {
          member: "bob@example.com",
          admin: false,
          owner: false,
          projects: {
            api: { permissionSet: "devs", repository: "READ_WRITE", pipelines: "RUN_ONLY" },
            web: { permissionSet: "devs", repository: "READ_WRITE", pipelines: "RUN_ONLY" },
          },
        },
      ],
      unread: [],
    });
    const { stdout } = await access("--format", "markdown", "--project", "web");
    expect(stdout.replace(folder, "")).toMatchInlineSnapshot(`
      "## Access to acme

      As /workspace.yaml declares it.

      | Member | Workspace | web |
      | --- | --- | --- |
      | ann@&#8203;example.com | administrator | as administrator |
      | bob@&#8203;example.com | member | READ\\_WRITE / RUN\\_ONLY (devs) |
      | carol@&#8203;example.com | member or administrator | not known (&lt;b&gt;out\\|side&lt;/b&gt;) |
      "
    `);
  });
});

it("goes to standard output, and to no file, with -o -", async () => {
  const usual = await access("--format", "markdown");
  expect(usual.stdout).toContain("## Access to");
  expect(await access("--format", "markdown", "-o", "-")).toEqual(usual);
  expect(existsSync("-")).toBe(false);
});

describe("the access page", () => {
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  beforeAll(async () => {
    if (chromiumPath)
      browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  it("loads nothing external, filters members, and is readable in both themes and on a phone", async ({
    skip,
  }) => {
    const page = join(folder, "access.html");
    expect(await access("--format", "html", "-o", page)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(page, "utf8")).not.toMatch(/https?:\/\/|<b>|src=|url\(/);
    if (!browser) return skip();
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 375, height: 700 } });
      const tab = await context.newPage();
      const errors: string[] = [];
      tab.on("pageerror", ({ message }) => errors.push(message));
      await tab.goto(`file://${page}`);
      // The table scrolls, but the page does not.
      expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(375);
      expect(await tab.locator("tbody tr:visible").count()).toBe(3);
      await tab.fill("#find", "bob web");
      expect(await tab.locator("tbody tr:visible th").allInnerTexts()).toEqual(["bob@example.com"]);
      expect(await tab.locator("#shown").innerText()).toBe("1 of 3");
      await tab.fill("#find", "");
      expect(await tab.locator(".level").evaluateAll(contrasts)).toSatisfy((all: number[]) =>
        all.every((one) => one >= 4.5),
      );
      const [shot] = [process.env["SCREENSHOTS"]];
      if (shot) await tab.screenshot({ path: join(shot, `access-${colorScheme}.png`) });
      expect(errors).toEqual([]);
      await context.close();
    }
  });
});

/** Returns the contrast of each text to its own background (WCAG). Runs in the page. */
function contrasts(elements: Element[]): number[] {
  const light = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+(\.\d+)?/g) ?? []).map(Number).map((one) => {
      const part = one / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return elements
    .map((element) => getComputedStyle(element))
    .filter(({ backgroundColor }) => !backgroundColor.endsWith(", 0)"))
    .map(({ color, backgroundColor }) => {
      const [high = 0, low = 0] = [light(color), light(backgroundColor)].sort((a, b) => b - a);
      return (high + 0.05) / (low + 0.05);
    });
}

describe("access in the live workspace", () => {
  let emulator: Emulator;
  let client: WorkspaceAutomationClient;
  const env = () => ({
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: emulator.token,
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
    WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
  });
  const live = (...argv: string[]) =>
    run(["access", "-f", join(folder, "none.yaml"), "--live", ...argv], env());
  beforeAll(async () => {
    emulator = await startEmulator();
    emulator.settings.echoMemberEmail = true;
    client = new WorkspaceAutomationClient({ baseUrl: emulator.baseUrl, token: emulator.token });
    const { id } = await client.members.create(emulator.workspace, { email: "bob@example.com" });
    const set = await client.permissionSets.create(emulator.workspace, {
      name: "devs",
      description: "Make",
      repository_access_level: "READ_WRITE",
      pipeline_access_level: "RUN_ONLY",
    });
    await client.projects.create(emulator.workspace, { name: "web", display_name: "Web" });
    await client.projectMembers.create(emulator.workspace, "web", { id, permission_set: { id: set.id } });
  });
  afterAll(async () => {
    await client.close();
    await emulator.close();
  });

  it("is read with three lists, the proof of their ends, and one request per member and project", async () => {
    emulator.journal.clear();
    const { code, stdout } = await live();
    expect(code).toBe(0);
    expect(stdout).toMatch(/bob@example.com +member +READ_WRITE \/ RUN_ONLY/);
    expect(stdout).toMatch(/owner, administrator/);
    const asked = emulator.journal.requests.map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(asked).toHaveLength(3 + 3 + 2 + 1);
  });

  it("is incomplete, with exit code 10, if something cannot be read", async () => {
    emulator.faults.add({ kind: "status", path: /\/permissions$/, status: 403, message: "Access denied." });
    const { code, stderr, stdout } = await live("--format", "json");
    expect(code).toBe(10);
    expect(stderr).toContain("could not be read: permission sets:");
    expect(JSON.parse(stdout)).toMatchObject({
      source: "live",
      unread: [expect.stringContaining("permission sets")],
    });
  });
});
