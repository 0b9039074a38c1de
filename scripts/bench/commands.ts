/**
 * Measures commands on workspaces of several sizes, and Pulumi's engine alone with a provider that does nothing:
 * `npm run bench -- --sizes 100,500`. Writes its part of docs/performance.md. With `--results FILE`, sizes can be measured in several
 * runs: the file collects the results.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensurePulumi } from "../../toolchain/index.js";
import { Floor } from "./floor.js";
import { measure, type Measured, type Memory } from "./measure.js";
import { readResults, renderTable, writeSection } from "./page.js";
import {
  commandFile,
  LATENCY_MS,
  remote,
  type Service,
  startService,
  startServiceWithBucket,
} from "./service.js";
import { writeWorkspace } from "./workspace.js";

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
const text = renderPart(rows);
print(text);
await writeSection("docs/performance.md", "bench", text);

/** Measures the operations at a size. Each command runs right after the engine alone, so that both have the same conditions. */
async function measureSize(size: number): Promise<Row[]> {
  const service = await startService({ settings: remote });
  try {
    const floor = await Floor.create(join(service.folder, "floor"), await ensurePulumi());
    return await measureAll(service, size, operations, "", ({ floor: args }, file) => floor.run(args, file));
  } finally {
    service.close();
  }
}

/** Measures the operations whose time depends on the place of the state. The floor is that in a folder. */
async function measureInBucket(size: number, inFolder: readonly Row[]): Promise<Row[]> {
  const { service, store } = await startServiceWithBucket({ settings: remote });
  const some = operations.filter(({ inBucket }) => inBucket);
  const findFloor = ({ name }: Operation) => (inFolder.find((row) => row.name === name) as Row).floor;
  try {
    return await measureAll(service, size, some, ", state in a bucket", findFloor);
  } finally {
    service.close();
    await store.close();
  }
}

async function measureAll(
  { folder, env, requests }: Service,
  size: number,
  all: readonly Operation[],
  where: string,
  measureFloor: (operation: Operation, file: string) => Measured | Promise<Measured>,
): Promise<Row[]> {
  const file = join(folder, "workspace.yaml");
  const rows: Row[] = [];
  for (const operation of all) {
    writeFileSync(file, writeWorkspace(size, operation.changed ? { changed: Math.ceil(size / 100) } : {}));
    const command = [resolve(commandFile), ...operation.args, "-f", file];
    const ours = await measure(process.execPath, command, { cwd: folder, env });
    const made = (await requests()).length;
    const floor = await measureFloor(operation, file);
    rows.push({ size, name: `${operation.name}${where}`, ours, requests: made, floor });
    print(rows.slice(-1).flatMap(listCells).join(", "));
  }
  return rows;
}

function listCells({ size, name, ours, requests, floor }: Row): unknown[] {
  // Results of earlier releases have no processor time.
  const processor = (ours as Partial<Measured>).processorSeconds?.toFixed(1);
  const times = [
    `${ours.seconds.toFixed(1)} s`,
    processor === undefined ? "" : `${processor} s`,
    `${(ours.seconds / floor.seconds).toFixed(1)}x`,
  ];
  return [size, name, ...times, requests, formatMemory(ours.peak), `${floor.peak.total.toFixed(0)} MB`];
}

function formatMemory({ total, parts }: Memory): string {
  const each = Object.entries(parts).map(([name, size]) => `${name} ${size.toFixed(0)}`);
  return `${total.toFixed(0)} MB (${each.join(", ")})`;
}

/** Compares the time per object at the largest size with that at the one before. */
function listGrowth(all: readonly Row[], name: string): string[] {
  const perObject = sizes.map((size) => {
    const row = all.find((one) => one.size === size && one.name === name);
    return (1000 * (row?.ours.seconds ?? NaN)) / size;
  });
  const times = perObject.map((one) => `${one.toFixed(0)} ms`);
  const [before, last] = perObject.slice(-2);
  return [name, ...times, before === undefined || last === undefined ? "" : `${(last / before).toFixed(2)}x`];
}

function renderPart(all: readonly Row[]): string {
  const head = [
    "Objects",
    "Command",
    "Time",
    "Processor time",
    "Bare engine",
    "Requests",
    "Peak memory",
    "Memory of the bare engine",
  ];
  const growth = operations.map(({ name }) => listGrowth(all, name));
  return `\`npm run bench\` measured them on ${cpus().length} cores, with Node.js ${process.versions.node} and the emulator with ${LATENCY_MS} ms of latency:

${renderTable(head, all.map(listCells))}

Time per object, and its ratio between the largest size and the one before:

${renderTable(["Command", ...sizes.map((size) => `${size} objects`), "Growth"], growth)}`;
}
