/**
 * Measures a fleet of emulated workspaces on one machine and divided among several: `npm run bench -- fleet`. Writes its part of
 * docs/scale.md. With `--results FILE`, the settings can be measured in several runs: the file collects the results.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Seed } from "../../emulator/index.js";
import { measure } from "./measure.js";
import { readResults, writeSection } from "./page.js";
import {
  type FleetFigures,
  type FleetRun,
  type FleetSize,
  JOBS,
  MANY,
  renderScale,
  type ScaleResults,
  type Setting,
} from "./scale.js";
import { commandFile, remote, type Service, startServiceWithBucket } from "./service.js";
import { writeWorkspace } from "./workspace.js";

const { values } = parseArgs({
  options: {
    workspaces: { type: "string", default: "100" },
    objects: { type: "string", default: "31" },
    /** Machines x workspaces at a time on each. */
    settings: { type: "string", default: "1x1,1x2,1x4,4x2" },
    results: { type: "string" },
    /** Only print the figures. */
    "no-page": { type: "boolean", default: false },
  },
});
const size = { workspaces: Number(values.workspaces), objects: Number(values.objects) };
const settings = values.settings.split(",").filter(Boolean).map(parseSetting);
const print = (line: string) => process.stdout.write(`${line}\n`);

const { results } = values;
const earlier = readResults<ScaleResults>(results);
const isSame = (one: Setting, other: Setting) =>
  one.machines === other.machines && one.workers === other.workers;
const runs: FleetRun[] = (earlier?.runs ?? []).filter((run) => !settings.some((one) => isSame(one, run)));
const planSeconds = await measurePlan(MANY, JOBS);
for (const setting of settings) {
  const run = await measureFleet(size, setting);
  runs.push(run);
  for (const name of ["up", "drift", "preview", "changed"] as const) {
    const { requests = 0, processorSeconds = 0 } = run[name] ?? {};
    const count = name === "changed" ? 1 : size.workspaces;
    const seconds = (processorSeconds / count).toFixed(2);
    print(`${name}: ${(requests / count).toFixed(1)} requests and ${seconds} s of CPU per workspace`);
  }
  save();
}
if (!values["no-page"]) {
  await writeSection("docs/scale.md", "bench -- fleet", renderScale(save()));
}

function save(): ScaleResults {
  runs.sort((one, other) => one.machines - other.machines || one.workers - other.workers);
  const all = { ...size, cores: cpus().length, node: process.versions.node, planSeconds, runs };
  if (results) writeFileSync(results, JSON.stringify(all, null, 2));
  return all;
}

function parseSetting(text: string): Setting {
  const [machines = NaN, workers = NaN] = text.split("x").map(Number);
  if (!(machines > 0 && workers > 0))
    throw new Error(`A setting is "machines x workers", such as 4x2, not ${text}`);
  return { machines, workers };
}

/**
 * Runs a first `up`, a `drift`, a `preview`, and a `preview --changed-since` of one changed file on a new emulator. The states are in
 * a bucket.
 */
async function measureFleet(size: FleetSize, setting: Setting): Promise<FleetRun> {
  const names = listNames(size.workspaces);
  const { service, store } = await startServiceWithBucket({ seed: createSeed(names), settings: remote });
  const { folder } = service;
  try {
    for (const name of names)
      writeFileSync(join(folder, `${name}.yaml`), writeWorkspace(size.objects, { name }));
    writeFleet(folder, names);
    const up = await runOnMachines(["up", "--yes"], ["--create-stack"], service, setting);
    const drift = await runOnMachines(["drift"], [], service, setting);
    const preview = await runOnMachines(["preview"], [], service, setting);
    commitFiles(folder);
    const [first = ""] = names;
    writeFileSync(join(folder, `${first}.yaml`), writeWorkspace(size.objects, { name: first, changed: 1 }));
    const changed = await runOnMachines(["preview", "--changed-since", "HEAD"], [], service, setting);
    return {
      ...setting,
      up,
      drift,
      preview,
      changed,
      state: (await store.bytes()) / size.workspaces,
    };
  } finally {
    service.close();
    await store.close();
  }
}

/** Measures the seconds in which `fleet plan` divides a fleet. */
async function measurePlan(workspaces: number, shards: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-bench-"));
  try {
    writeFleet(folder, listNames(workspaces));
    const args = [resolve(commandFile), "fleet", "plan", "--shards", String(shards)];
    return (await measure(process.execPath, args, { cwd: folder, env: { PATH: process.env["PATH"] } }))
      .seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The machines run one after the other, so each has this machine for itself as a runner has. The time is that of the
 * slowest.
 *
 * @param command the command of `fleet` with its options
 * @param each options of the command for each workspace
 */
async function runOnMachines(
  command: readonly string[],
  each: readonly string[],
  { env, folder, requests }: Service,
  { machines, workers }: Setting,
): Promise<FleetFigures> {
  const all: FleetFigures[] = [];
  for (let machine = 1; machine <= machines; machine++) {
    const shard = machines === 1 ? [] : ["--shard", `${machine}/${machines}`];
    const options = ["--quiet", "--parallel", String(workers), ...shard];
    const [name = "", ...own] = command;
    const args = ["fleet", name, "fleet.yaml", ...own, ...options, "--", ...each];
    const { seconds, processorSeconds, peak } = await measure(
      process.execPath,
      [resolve(commandFile), ...args],
      {
        cwd: folder,
        env: { ...env, WORKSPACE_AUTOMATION_JOURNAL: join(folder, `journal-${machine}`) },
      },
    );
    all.push({ seconds, processorSeconds, requests: (await requests()).length, memory: peak.total });
  }
  const sum = (key: keyof FleetFigures) => all.reduce((total, one) => total + one[key], 0);
  const most = (key: keyof FleetFigures) => Math.max(...all.map((one) => one[key]));
  return {
    seconds: most("seconds"),
    processorSeconds: sum("processorSeconds"),
    requests: sum("requests"),
    memory: most("memory"),
  };
}

function listNames(workspaces: number): string[] {
  return Array.from({ length: workspaces }, (_, n) => `workspace-${n}`);
}

function createSeed(names: readonly string[]): Seed {
  const email = "owner@example.com";
  return { users: [{ email }], workspaces: names.map((domain) => ({ domain, owner: email })) };
}

function writeFleet(folder: string, names: readonly string[]): void {
  const entries = names.map((name) => `  ${name}: { file: ${name}.yaml }\n`);
  writeFileSync(join(folder, "fleet.yaml"), `version: 1\nworkspaces:\n${entries.join("")}`);
}

function commitFiles(folder: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  const author = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
  git("init");
  git("add", "*.yaml");
  git(...author, "commit", "-m", "Measure");
}
