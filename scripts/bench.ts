/**
 * How long commands take on workspaces of several sizes, beside Pulumi's engine with a provider that does nothing, and beside another
 * build: `npm run bench -- --sizes 100,500 --against ../before/dist/cli/bin.js`. Writes docs/performance.md unless it compares builds.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { ensurePulumi } from "../cli/toolchain/index.js";
import { Floor } from "./bench/floor.js";
import { measure, type Measured } from "./bench/measure.js";
import { workspaceOf } from "./bench/workspace.js";

const LATENCY_MS = 30;
const { values } = parseArgs({
  options: { sizes: { type: "string", default: "100,500,2000" }, against: { type: "string" } },
});
const sizes = values.sizes.split(",").map(Number);
const ours = resolve("dist/bin/workspacectl.js");
const print = (line: string) => process.stdout.write(`${line}\n`);

/** A step of the story that is measured, and the same for the engine alone. */
interface Operation {
  readonly name: string;
  readonly args: readonly string[];
  readonly floor: readonly string[];
  /** One object of a hundred has changed before it. */
  readonly changed?: boolean;
}

const UP = ["up", "--yes", "--skip-preview"];
const operations: readonly Operation[] = [
  { name: "first up", args: ["up", "--yes", "--create-stack"], floor: UP },
  { name: "preview", args: ["preview"], floor: ["preview", "--refresh"] },
  { name: "up, no changes", args: ["up", "--yes"], floor: ["preview", "--refresh"] },
  { name: "up, 1 % changed", args: ["up", "--yes"], floor: [...UP, "--refresh"], changed: true },
  { name: "drift", args: ["drift"], floor: ["preview", "--refresh"] },
  {
    name: "destroy",
    args: ["destroy", "--yes", "--include-protected", "--allow-delete", "**"],
    floor: ["destroy", "--yes", "--skip-preview", "--ignore-protect"],
  },
];

interface Row {
  readonly size: number;
  readonly name: string;
  readonly ours: Measured;
  readonly requests: number;
  readonly floor: Measured;
  readonly other: Measured | undefined;
}

if (process.env["BENCH_ROLE"] === "emulator") await serveEmulator();
else await bench();

/** The service, in a process of its own; tells how many requests it has answered since it was asked last. */
async function serveEmulator(): Promise<void> {
  const { startEmulator } = await import("../emulator/index.js");
  const emulator = await startEmulator({ latencyMs: LATENCY_MS, rateLimit: 1e9, echoMemberEmail: true });
  process.on("message", () => {
    process.send?.(emulator.journal.requests.length);
    emulator.journal.clear();
  });
  process.send?.({ baseUrl: emulator.baseUrl, token: emulator.token });
}

async function bench(): Promise<void> {
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await story(size)));
  const text = table(rows);
  print(text);
  if (values.against !== undefined) return;
  const file = "docs/performance.md";
  writeFileSync(file, await format(page(text, rows), { ...(await resolveConfig(file)), filepath: file }));
}

/** All operations at a size, each command right after the others, so that all have the same hour. */
async function story(size: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-bench-"));
  const toolchain = await ensurePulumi();
  const mine = await contender(join(folder, "ours"), ours);
  const other = values.against && (await contender(join(folder, "other"), resolve(values.against)));
  const floor = await Floor.create(join(folder, "floor"), toolchain);
  const rows: Row[] = [];
  try {
    for (const { name, args, floor: floorArgs, changed } of operations) {
      const text = workspaceOf(size, changed ? Math.ceil(size / 100) : 0);
      const own = await mine.run(args, text);
      const row = {
        size,
        name,
        ours: own.measured,
        requests: own.requests,
        floor: await floor.run(floorArgs, mine.file),
        other: other ? (await other.run(args, text)).measured : undefined,
      };
      rows.push(row);
      print(line(row));
    }
  } finally {
    mine.close();
    if (other) other.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

/** A build of workspacectl with a workspace of its own. */
async function contender(folder: string, bin: string) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "workspace.yaml");
  const emulator = fork(process.argv[1] ?? "", { env: { ...process.env, BENCH_ROLE: "emulator" } });
  const [told] = (await once(emulator, "message")) as [{ baseUrl: string; token: string }];
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_CONFIG_PASSPHRASE: "bench",
    WORKSPACE_AUTOMATION_BASE_URL: told.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: told.token,
    WORKSPACE_AUTOMATION_JOURNAL: join(folder, "journal"),
    WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
  };
  return {
    file,
    async run(args: readonly string[], text: string) {
      writeFileSync(file, text);
      const measured = await measure(process.execPath, [bin, ...args, "-f", file], { cwd: folder, env });
      emulator.send("requests");
      const [requests] = (await once(emulator, "message")) as [number];
      return { measured, requests };
    },
    close: () => emulator.kill(),
  };
}

function line({ size, name, ours: own, requests, floor, other }: Row): string {
  const cells = [
    String(size),
    name,
    `${own.seconds.toFixed(1)} s`,
    `${(own.seconds / floor.seconds).toFixed(1)}x`,
    ...(other ? [`${(own.seconds / other.seconds).toFixed(2)}x`] : []),
    String(requests),
    `${own.peak.toFixed(0)} MB`,
    ...(other ? [`${(own.peak / other.peak).toFixed(2)}x`] : []),
  ];
  return `| ${cells.join(" | ")} |`;
}

function table(rows: readonly Row[]): string {
  const isCompared = rows.some(({ other }) => other);
  const head = [
    ...["Objects", "Command", "Time", "Engine's floor"],
    ...(isCompared ? ["Other build"] : []),
    ...["Requests", "Peak memory"],
    ...(isCompared ? ["Other build"] : []),
  ];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

function page(text: string, rows: readonly Row[]): string {
  const perObject = (size: number) => {
    const first = rows.find((row) => row.size === size && row.name === "first up");
    return first ? `${((1000 * first.ours.seconds) / size).toFixed(0)} ms at ${size}` : "";
  };
  return `<!-- Generated by scripts/bench.ts (npm run bench). Do not edit. -->
# Performance

Measured by \`npm run bench\` on ${cpus().length} cores, Node.js ${process.versions.node}, against the emulator with ${LATENCY_MS} ms of latency. Compare the ratios: times
differ from machine to machine and hour to hour. "Engine's floor" is the time beside that of Pulumi's engine with the same resources and a
provider that does nothing, run in the same minute. Memory is the sum over all processes.

${text}

A first \`up\` takes ${sizes.map(perObject).join(", ")} per object.
`;
}
