/** Tests that everybody can read the pages that the product writes and the emulator serves: axe finds nothing in any of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFleet } from "../../cli/commands/fleet/fleet-report.js";
import { buildReview, type FleetReport } from "../../cli/commands/fleet/outcome.js";
import type { FleetResult } from "../../cli/commands/fleet/result.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { formatHtmlReport } from "../../reports/html/html-report.js";
import type { FindingData } from "../../reports/view-data.js";
import { compareView } from "../../reports/views/compare-view.js";
import { createDriftView } from "../../reports/views/drift-view.js";
import { listViolations } from "../axe.js";
import { chromiumPath } from "../browser.js";
import { finding, reportWith, unread } from "../cli/commands/drift/support.js";
import { loosening, planOf, refused, usual, viewOf } from "../cli/commands/preview/support.js";
import { fileIn, run, temporaryFolder, testIo } from "../cli/support.js";

describe.skipIf(chromiumPath === undefined)("a page for people", () => {
  let browser: Browser;
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ seed, actionSeconds: 600 });
    browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    await emulator?.close();
  });

  async function open(colorScheme: "light" | "dark", width: number): Promise<Page> {
    // The pages allow no script but their own.
    const context = await browser.newContext({
      bypassCSP: true,
      colorScheme,
      viewport: { width, height: 800 },
    });
    return context.newPage();
  }

  it.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("is readable in each kind of report: %s, %i px wide", async (colorScheme, width) => {
    const page = await open(colorScheme, width);
    const found: string[] = [];
    for (const [name, html] of Object.entries(await writeReports())) {
      await page.setContent(html);
      // What is folded is read, too.
      await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
      found.push(...(await listViolations(page)).map((one) => `${name}: ${one}`));
    }
    expect(found).toEqual([]);
  });

  it("is readable in each kind of page of the emulator", async () => {
    const path = "/workspaces/acme/projects/web/pipelines";
    const { body } = await emulator.edit({ method: "GET", path });
    const [{ id }] = (body as { pipelines: [{ id: number }] }).pipelines;
    const revision = { to_revision: { revision: "HEAD" } };
    await emulator.edit({ method: "POST", path: `${path}/${id}/executions`, body: revision });
    const page = await open("light", 1280);
    const query = new URLSearchParams({ response_type: "code", client_id: "tool", scope: "WORKSPACE" });
    const first = new URL("/app", emulator.baseUrl).href;
    const waiting = [first, new URL(`/app/-/authorize?${query.toString()}`, emulator.baseUrl).href];
    const [kinds, found]: [Set<string>, string[]] = [new Set(), []];
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      // One page of each kind: numbers and names differ only in what is shown.
      const kind = address.replace(/\/\d+|=\d+/g, "/N");
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      await page.goto(address);
      found.push(...(await listViolations(page)).map((one) => `${address}: ${one}`));
      const links = await page
        .locator("a")
        .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
      waiting.push(...links.filter((link) => link.startsWith(first)));
    }
    expect(found).toEqual([]);
    expect(kinds.size).toBeGreaterThan(30);
  });
});

/** Writes one page of each kind of report, small and large. */
async function writeReports(): Promise<Record<string, string>> {
  const drift = (more: Parameters<typeof reportWith>[0]) =>
    formatHtmlReport(createDriftView({ ...reportWith(more), changedSinceLast: true }));
  const many = Array.from({ length: 12 }, (_, index) =>
    finding({
      id: `f${index}`,
      name: `groups/G${index}`,
      live: "a\n".repeat(40),
      declared: "b\n".repeat(40),
    }),
  );
  const side = { name: "file", kind: "file" as const, objects: 3 };
  const compared = {
    ...reportWith({}),
    ...{ findings: [], left: side, right: { ...side, name: "live" }, result: "same", hidden: [] },
    ...{ same: 3, counts: { missing: 0, added: 0, changed: 0, unverifiable: 0 }, failOn: ["changed"] },
  } as unknown as Parameters<typeof compareView>[0];
  const folder = temporaryFolder();
  const file = fileIn(folder, "workspace.yaml", access);
  expect(
    await run(["access", "-f", file, "--format", "html", "-o", join(folder, "access.html")]),
  ).toMatchObject({
    code: 0,
  });
  return {
    "a plan": formatHtmlReport(viewOf(planOf(usual))),
    "a refused plan": formatHtmlReport(viewOf(refused, { result: "refused" })),
    "a plan that loosens guards": formatHtmlReport(viewOf(loosening)),
    "an empty plan": formatHtmlReport(viewOf(planOf([]))),
    "no drift": drift({ findings: [] }),
    drift: drift({ incomplete: [unread] }),
    "much drift": drift({ findings: many }),
    "a comparison of equal workspaces": formatHtmlReport(compareView(compared)),
    "a fleet": await writeFleetPage({ command: "preview", results: fleet, review: buildReview(reviewed) }),
    "a fleet with drift": await writeFleetPage({
      command: "drift",
      results: fleet,
      review: buildReview(reviewed),
    }),
    access: readFileSync(join(folder, "access.html"), "utf8"),
  };
}

