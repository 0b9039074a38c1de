/**
 * `npm run bench -- growth`: doubles the number of objects of one parent, for each kind of parent, and fails when a command takes more than
 * three times as long: then a loop over them takes more than n log n. `-- --sizes 500,1000 --only actions` measures other sizes or one kind.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { measure } from "./measure.js";
import { renderTable } from "./page.js";
import { commandFile, startService } from "./service.js";

/** How many times as long a command may take for twice the objects. */
const MOST = 3;

const { values } = parseArgs({
  options: { sizes: { type: "string", default: "500,1000,2000" }, only: { type: "string" } },
});
const sizes = values.sizes.split(",").map(Number);

const name = (number: number) => `object-${number}`;
const email = (number: number) => `person${number}@example.com`;
const numbers = (size: number) => Array.from({ length: size }, (_, index) => index);
const createNamed = (size: number, value: (number: number) => unknown, key = name) =>
  Object.fromEntries(numbers(size).map((number) => [key(number), value(number)]));
const pipeline = (actions: readonly unknown[]) => ({
  ...{ triggerMode: "MANUAL", refType: "BRANCH", refName: "main" },
  actions,
});
const ping = (number: number) => ({
  ...{ name: name(number), type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "shop.example.com" },
});

/** By what the parent contains: the part of a workspace file with that many. */
const kinds: Readonly<Record<string, (size: number) => object>> = {
  actions: (size) => ({ projects: { web: { pipelines: { deploy: pipeline(numbers(size).map(ping)) } } } }),
  pipelines: (size) => ({ projects: { web: { pipelines: createNamed(size, () => pipeline([])) } } }),
  "project variables": (size) => ({
    projects: { web: { variables: createNamed(size, String, (n) => `KEY_${n}`) } },
  }),
  variables: (size) => ({ variables: createNamed(size, String, (n) => `KEY_${n}`) }),
  projects: (size) => ({ projects: createNamed(size, (n) => ({ displayName: String(n) })) }),
  groups: (size) => ({ groups: createNamed(size, () => ({})) }),
  members: (size) => ({
    members: createNamed(size, () => ({}), email),
    groups: { all: { members: numbers(size).map(email) } },
  }),
};

const rows: (readonly string[])[] = [];
let failed = false;
for (const [kind, write] of Object.entries(kinds)) {
  if (values.only !== undefined && values.only !== kind) continue;
  const seconds: number[] = [];
  for (const size of sizes) seconds.push(await measurePreview(write(size)));
  const growth = seconds.slice(1).map((time, index) => time / (seconds[index] ?? NaN));
  failed ||= growth.some((times) => times > MOST);
  rows.push([
    kind,
    ...seconds.map((time) => time.toFixed(1)),
    ...growth.map((times) => `${times.toFixed(1)}x`),
  ]);
}
const head = [
  "objects of one parent",
  ...sizes.map((size) => `${size} (s)`),
  ...sizes.slice(1).map(() => "growth"),
];
process.stdout.write(`${renderTable(head, rows)}\n`);
if (failed) throw new Error(`Twice the objects took more than ${MOST} times as long`);

async function measurePreview(part: object): Promise<number> {
  const service = await startService();
  try {
    const file = join(service.folder, "workspace.yaml");
    writeFileSync(file, stringify({ version: 1, workspace: "acme", ...part }));
    const args = [resolve(commandFile), "preview", "--stack", "dev", "-f", file];
    const { seconds } = await measure(process.execPath, args, { cwd: service.folder, env: service.env });
    return seconds;
  } finally {
    service.close();
  }
}
