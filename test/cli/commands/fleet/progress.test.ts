/** Tests cli/commands/fleet/progress.ts. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FleetProgress } from "../../../../cli/commands/fleet/progress.js";
import { testIo } from "../../support.js";

describe("the record of a run", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fleet-progress-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs until one of two workspaces is done. */
  async function playHalf() {
    const { io, written } = testIo({ WORKSPACE_AUTOMATION_JOURNAL: join(folder, "own") });
    const digests = new Map([["us", "digest"]]);
    const progress = await FleetProgress.open(join(folder, "fleet.yaml"), digests, {}, io);
    progress.done({ name: "us" });
    await progress.settle();
    return { canResume: progress.canResume, stderr: written().stderr };
  }

  it("can be resumed once something is done", async () => {
    expect(await playHalf()).toEqual({ canResume: true, stderr: "" });
  });

  it("is not written to a checkout, and then offers no --resume", async () => {
    mkdirSync(join(folder, ".git"));
    const { canResume, stderr } = await playHalf();
    expect(canResume).toBe(false);
    expect(stderr).toContain("This run cannot be resumed: ");
    expect(stderr).toContain(`is in the checkout ${folder}`);
    expect(existsSync(join(folder, "own"))).toBe(false);
  });
});
