/**
 * Measures a fleet of emulated workspaces on one machine and divided among several: `npm run bench -- fleet`. Writes
 * docs/scale.md. With `--results FILE`, the settings can be measured in several runs: the file collects the results.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { measureFleet, measurePlan, type FleetRun, type Setting } from "./bench/fleet.js";
import { readResults, writePage } from "./bench/page.js";
import { JOBS, MANY, renderScalePage, type ScaleResults } from "./bench/scale-page.js";

const PAGE = "docs/scale.md";
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
  await writePage(PAGE, renderScalePage(save()));
  print(`Written: ${PAGE}`);
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
