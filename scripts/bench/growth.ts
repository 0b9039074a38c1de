/**
 * `npm run bench -- growth`: doubles the number of objects of one parent, or of parents with one object each, and prints how many times as
 * much processor time and memory each command takes. Fails at more than a loop over them explains. `-- --sizes 500,1000`, `--only KIND,...`
 * and `--commands NAME,...` measure a part.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { growthKinds } from "./growth-kinds.js";
import { measure, type Measured } from "./measure.js";
import { renderTable } from "./page.js";
import { commandFile, type Service, startService } from "./service.js";

/** How many times as much a command may take for twice the objects. */
const MOST_TIME = 2.3;
const MOST_MEMORY = 2;
/** Shorter times depend on the start of a process and the ticks of its clock. */
const LEAST_SECONDS = 0.5;

/** Commands that need a service, with the arguments for the file; in this order, because the later ones need what `up` makes. */
const remoteCommands: Readonly<Record<string, readonly string[]>> = {
  preview: ["preview", "--stack", "dev", "-f", "workspace.yaml"],
  markdown: ["preview", "--stack", "dev", "-f", "workspace.yaml", "--format", "markdown"],
  up: ["up", "--yes", "--create-stack", "--stack", "dev", "-f", "workspace.yaml"],
  drift: ["drift", "--stack", "dev", "-f", "workspace.yaml"],
  export: ["export", "-o", "exported.yaml"],
  compare: ["compare", "file:workspace.yaml", "stack:dev"],
};
const fileCommands: Readonly<Record<string, readonly string[]>> = {
  validate: ["validate", "-f", "workspace.yaml"],
  lint: ["lint", "-f", "workspace.yaml"],
  fmt: ["fmt", "--check", "workspace.yaml"],
};
/** Exit codes that only say that there are differences, or that a file is not formatted. */
const getExpected = (name: string) => (name === "fmt" ? [1] : [7]);

const names = (text: string | undefined) => text?.split(",");
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "250,500,1000,2000,4000" },
    only: { type: "string" },
    commands: { type: "string" },
  },
});
const sizes = values.sizes.split(",").map(Number);
const isChosen = (name: string) => names(values.commands)?.includes(name) ?? true;

const failures: string[] = [];
for (const [kind, { write, commands }] of Object.entries(growthKinds)) {
  if (!(names(values.only)?.includes(kind) ?? true)) continue;
  const byCommand = new Map<string, Measured[]>();
  for (const size of sizes)
    for (const [name, measured] of await measureAll(write(size), commands))
      byCommand.set(name, [...(byCommand.get(name) ?? []), measured]);
  const rows = [...byCommand].map(([name, all]) => listCells(kind, name, all));
  const head = ["command", ...sizes.map((size) => `${size} ${kind}`), "time", "memory"];
  process.stdout.write(`${renderTable(head, rows)}\n\n`);
}
if (failures.length > 0) throw new Error(`Twice the objects took too much:\n${failures.join("\n")}`);

/** Measures the chosen commands on a new service. */
async function measureAll(
  files: Readonly<Record<string, string>>,
  own: Readonly<Record<string, readonly string[]>> | undefined,
): Promise<Map<string, Measured>> {
  const service = await startService({ settings: { echoMemberEmail: true } });
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(service.folder, name)), { recursive: true });
      writeFileSync(join(service.folder, name), text);
    }
    const measured = new Map<string, Measured>();
    for (const [name, args] of Object.entries(own ?? { ...fileCommands, ...remoteCommands }))
      if (isChosen(name)) measured.set(name, await run(name, args, service));
    return measured;
  } finally {
    service.close();
  }
}

function run(name: string, args: readonly string[], { folder, env }: Service): Promise<Measured> {
  const command = [resolve(commandFile), ...args];
  return measure(process.execPath, command, { cwd: folder, env }, getExpected(name));
}

function listCells(kind: string, name: string, all: readonly Measured[]): string[] {
  const ratios = (of: (one: Measured) => number) =>
    all.slice(1).map((one, index) => of(one) / of(all[index] as Measured));
  const times = ratios(({ processorSeconds }) => processorSeconds);
  const memory = ratios(({ peak }) => peak.total);
  const isLong = (index: number) => (all[index + 1]?.processorSeconds ?? 0) >= LEAST_SECONDS;
  const isTooMuch = times.some((ratio, index) => ratio > MOST_TIME && isLong(index));
  if (isTooMuch || memory.some((ratio) => ratio > MOST_MEMORY))
    failures.push(`${name} of ${kind}: time ${formatRatios(times)}, memory ${formatRatios(memory)}`);
  const cells = all.map(({ processorSeconds, peak }) => {
    return `${processorSeconds.toFixed(2)} s, ${peak.total.toFixed(0)} MB`;
  });
  return [name, ...cells, formatRatios(times), formatRatios(memory)];
}

function formatRatios(ratios: readonly number[]): string {
  return ratios.map((ratio) => `${ratio.toFixed(1)}x`).join(" ");
}
