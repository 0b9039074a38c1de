/** Tests cli/commands/fleet/notify-owners.ts with a webhook on this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseFleet } from "../../../../cli/commands/fleet/fleet-file.js";
import { notifyOwners } from "../../../../cli/commands/fleet/notify-owners.js";
import type { FleetReport } from "../../../../cli/commands/fleet/outcome.js";
import { temporaryFolder, testIo } from "../../support.js";

const posted: { url: string; body: { text: string; report: { name: string }[] } }[] = [];
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", () => {
    posted.push({ url: request.url ?? "", body: JSON.parse(text) as (typeof posted)[number]["body"] });
    response.end();
  });
});
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => void server.close());
beforeEach(() => void (posted.length = 0));

const { entries } = parseFleet(
  "/ops/fleet.yaml",
  "version: 1\nworkspaces:\n  web: { notify: team-web, owner: Web }\n  shop: { notify: team-web }\n  api: { notify: team-api }\n  lab: {}\n",
);
const report = (...drifted: string[]): FleetReport => ({
  command: "drift",
  results: entries.map(({ name, file, stack }) =>
    drifted.includes(name)
      ? { name, file, stack, result: "drift", exitCode: 7, summary: "1 changed" }
      : { name, file, stack, result: "ok", exitCode: 0, summary: "clean" },
  ),
  review: { groups: [], notes: [] },
});
const addresses = () => {
  const { port } = server.address() as AddressInfo;
  return {
    WORKSPACE_AUTOMATION_NOTIFY_TEAM_WEB: `http://127.0.0.1:${port}/web`,
    WORKSPACE_AUTOMATION_NOTIFY_TEAM_API: `http://127.0.0.1:${port}/api`,
  };
};

describe("fleet drift", () => {
  it("posts to each owner the findings of their workspaces only", async () => {
    await notifyOwners(entries, report("shop", "lab"), undefined, testIo(addresses()).io);
    expect(posted.map(({ url, body }) => [url, body.report.map(({ name }) => name)])).toEqual([
      ["/web", ["web", "shop"]],
    ]);
    expect(posted[0]?.body.text).toContain("shop");
    expect(posted[0]?.body.text).not.toContain("lab");
  });

  it("posts again only what has changed, with a state file", async () => {
    const file = join(temporaryFolder(), "posted.json");
    const run = (found: FleetReport) => notifyOwners(entries, found, file, testIo(addresses()).io);
    for (const found of [report("web"), report("web"), report(), report("web", "api"), report("web", "api")])
      await run(found);
    expect(posted.map(({ url }) => url)).toEqual(["/web", "/web", "/api"]);
  });

  it("says which variable is missing, and never an address", async () => {
    const { io, written } = testIo({ WORKSPACE_AUTOMATION_NOTIFY_TEAM_API: "not-an-address-but-a-secret" });
    const isComplete = await notifyOwners(entries, report("web", "api"), undefined, { ...io, quiet: true });
    expect(isComplete).toBe(false);
    expect(written().stderr).toContain("Not posted to team-web: set WORKSPACE_AUTOMATION_NOTIFY_TEAM_WEB");
    expect(written().stderr).toContain("Not posted to team-api (WORKSPACE_AUTOMATION_NOTIFY_TEAM_API)");
    expect(written().stderr).not.toContain("but-a-secret");
  });
});
