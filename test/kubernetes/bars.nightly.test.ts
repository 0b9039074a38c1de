/**
 * Runs a fleet twice on the cluster of KUBECONFIG, the second time with losses and evictions of pods at random moments: WORKSPACES, LOSSES and
 * EVICTIONS set the size, SEED repeats the moments, and FIGURES names a file for the figures, such as scripts/bench/pods.json. The service is 30 ms away, the bucket 25 ms. Prints what a pod needs. Settings are those of
 * test/kubernetes/cluster.ts.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import type { PodFigures } from "../../scripts/bench/scale.js";
import { randomOf } from "../chaos/random.js";
import { noCluster } from "./cluster.js";
import { Fleet, fleetImage } from "./fleet.js";

let image: string;
const sizeOf = (name: string, usual: number) => Number(process.env[name] ?? usual);
const workspaces = sizeOf("WORKSPACES", 8);
const losses = sizeOf("LOSSES", 2);
const evictions = sizeOf("EVICTIONS", 2);
const seed = sizeOf("SEED", Math.floor(Math.random() * 1_000_000));
/** Requests that create the objects of a workspace. */
const WRITES = 30;
/** Objects of a workspace. */
const OBJECTS = 34;
const WITHIN_MS = 5_400_000;

/** What the pods of a Job have used, as their control groups say while they run. */
class Usage {
  private readonly byPod = new Map<string, { memory: number; seconds: number }>();
  private isOver = false;

  constructor(private readonly fleet: Fleet) {}

  async watch(job: string): Promise<void> {
    const script =
      "cat /sys/fs/cgroup/memory.peak /sys/fs/cgroup/cpu.stat 2>/dev/null || " +
      "{ cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes; echo usage_usec $(($(cat /sys/fs/cgroup/cpuacct/cpuacct.usage) / 1000)); }";
    while (!this.isOver) {
      for (const pod of await this.fleet.running(job).catch(() => [])) {
        const argv = ["--namespace", this.fleet.namespace.name, "exec", pod, "--", "sh", "-c", script];
        const { stdout, exitCode } = await execa("kubectl", argv, { reject: false });
        const [, memory, usage] = /^(\d+)[^]*usage_usec (\d+)/.exec(stdout) ?? [];
        if (exitCode === 0 && memory && usage)
          this.byPod.set(pod, { memory: Number(memory) / 1e6, seconds: Number(usage) / 1e6 });
      }
      await sleep(2_000);
    }
  }

  end(): Pick<PodFigures, "memory" | "processorSeconds"> {
    this.isOver = true;
    const all = [...this.byPod.values()];
    const seconds = all.reduce((sum, one) => sum + one.seconds, 0);
    return {
      memory: Math.max(0, ...all.map(({ memory }) => memory)),
      processorSeconds: seconds / workspaces,
    };
  }
}

const print = (line: string) => process.stderr.write(`${line}\n`);

describe.skipIf(noCluster)(`a fleet with faults (seed ${seed})`, { timeout: WITHIN_MS }, () => {
  beforeAll(async () => void (image = await fleetImage()), 900_000);

  async function open(): Promise<Fleet> {
    return Fleet.open({ image, workspaces, latencyMs: 30, bucketMs: 25 });
  }

  it("is as declared at the end, without a human, soon after the last fault", async () => {
    const quiet = await open();
    let began = Date.now();
    const usage = new Usage(quiet);
    const first = await quiet.startUp();
    const watching = usage.watch(first);
    const { result, log } = await quiet.namespace.ended(first, WITHIN_MS);
    const quietMs = Date.now() - began;
    const figures = usage.end();
    await watching;
    expect(result, log).toBe("Complete");
    await quiet.expectAllDone(log);
    const requests = quiet.emulator.journal.requests.length / workspaces;
    const { memory, processorSeconds } = figures;
    print(
      `without faults: ${(quietMs / 1000).toFixed(0)} s; at most ${memory.toFixed(0)} MB in a pod, ` +
        `${processorSeconds.toFixed(1)} s of a processor and ${requests.toFixed(0)} requests for a workspace`,
    );

    const random = randomOf(seed);
    const fleet = await open();
    began = Date.now();
    const job = await fleet.startUp([], losses + evictions);
    const faults = random.shuffled([
      ...Array.from({ length: losses }, () => "loss" as const),
      ...Array.from({ length: evictions }, () => "eviction" as const),
    ]);
    const moments = faults.map(() => random.below(WRITES * workspaces)).toSorted((one, other) => one - other);
    let lastFault = began;
    for (const [i, fault] of faults.entries()) {
      await fleet.writes(moments[i] ?? 0, WITHIN_MS);
      let there = await fleet.running(job);
      for (; there.length === 0; there = await fleet.running(job)) await sleep(500);
      const pod = random.pick(there);
      if (fault === "loss") await fleet.namespace.lose(pod);
      else await fleet.namespace.evict(pod).catch(() => undefined);
      lastFault = Date.now();
      print(`${((lastFault - began) / 1000).toFixed(0)} s: ${fault} of ${pod}`);
    }
    const faulty = await fleet.namespace.ended(job, WITHIN_MS);
    const ended = Date.now();
    const faultyMs = ended - began;
    print(
      `with ${losses} losses and ${evictions} evictions: ${(faultyMs / 1000).toFixed(0)} s (${(faultyMs / quietMs).toFixed(2)}x), ` +
        `${((ended - lastFault) / 1000).toFixed(0)} s after the last fault`,
    );
    expect(faulty.result, faulty.log).toBe("Complete");
    await fleet.expectAllDone(faulty.log);
    const file = process.env["FIGURES"];
    const all: PodFigures = {
      ...{ workspaces, objects: OBJECTS, requests, processorSeconds, memory, losses, evictions },
      seconds: quietMs / 1000,
      secondsWithFaults: faultyMs / 1000,
      secondsAfterLastFault: (ended - lastFault) / 1000,
    };
    if (file) writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  });
});
