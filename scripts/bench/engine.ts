/**
 * Measures dynamic providers and the packaged plugin on the same program, under plain Pulumi, and the plugin's process alone:
 * `npm run bench -- engine --size 500`. Writes its section into docs/plugin.md.
 */
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { ProviderEngine } from "../../resources/definition/provider-engine.js";
import { buildToolchainEnvironment, ensurePulumi } from "../../toolchain/index.js";
import { measure, type Measured } from "./measure.js";
import { renderTable, writeSection } from "./page.js";
import { computeMedian } from "./pairs.js";
import { executable, measureBareStart, measurePlugin, type PluginProcess } from "./plugin-process.js";
import { LATENCY_MS, remote, type Service, startService } from "./service.js";
import { writeWorkspace } from "./workspace.js";

const STARTS = 5;

const operations = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
  destroy: ["destroy", "--yes", "--skip-preview", "--ignore-protect"],
} as const;
type Operation = keyof typeof operations;
const names = Object.keys(operations) as Operation[];

interface Run {
  readonly measured: Readonly<Record<Operation, Measured>>;
  /** Bytes of the state with all objects. */
  readonly state: number;
}

const { values } = parseArgs({ options: { size: { type: "string", default: "500" } } });
const size = Number(values.size);
const print = (line: string) => process.stdout.write(`${line}\n`);

const [load = 0] = loadavg();
const alone = await measureAlone();
const runs = { dynamic: await measureEngine("dynamic"), plugin: await measureEngine("plugin") };
const text = formatSection(alone, runs);
print(text);
await writeSection("docs/plugin.md", "bench -- engine", text);

interface Alone {
  /** Medians, in milliseconds. */
  readonly bare: number;
  readonly handshake: number;
  readonly created: PluginProcess;
}

/** Starts alternate with those of Node.js itself, so that both have the same conditions. */
async function measureAlone(): Promise<Alone> {
  return withService(async (service) => {
    const [bare, handshake]: [number[], number[]] = [[], []];
    for (let start = 0; start < STARTS; start++) {
      bare.push(await measureBareStart());
      handshake.push((await measurePlugin(service, 0)).handshake);
    }
    const created = await measurePlugin(service, size);
    print(
      `alone: handshake ${handshake.map(Math.round).join(", ")} ms, node ${bare.map(Math.round).join(", ")} ms`,
    );
    print(
      `alone: idle ${created.idle.toFixed(0)}, after ${created.resident.toFixed(0)}, peak ${created.peak.toFixed(0)} MB`,
    );
    return { bare: computeMedian(bare), handshake: computeMedian(handshake), created };
  });
}

async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ settings: remote });
  try {
    return await work(service);
  } finally {
    service.close();
  }
}

/** Runs a program that loads a workspace file, on a stack that chooses the engine. */
async function measureEngine(engine: ProviderEngine): Promise<Run> {
  return withService(async (service) => {
    const pulumi = await createProject(service);
    await pulumi(["stack", "init", "bench"]);
    await pulumi(["config", "set", "workspace-automation:engine", engine]);
    const measured: [string, Measured][] = [];
    let state = 0;
    for (const name of names) {
      const one = await pulumi(operations[name]);
      if (name === "up") state = statSync(join(service.folder, "state/.pulumi/stacks/bench/bench.json")).size;
      measured.push([name, one]);
      print(`${engine} ${name}: ${one.seconds.toFixed(1)} s, ${formatMemory(one)}`);
    }
    return { measured: Object.fromEntries(measured) as Record<Operation, Measured>, state };
  });
}

async function createProject({ folder, env: own }: Service) {
  mkdirSync(join(folder, "state"));
  const plugin = JSON.stringify(dirname(executable));
  const files = {
    "Pulumi.yaml": `name: bench\nruntime: nodejs\nplugins:\n  providers:\n    - { name: workspace-automation, path: ${plugin} }\n`,
    "package.json": JSON.stringify({ name: "bench", type: "module", main: "index.js" }),
    "index.js": `import { loadWorkspace } from "pulumi-workspace-automation";\nloadWorkspace("workspace.yaml");\n`,
    "workspace.yaml": writeWorkspace(size),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "dir");
  const toolchain = await ensurePulumi();
  const env = {
    ...own,
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
    WORKSPACE_AUTOMATION_DOMAIN: "acme",
    ...(await buildToolchainEnvironment(toolchain)),
  };
  return (args: readonly string[]) =>
    measure(toolchain.command, [...args, "--non-interactive"], { cwd: folder, env });
}

function formatSection(
  { bare, handshake, created: { idle, resident, peak } }: Alone,
  all: Record<ProviderEngine, Run>,
): string {
  const [dynamicSize, pluginSize] = [all.dynamic, all.plugin].map(({ state }) => state / 1024) as [
    number,
    number,
  ];
  const rows = names.map((name) => {
    const [dynamic, plugin] = [all.dynamic.measured[name], all.plugin.measured[name]];
    const ratio = (plugin.seconds / dynamic.seconds).toFixed(2);
    const memory = [formatMemory(dynamic), formatMemory(plugin)];
    return [`\`pulumi ${name}\``, formatSeconds(dynamic), formatSeconds(plugin), ratio, ...memory];
  });
  const sizes = [dynamicSize, pluginSize].map((size) => `${size.toFixed(0)} KB`);
  rows.push(["size of the state", ...sizes, (pluginSize / dynamicSize).toFixed(2), "", ""]);
  const head = ["", "dynamic", "plugin", "ratio", "MB by process, dynamic", "MB by process, plugin"];
  return `\`npm run bench -- engine\` measured one run of each on ${cpus().length} cores, with Node.js ${process.versions.node}, ${size} objects and the emulator with ${LATENCY_MS} ms of
latency. The load of the machine was ${load.toFixed(1)} before, from other programs: the ratios are reliable only if that load was even. Memory is that at the moment at
which all processes together took most.

${renderTable(head, rows)}

The plugin alone answers the engine's handshake ${handshake.toFixed(0)} ms after its start, where \`node -e 0\` takes ${bare.toFixed(0)} ms (medians of ${STARTS}). It takes
${idle.toFixed(0)} MB of resident memory then, and ${resident.toFixed(0)} MB after it has created ${size} objects, with a peak of ${peak.toFixed(0)} MB; Node.js itself takes 40.
`;
}

function formatSeconds(one: Measured): string {
  return `${one.seconds.toFixed(1)} s`;
}

function formatMemory({ peak: { parts } }: Measured): string {
  return Object.entries(parts)
    .map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)}`)
    .join(", ");
}
