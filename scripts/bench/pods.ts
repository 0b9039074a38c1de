/** The part of docs/scale.md on pods. test/kubernetes/bars.nightly.test.ts writes the figures with FIGURES=scripts/bench/pods.json. */
import figures from "./pods.json" with { type: "json" };

export interface PodFigures {
  readonly workspaces: number;
  readonly objects: number;
  readonly shards: number;
  readonly requests: number;
  /** Processor time of a workspace. */
  readonly processorSeconds: number;
  /** Of the largest pod, in MB. */
  readonly memory: number;
  readonly seconds: number;
  /** The same with faults. */
  readonly losses: number;
  readonly evictions: number;
  readonly secondsWithFaults: number;
  readonly secondsAfterLastFault: number;
}

export function renderPods(one: PodFigures = figures): string {
  return `## Pods

An Indexed Job of [examples/kubernetes](fleet.md#on-kubernetes) applied ${one.workspaces} new workspaces of ${one.objects} objects in ${one.shards} shards, with two pods at a
time, each with one workspace at a time. The service was 30 ms away, the bucket 25 ms.

| | |
|---|---|
| Memory of the largest pod | ${one.memory.toFixed(0)} MB |
| Processor time of a workspace | ${one.processorSeconds.toFixed(1)} s |
| Requests of a workspace | ${one.requests.toFixed(0)} |
| Time | ${one.seconds.toFixed(0)} s |
| Time with ${one.losses} losses and ${one.evictions} evictions of pods at random moments | ${one.secondsWithFaults.toFixed(0)} s, ${one.secondsAfterLastFault.toFixed(0)} s after the last one |

The memory is that of the control group. It does not contain the program files of Node.js and Pulumi, which the pods of a node share: the processes of a
pod used some 310 MB with them. Both figures were read every few seconds, so a pod may have needed a little more at its end. The manifests request 500m of a processor and 350 MiB, and limit the memory to 700 MiB. The cluster had one node with two
processors, which the emulator, the bucket and other programs kept busy, so the times are upper bounds.
`;
}
