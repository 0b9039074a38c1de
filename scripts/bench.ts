/**
 * Measures commands on workspaces of several sizes, and Pulumi's engine alone with a provider that does nothing:
 * `npm run bench -- --sizes 100,500`. Writes docs/performance.md. With `--results FILE`, sizes can be measured in several
 * runs: the file collects the results.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensurePulumi } from "../cli/toolchain/index.js";
import { Floor } from "./bench/floor.js";
import { measure, type Measured, type Memory } from "./bench/measure.js";
import { readResults, writePage } from "./bench/page.js";
import {
  BUCKET_MS,
  commandFile,
  LATENCY_MS,
  remote,
  startService,
  startServiceWithBucket,
} from "./bench/service.js";
import { writeWorkspace } from "./bench/workspace.js";

const { values } = parseArgs({
  options: { sizes: { type: "string", default: "40,100,500,2000" }, results: { type: "string" } },
});
const measured = values.sizes.split(",").map(Number);
const print = (line: string) => process.stdout.write(`${line}\n`);

/** A command that is measured, and the same for the engine alone. */
interface Operation {
  readonly name: string;
  readonly args: readonly string[];
  readonly floor: readonly string[];
  /** Whether one object of a hundred is changed before it. */
  readonly changed?: boolean;
  /** It is measured once more with the state in a bucket. */
  readonly inBucket?: boolean;
}

const UP = ["up", "--yes", "--skip-preview"];
const operations: readonly Operation[] = [
  { name: "first up", args: ["up", "--yes", "--create-stack"], floor: UP, inBucket: true },
  { name: "preview", args: ["preview"], floor: ["preview", "--refresh"] },
  { name: "up, no changes", args: ["up", "--yes"], floor: ["preview", "--refresh"] },
  { name: "up, 1 % changed", args: ["up", "--yes"], floor: [...UP, "--refresh"], changed: true },
  { name: "drift", args: ["drift"], floor: ["preview", "--refresh"] },
  {
    name: "destroy",
    args: ["destroy", "--yes", "--include-protected", "--allow-delete", "**"],
    floor: ["destroy", "--yes", "--skip-preview", "--ignore-protect"],
    inBucket: true,
  },
];

interface Row {
  readonly size: number;
  readonly name: string;
  readonly ours: Measured;
  readonly requests: number;
  readonly floor: Measured;
}

const { results } = values;
const rows = (readResults<Row[]>(results) ?? []).filter(({ size }) => !measured.includes(size));
for (const size of measured) {
  const inFolder = await measureSize(size);
  rows.push(...inFolder, ...(await measureInBucket(size, inFolder)));
  if (results) writeFileSync(results, JSON.stringify(rows));
}
rows.sort((a, b) => a.size - b.size);
const sizes = [...new Set(rows.map(({ size }) => size))];
const text = renderPage(rows);
print(text);
await writePage("docs/performance.md", text);

/** Measures all operations at a size. Each command runs right after the engine alone, so that both have the same conditions. */
async function measureSize(size: number): Promise<Row[]> {
  const service = await startService({ settings: remote });
  const { folder, env } = service;
  const workspace = join(folder, "workspace.yaml");
  const results: Row[] = [];
  try {
    const floor = await Floor.create(join(folder, "floor"), await ensurePulumi());
    for (const { name, args, floor: floorArgs, changed } of operations) {
      writeFileSync(workspace, writeWorkspace(size, changed ? { changed: Math.ceil(size / 100) } : {}));
      const command = [resolve(commandFile), ...args, "-f", workspace];
      const ours = await measure(process.execPath, command, { cwd: folder, env });
      const requests = (await service.requests()).length;
      const row = { size, name, ours, requests, floor: await floor.run(floorArgs, workspace) };
      results.push(row);
      print(formatLine(row));
    }
  } finally {
    service.close();
  }
  return results;
}

/** Measures the operations whose time depends on the place of the state. The floor is that in a folder. */
async function measureInBucket(size: number, inFolder: readonly Row[]): Promise<Row[]> {
  const { service, store } = await startServiceWithBucket({ settings: remote });
  const { env, folder } = service;
  const workspace = join(folder, "workspace.yaml");
  writeFileSync(workspace, writeWorkspace(size, {}));
  const results: Row[] = [];
  try {
    for (const { name, args } of operations.filter(({ inBucket }) => inBucket)) {
      const command = [resolve(commandFile), ...args, "-f", workspace];
      const ours = await measure(process.execPath, command, { cwd: folder, env });
      const requests = (await service.requests()).length;
      const { floor } = inFolder.find((row) => row.name === name) as Row;
      const row = { size, name: `${name}, state in a bucket`, ours, requests, floor };
      results.push(row);
      print(formatLine(row));
    }
  } finally {
    service.close();
    await store.close();
  }
  return results;
}

function formatLine({ size, name, ours, requests, floor }: Row): string {
  const times = [`${ours.seconds.toFixed(1)} s`, `${(ours.seconds / floor.seconds).toFixed(1)}x`];
  const alone = `${floor.peak.total.toFixed(0)} MB`;
  return `| ${[size, name, ...times, requests, formatMemory(ours.peak), alone].join(" | ")} |`;
}

function formatMemory({ total, parts }: Memory): string {
  const each = Object.entries(parts).map(([name, size]) => `${name} ${size.toFixed(0)}`);
  return `${total.toFixed(0)} MB (${each.join(", ")})`;
}

/** Compares the time per object at the largest size with that at the one before. */
function formatGrowth(all: readonly Row[], name: string): string {
  const perObject = sizes.map((size) => {
    const row = all.find((one) => one.size === size && one.name === name);
    return (1000 * (row?.ours.seconds ?? NaN)) / size;
  });
  const times = perObject.map((one) => `${one.toFixed(0)} ms`);
  const [before, last] = perObject.slice(-2);
  const ratio = before === undefined || last === undefined ? "" : `${(last / before).toFixed(2)}x`;
  return `| ${[name, ...times, ratio].join(" | ")} |`;
}

function renderPage(all: readonly Row[]): string {
  return `<!-- Generated by scripts/bench.ts (npm run bench). Do not edit. -->
# Performance

These are the times of the commands for workspaces of several sizes. \`npm run bench\` measured them on ${cpus().length} cores, with Node.js ${process.versions.node} and the emulator with ${LATENCY_MS} ms of latency. Compare the
ratios, because times differ between machines and hours. "Bare engine" is the ratio to the time of Pulumi's engine with the same
resources and a provider that does nothing. It ran in the same minute, and also writes the state once. Memory is the peak of all
processes together, with the share of each. The last column is the memory of the bare engine in its run.
The bucket is an S3 server on this machine, ${BUCKET_MS} ms away; its bare engine uses a folder.

| Objects | Command | Time | Bare engine | Requests | Peak memory | Memory of the bare engine |
|---|---|---|---|---|---|---|
${all.map(formatLine).join("\n")}

Time per object, and its ratio between the largest size and the one before:

| Command | ${sizes.map((size) => `${size} objects`).join(" | ")} | Growth |
|---|${sizes.map(() => "---|").join("")}---|
${operations.map(({ name }) => formatGrowth(all, name)).join("\n")}
`;
}
