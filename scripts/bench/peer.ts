/**
 * Compares commands on a file of groups with OpenTofu and a provider of the same service (`peer/main.go`), in turn:
 * `PEER=FOLDER npm run bench -- peer --sizes 40,200 --rounds 3`. The folder contains `tofu` and `terraform-provider-workspaces`; docs/performance.md
 * says how to build them. Prints medians, and writes them into that page.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { measure, type Measured } from "./measure.js";
import { renderTable, writeSection } from "./page.js";
import { commandFile, LATENCY_MS, remote, type Service, startService } from "./service.js";

const { values } = parseArgs({
  options: { sizes: { type: "string", default: "40,200,1000" }, rounds: { type: "string", default: "3" } },
});
const folder = process.env["PEER"];
if (folder === undefined) throw new Error("PEER names no folder with tofu and terraform-provider-workspaces");
const peer = resolve(folder);

const operations = [
  { name: "first up", ours: ["up", "--yes", "--create-stack"], theirs: ["apply", "-auto-approve"] },
  { name: "preview", ours: ["preview"], theirs: ["plan"] },
  { name: "drift", ours: ["drift"], theirs: ["plan", "-refresh-only"] },
  {
    name: "destroy",
    ours: ["destroy", "--yes", "--allow-delete", "**"],
    theirs: ["destroy", "-auto-approve"],
  },
] as const;

interface Pair {
  readonly ours: Measured;
  readonly theirs: Measured;
}

const rows: string[][] = [];
for (const size of values.sizes.split(",").map(Number)) {
  const rounds: Pair[][] = [];
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await measureRound(size));
  for (const [at, { name }] of operations.entries()) {
    const pairs = rounds.map((round) => round[at] as Pair);
    const compare = (unit: string, digits: number, pick: (one: Measured) => number) => {
      const [ours, theirs] = (["ours", "theirs"] as const).map((side) =>
        median(pairs.map((pair) => pick(pair[side]))),
      );
      const [a, b] = [ours ?? NaN, theirs ?? NaN];
      return `${a.toFixed(digits)} / ${b.toFixed(digits)} ${unit} = ${(a / b).toFixed(2)}x`;
    };
    rows.push([
      String(size),
      name,
      compare("s", 2, ({ seconds }) => seconds),
      compare("s", 2, ({ processorSeconds }) => processorSeconds),
      compare("MB", 0, ({ peak }) => peak.total),
    ]);
    process.stdout.write(`${rows.at(-1)?.join(", ")}\n`);
  }
}
const head = ["Groups", "Command", "Time", "Processor time", "Peak memory"];
const about = `Medians of ${values.rounds} rounds with ${LATENCY_MS} ms of latency, ours / OpenTofu's:`;
await writeSection("docs/performance.md", "bench -- peer", `${about}\n\n${renderTable(head, rows)}`);

/** Each operation of both, on services of their own. */
async function measureRound(size: number): Promise<Pair[]> {
  const [ours, theirs] = [await startService({ settings: remote }), await startService({ settings: remote })];
  try {
    const file = join(ours.folder, "workspace.yaml");
    writeFileSync(file, writeGroups(size));
    const env = writeConfiguration(theirs, size);
    const pairs: Pair[] = [];
    for (const operation of operations) {
      const own = [resolve(commandFile), ...operation.ours, "-f", file];
      const other = [`-chdir=${theirs.folder}`, ...operation.theirs, "-input=false"];
      pairs.push({
        ours: await measure(process.execPath, own, { cwd: ours.folder, env: ours.env }),
        theirs: await measure(join(peer, "tofu"), other, { cwd: theirs.folder, env }),
      });
    }
    return pairs;
  } finally {
    ours.close();
    theirs.close();
  }
}

function writeGroups(size: number): string {
  const groups = numbers(size).map((n) => [`group-${n}`, { description: `Group ${n}` }]);
  return stringify({ version: 1, workspace: "acme", groups: Object.fromEntries(groups) as object });
}

/** Writes the same groups for OpenTofu, which takes the provider from the folder. @returns its environment */
function writeConfiguration({ folder: own, env }: Service, size: number): NodeJS.ProcessEnv {
  const groups = numbers(size).map(
    (n) =>
      `resource "workspaces_group" "group-${n}" {\n  workspace = "acme"\n  name = "group-${n}"\n  description = "Group ${n}"\n}\n`,
  );
  const provider =
    'terraform {\n  required_providers {\n    workspaces = { source = "bench/workspaces" }\n  }\n}\n';
  mkdirSync(join(own, "home"));
  writeFileSync(join(own, "main.tf"), provider + groups.join(""));
  const settings = join(own, "tofu.rc");
  const override = `"bench/workspaces" = ${JSON.stringify(peer)}`;
  writeFileSync(settings, `provider_installation {\n  dev_overrides { ${override} }\n  direct {}\n}\n`);
  return { ...env, HOME: join(own, "home"), TF_CLI_CONFIG_FILE: settings };
}

function numbers(size: number): number[] {
  return Array.from({ length: size }, (_, n) => n);
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN;
}
