/** The parts of docs/scale.md: what was measured, and what it means for many workspaces. */
import { renderTable } from "./page.js";
import pods from "./pods.json" with { type: "json" };

/** How a fleet is divided. */
export interface Setting {
  readonly machines: number;
  /** Workspaces at a time on each machine. */
  readonly workers: number;
}

/** What a command took for all workspaces. */
export interface FleetFigures {
  /** Time until the last machine has finished. */
  readonly seconds: number;
  /** Time of the processors, all machines together. */
  readonly processorSeconds: number;
  readonly requests: number;
  /** MB at the peak, on the machine that used most. */
  readonly memory: number;
}

export interface FleetRun extends Setting {
  readonly up: FleetFigures;
  readonly drift: FleetFigures;
  /** Absent in the results of earlier releases. */
  readonly preview?: FleetFigures;
  /** A preview of the only workspace whose file has changed. */
  readonly changed?: FleetFigures;
  /** Bytes of a workspace in the bucket, with its history. */
  readonly state: number;
}

export interface FleetSize {
  readonly workspaces: number;
  readonly objects: number;
}

/** test/kubernetes/bars.nightly.test.ts writes them with FIGURES=scripts/bench/pods.json. */
export interface PodFigures {
  readonly workspaces: number;
  readonly objects: number;
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

export interface ScaleResults extends FleetSize {
  /** Of the machine that measured. */
  readonly cores: number;
  readonly node: string;
  /** Time in which `fleet plan` divides `MANY` workspaces into `JOBS` shards. */
  readonly planSeconds: number;
  readonly runs: readonly FleetRun[];
}

/** Requests of a user in an hour (spec: Limits). */
const LIMIT = 5000;
const HOUR = 3600;
/** Workspaces and jobs of the estimate. */
export const [MANY, JOBS] = [5000, 200];

const commands = {
  up: "first up",
  drift: "drift",
  preview: "preview",
  changed: "preview, 1 file changed",
} as const;

export function renderScale(results: ScaleResults, pod: PodFigures = pods): string {
  const { workspaces, objects, cores, node, planSeconds, runs } = results;
  const best = findCheapest(runs);
  const measured = runs.flatMap((run) =>
    (Object.keys(commands) as (keyof typeof commands)[]).flatMap((name) => {
      const figures = run[name];
      return figures ? [[run.machines, run.workers, commands[name], ...listCells(figures)]] : [];
    }),
  );
  const estimate = (title: string, cell: (of: FleetFigures) => string) => [
    title,
    cell(best.up),
    cell(best.drift),
  ];
  const all = (total: number) => (total * MANY) / workspaces;
  const estimated = [
    estimate("Requests of a workspace", ({ requests }) => (requests / workspaces).toFixed(0)),
    estimate("Requests of all", ({ requests }) => formatNumber(all(requests))),
    estimate("Time with one user", ({ requests }) => `${(all(requests) / LIMIT).toFixed(0)} hours`),
    estimate("Users for a run within an hour", ({ requests }) => Math.ceil(all(requests) / LIMIT).toFixed(0)),
    estimate("Processor time of a workspace", (of) => `${(of.processorSeconds / workspaces).toFixed(1)} s`),
    estimate(
      "Time with one machine",
      (of) => `${(all(of.processorSeconds) / HOUR / cores).toFixed(1)} hours`,
    ),
    estimate("Machines for a run within an hour", (of) =>
      Math.ceil(all(of.processorSeconds) / HOUR / cores).toFixed(0),
    ),
    estimate("Memory of a machine", ({ memory }) => `${memory.toFixed(0)} MB`),
  ];
  const faults = `${pod.losses} losses and ${pod.evictions} evictions of pods at random moments`;
  const ofPods = [
    ["Memory of the largest pod", `${pod.memory.toFixed(0)} MB`],
    ["Processor time of a workspace", `${pod.processorSeconds.toFixed(1)} s`],
    ["Requests of a workspace", pod.requests.toFixed(0)],
    ["Time", `${pod.seconds.toFixed(0)} s`],
    [
      `Time with ${faults}`,
      `${pod.secondsWithFaults.toFixed(0)} s, ${pod.secondsAfterLastFault.toFixed(0)} s after the last one`,
    ],
  ];
  return `Measured: ${workspaces} workspaces of ${objects} objects each, on ${cores} cores, with Node.js ${node}.

${renderTable(["Machines", "Workspaces at a time", "Command", "Time", "Processor time", "Requests", "Memory of a machine"], measured)}

Estimated for ${formatNumber(MANY)} workspaces: the run of one machine with ${best.workers} workspaces at a time, multiplied, for machines with ${cores} cores that are busy all the time.

${renderTable(["", commands.up, commands.drift], estimated)}

The state of a workspace is ${(best.state / 1e3).toFixed(0)} kB after its first \`up\`, with its backup and history, so that of all is ${((best.state * MANY) / 1e9).toFixed(1)} GB. \`fleet plan\`
divides ${formatNumber(MANY)} workspaces into ${JOBS} shards in ${planSeconds.toFixed(1)} seconds.

On Kubernetes, an Indexed Job applied ${pod.workspaces} new workspaces of ${pod.objects} objects, with two pods at a time:

${renderTable(["", ""], ofPods)}`;
}

/** The run on one machine that took the least processor time. */
function findCheapest(runs: readonly FleetRun[]): FleetRun {
  const [best] = runs
    .filter(({ machines }) => machines === 1)
    .toSorted((one, other) => one.drift.processorSeconds - other.drift.processorSeconds);
  if (best === undefined) throw new Error("The page needs a run on one machine: add 1x2 to --settings");
  return best;
}

function listCells({ seconds, processorSeconds, requests, memory }: FleetFigures): string[] {
  const times = [seconds, processorSeconds].map((one) => `${one.toFixed(0)} s`);
  return [...times, formatNumber(requests), `${memory.toFixed(0)} MB`];
}

function formatNumber(value: number): string {
  return Math.floor(value).toLocaleString("en-US");
}
