/** Tests that a workspace of a fleet that waits for a lock lets another one run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pLimit from "p-limit";
import { describe, expect, it } from "vitest";
import type { FleetEntry } from "../../../../cli/commands/fleet/fleet-file.js";
import { putLockedFirst } from "../../../../cli/commands/fleet/locked-workspaces.js";
import { inTurn } from "../../../../cli/commands/fleet/worker-processes.js";
import { temporaryFolder } from "../../support.js";

function withResolvers() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((end) => void (resolve = end));
  return { promise, resolve: () => resolve() };
}

describe("a workspace that waits", () => {
  it("lets the next one run, and continues when it is its turn again", async () => {
    const limit = pLimit(1);
    const events: string[] = [];
    const isFree = withResolvers();
    const waiting = inTurn(limit, async ({ give, take }) => {
      events.push("one waits");
      give();
      await isFree.promise;
      await take();
      events.push("one continues");
    });
    const other = inTurn(limit, async () => {
      events.push("two begins");
      isFree.resolve();
      await Promise.resolve();
      events.push("two ends");
    });
    await Promise.all([waiting, other]);
    expect(events).toEqual(["one waits", "two begins", "two ends", "one continues"]);
  });

  it("holds up nobody if it ends before its next turn", async () => {
    const limit = pLimit(1);
    const hasEnded = withResolvers();
    const lost = inTurn(limit, async ({ give, take }) => {
      give();
      void take();
      await hasEnded.promise;
    });
    await inTurn(limit, () => Promise.resolve());
    hasEnded.resolve();
    await lost;
    expect(await inTurn(limit, () => Promise.resolve("runs"))).toBe("runs");
  });
});

describe("workspaces whose stacks are locked", () => {
  it("come first, and the others stay in their order", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "workspace.yaml");
    writeFileSync(file, "version: 1\nworkspace: acme\n");
    const locks = join(folder, "state/.pulumi/locks/organization/workspace-automation/eu");
    mkdirSync(locks, { recursive: true });
    writeFileSync(join(locks, "0.json"), "{}");
    const entries = ["us", "lab", "eu"].map((stack) => ({ name: stack, stack, file }) as FleetEntry);
    const at = (url: string) => () => ({ PULUMI_BACKEND_URL: url, PULUMI_HOME: folder });
    const names = async (url: string) => (await putLockedFirst(entries, at(url))).map(({ name }) => name);
    expect(await names(pathToFileURL(join(folder, "state")).href)).toEqual(["eu", "us", "lab"]);
    expect(await names("s3://state?endpoint=127.0.0.1:1&disableSSL=true")).toEqual(["us", "lab", "eu"]);
  });
});