async function writeFleetPage(report: FleetReport): Promise<string> {
  const { io, written } = testIo();
  await writeFleet(report, { format: [{ format: "html" }] }, io);
  return written().stdout;
}

const fleet = Array.from({ length: 8 }, (_, index): FleetResult => ({
  ...{ name: `team-${index}`, file: `team-${index}.yaml`, stack: "dev", workspace: `team-${index}` },
  ...(index === 0
    ? { result: "error", exitCode: 1, summary: "team-0.yaml:3:5: `labels` is unknown\n    3 | labels" }
    : { result: "ok", exitCode: 0, summary: "1 to update", plan: "changes", objects: 31, seconds: 1 }),
}));
const sides = [
  { title: "now", value: "READ_ONLY" },
  { title: "planned", value: "READ_WRITE" },
];
const changed = {
  ...{ class: "update", type: "PermissionSet", name: "permissionSets/dev", path: "pipelineAccessLevel" },
  ...{ pathParts: ["pipelineAccessLevel"], secret: false, sentence: "changes", columns: sides, sides },
} as FindingData;
const reviewed = fleet.slice(1).map(({ name }) => ({ name, data: { findings: [changed], notes: [] } }));

const access = `version: 1
workspace: acme
members: { ann@example.com: { admin: true }, bob@example.com: {} }
permissionSets:
  devs: { description: Make, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY }
  readers: { description: Read, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: DENIED }
  outside: { external: true }
projects:
  web: { exclusive: true, members: { bob@example.com: devs } }
  api: { members: { bob@example.com: readers } }
  docs: { members: { bob@example.com: outside } }
`;

const action = {
  ...{
    name: "Build",
    type: "BUILD",
    trigger_time: "ON_EVERY_EXECUTION",
    execute_commands: ["npm ci", "npm test"],
  },
  ...{ container_image_name: "node", container_image_tag: "22" },
};
const pipeline = { name: "deploy", ref_name: "main", trigger_mode: "MANUAL", actions: [action] };
const levels = { repository_access_level: "READ_ONLY", pipeline_access_level: "DENIED" };
const seed = {
  users: [
    { email: "owner@example.com", name: "Olga", integrations: [{ name: "chat", type: "CHAT" }] },
    { email: "bob@example.com", name: "Bob" },
  ],
  workspaces: [
    {
      ...{ domain: "acme", name: "Acme", members: [{ email: "bob@example.com" }] },
      groups: [{ name: "QA", description: "Testers", members: ["bob@example.com"] }],
      permission_sets: [{ name: "readers", description: "Read", ...levels }],
      variables: [{ key: "TOKEN", value: "hush-hush", encrypted: true }],
      projects: [
        {
          ...{ name: "web", display_name: "Web shop", pipelines: [pipeline] },
          files: { "src/app.ts": "let a = 1;\n" },
          members: [{ email: "bob@example.com", permission_set: "readers" }],
        },
      ],
    },
  ],
  oauth_clients: [
    {
      client_id: "tool",
      client_secret: "hush-hush",
      client_name: "Tool",
      redirect_uris: ["https://tool.example.com/back"],
    },
  ],
};
