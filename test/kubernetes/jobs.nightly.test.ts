/**
 * Runs the Jobs of examples/kubernetes on the cluster of KUBECONFIG. Service and bucket are on this machine. Needs a build, Go, and an image builder:
 * test/kubernetes/cluster.ts names the settings.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { noCluster } from "./cluster.js";
import { Fleet, fleetImage } from "./fleet.js";

let image: string;
/** A pod starts slowly where other programs use the processors. */
const WITHIN_MS = 900_000;
const TEST_MS = 1_500_000;

describe.skipIf(noCluster)(`Jobs${noCluster ? ` (skipped: ${noCluster})` : ""}`, { timeout: TEST_MS }, () => {
  beforeAll(async () => void (image = await fleetImage()), 900_000);

  /** Applies the fleet, which must succeed. */
  async function apply(fleet: Fleet, args?: readonly string[]): Promise<string> {
    const { result, log } = await fleet.namespace.ended(await fleet.startUp(args), WITHIN_MS);
    expect(result, log).toBe("Complete");
    await fleet.expectAllDone(log);
    return log;
  }

  it("apply a fleet, apply it again without a change, and find drift", async () => {
    const fleet = await Fleet.open({ image });
    const { emulator } = fleet;
    expect(await apply(fleet)).not.toContain("cannot be resumed");
    emulator.journal.clear();
    await apply(fleet);
    expect(emulator.journal.writes()).toEqual([]);
    expect(await fleet.drift()).toMatchObject({ result: "Complete" });
    const path = "/workspaces/team-1/groups";
    await emulator.edit({ method: "POST", path, body: { name: "by hand" } });
    const { groups } = (await emulator.edit({ method: "GET", path })).body as { groups: { id: number }[] };
    const first = `${path}/${groups[0]?.id}`;
    await emulator.edit({ method: "PATCH", path: first, body: { description: "by hand" } });
    const { result, log } = await fleet.drift();
    expect(result).toBe("Failed");
    expect(log).toMatch(/team-1 .*drift +1 changed/);
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("apply the files of the next image", async () => {
    const fleet = await Fleet.open({ image });
    const { emulator, namespace } = fleet;
    const run = async () => namespace.ended(await fleet.startUpOf(await fleet.nextImage()), WITHIN_MS);
    const first = await run();
    expect(first.result, first.log).toBe("Complete");
    await fleet.expectAllDone(first.log);
    emulator.journal.clear();
    fleet.plans.get("team-2")!.groups["Team 0"]!.description = "changed";
    const second = await run();
    expect(second.result, second.log).toBe("Complete");
    await fleet.expectAllDone(second.log);
    expect(emulator.journal.writes()).toMatchObject([{ method: "PATCH" }]);
  });

  it("apply what was approved, even after a loss, and refuse everything else", async () => {
    const fleet = await Fleet.open({ image, latencyMs: 30 });
    const { emulator, namespace } = fleet;
    await apply(fleet);
    const before = structuredClone(fleet.plans);
    for (const plan of fleet.plans.values())
      for (let n = 0; n < 20; n++) plan.groups[`New ${n}`] = { description: "new", members: [] };
    const fingerprint = await fleet.approve();
    emulator.journal.clear();
    const options = (approved: string) => ["--plan", "/approved/preview.json", "--approved", approved];

    const other = await fleet.startUp(options(`sha256:${"0".repeat(64)}`), 0);
    const refused = await namespace.ended(other, WITHIN_MS);
    expect(refused.result, refused.log).toBe("Failed");
    expect(refused.log).toContain("does not contain the approved plans, nothing was changed");
    expect(emulator.journal.writes()).toEqual([]);

    const after = structuredClone(fleet.plans.get("team-1")!);
    fleet.plans.get("team-1")!.groups["New 0"]!.description = "not approved";
    const changed = await namespace.ended(await fleet.startUp(options(fingerprint), 0), WITHIN_MS);
    expect(changed.result, changed.log).toBe("Failed");
    fleet.plans.set("team-1", before.get("team-1")!);
    await fleet.expectAllDone(changed.log);

    fleet.plans.set("team-1", after);
    emulator.journal.clear();
    const job = await fleet.startUp(options(fingerprint));
    await fleet.writes(5);
    for (const pod of await fleet.running(job)) await namespace.lose(pod);
    const { result, log } = await namespace.ended(job, WITHIN_MS);
    expect(result, log).toBe("Complete");
    await fleet.expectAllDone(log);
  });

  it("refuse a wrong file and the deletion of a project, and apply the others", async () => {
    const fleet = await Fleet.open({ image });
    await apply(fleet);
    const [wrong, lost, other] = ["team-0", "team-1", "team-2"].map((name) => fleet.plans.get(name)!);
    const before = structuredClone(lost);
    Object.assign(wrong!, { nonsense: {} });
    delete lost!.projects["project-0"];
    other!.groups["Team 0"]!.description = "changed";
    const { result, log } = await fleet.namespace.ended(await fleet.startUp([], 0), WITHIN_MS);
    expect(result).toBe("Failed");
    expect(log).toContain("nonsense");
    expect(log).toContain("project-deletion: project project-0 would be deleted");
    fleet.plans.set("team-1", before!);
    fleet.plans.delete("team-0");
    await fleet.expectAllDone(log);
  });

  it("continue after an eviction and after a loss", async () => {
    const fleet = await Fleet.open({ image, latencyMs: 30 });
    const { emulator, namespace } = fleet;
    const job = await fleet.startUp();
    await fleet.writes(20);
    for (const pod of await fleet.running(job)) await namespace.evict(pod);
    const sofar = emulator.journal.writes().length;
    await fleet.writes(sofar + 20);
    for (const pod of await fleet.running(job)) await namespace.lose(pod);
    const { result, log } = await namespace.ended(job, WITHIN_MS);
    expect(result, log).toBe("Complete");
    await fleet.expectAllDone(log);
  });

  it("wait for each other when two apply one fleet", async () => {
    const fleet = await Fleet.open({ image, latencyMs: 30 });
    const jobs = [await fleet.startUp(), await fleet.startUp()];
    const ended = await Promise.all(jobs.map((job) => fleet.namespace.ended(job, WITHIN_MS)));
    const logs = ended.map(({ log }) => log).join("\n");
    expect(
      ended.map(({ result }) => result),
      logs,
    ).toEqual(["Complete", "Complete"]);
    await fleet.expectAllDone(logs);
  });

  it("wait for a bucket that is away for a minute", async () => {
    const fleet = await Fleet.open({ image, latencyMs: 30 });
    const job = await fleet.startUp();
    await fleet.writes(10);
    fleet.store.lose();
    await sleep(60_000);
    fleet.store.restore();
    const { result, log } = await fleet.namespace.ended(job, WITHIN_MS);
    expect(result, log).toBe("Complete");
    await fleet.expectAllDone(log);
  });

  it("wait when their token runs out of requests", async () => {
    const fleet = await Fleet.open({ image, rateLimit: 150, rateWindowSeconds: 90 });
    const job = await fleet.startUp();
    const { result, log } = await fleet.namespace.ended(job, WITHIN_MS);
    expect(result, log).toBe("Complete");
    const { failed = 0 } = JSON.parse(
      await fleet.namespace.kubectl(["get", "job", job, "--output", "jsonpath={.status}"]),
    ) as { failed?: number };
    expect(failed, log).toBe(0);
    await fleet.expectAllDone(log);
  });

  it("run wave by wave, with their gate", async () => {
    const waves = [{ name: "canary", workspaces: ["team-3"], gate: { drift: "clean" } }];
    const fleet = await Fleet.open({ image, more: { waves } });
    await fleet.namespace.ended(await fleet.startUp(["--wave", "canary"]), WITHIN_MS);
    const touched = new Set(
      fleet.emulator.journal.writes().map(({ path }) => /workspaces\/([^/?]+)/.exec(path)?.[1]),
    );
    expect([...touched]).toEqual(["team-3"]);
    await apply(fleet, ["--wave", "rest"]);
  });
});
