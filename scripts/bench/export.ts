/**
 * `npm run bench -- export`: exports a large workspace. Compares the number of requests to each kind of address with the minimum for the
 * pages of the lists and for the pipelines. Prints the peak memory.
 */
import { join } from "node:path";
import { execa } from "execa";
import type { Seed } from "../../emulator/index.js";
import { commandFile, startService } from "./service.js";

const SIZE = { projects: 20, pipelines: 50, actions: 5, variables: 5000 };
const PIPELINES = SIZE.projects * SIZE.pipelines;
const ACTIONS = PIPELINES * SIZE.actions;
/** Variables of the workspace and of all projects, besides two of each pipeline and one of each first action. */
const OTHER_VARIABLES = SIZE.variables - 2 * PIPELINES - ACTIONS / 5;
const MAX_MEMORY_MB = 300;

/** The number of sufficient requests for each kind of address, and their purpose. */
const needed: Readonly<Record<string, readonly [count: number, why: string]>> = {
  "/user": [1, "who calls: the caller's own membership is nobody's to declare"],
  "/members": [1, "page of the list"],
  "/members/:id": [1, "only a single member shows `admin` and `workspace_owner`"],
  "/groups": [1, "page of the list"],
  "/permissions": [1, "page of the list"],
  "/projects": [countPages(SIZE.projects), "pages of the list"],
  "/projects/:project/members": [SIZE.projects, "page of each project's list"],
  "/projects/:project/pipelines": [
    SIZE.projects * countPages(SIZE.pipelines),
    "pages of each project's list",
  ],
  "/projects/:project/pipelines/:id": [PIPELINES, "one per pipeline, with all its actions"],
  "/variables": [
    countPages(OTHER_VARIABLES / 2) +
      SIZE.projects * countPages(OTHER_VARIABLES / 2 / SIZE.projects) +
      PIPELINES +
      ACTIONS,
    "pages of the lists: of the workspace, each project, pipeline and action",
  ],
};

const service = await startService({ seed: seed() });
try {
  for (const language of ["yaml", "typescript"]) {
    process.stdout.write(`--language ${language}\n`);
    const { code, seconds, peak } = await exportAs(language);
    const requests = await service.requests();
    const writes = requests.filter(({ method }) => method !== "GET").length;
    const excess = printRequests(requests.map(({ path }) => path));
    process.stdout.write(
      `${requests.length} requests, ${writes} of them writes, in ${seconds.toFixed(1)} s; ` +
        `peak memory ${peak.toFixed(0)} MB (at most ${MAX_MEMORY_MB}); exit code ${code}\n`,
    );
    if (excess > 0 || writes > 0 || peak > MAX_MEMORY_MB || code !== 0) process.exitCode = 1;
  }
} finally {
  service.close();
}

function seed(): Seed {
  const action = {
    type: "BUILD",
    trigger_time: "ON_EVERY_EXECUTION",
    container_image_name: "node",
    container_image_tag: "22",
    execute_commands: ["npm ci", "npm test"],
  };
  const pipeline = { trigger_mode: "MANUAL", ref_name: "main", ref_type: "BRANCH" };
  const numbered = <T>(count: number, make: (n: number) => T) =>
    Array.from({ length: count }, (_, n) => make(n));
  const variables = (count: number) => numbered(count, (i) => ({ key: `KEY_${i}`, value: `value ${i}` }));
  const projects = numbered(SIZE.projects, (p) => ({
    name: `project-${p}`,
    variables: variables(OTHER_VARIABLES / 2 / SIZE.projects),
    pipelines: numbered(SIZE.pipelines, (l) => ({
      name: `pipeline-${l}`,
      ...pipeline,
      pipeline_variables: variables(2),
      actions: numbered(SIZE.actions, (a) => ({
        name: `action-${a}`,
        ...action,
        action_variables: a === 0 ? [{ key: "CI", value: "true" }] : [],
      })),
    })),
  }));
  return {
    users: [{ email: "owner@example.com" }],
    workspaces: [{ domain: "acme", variables: variables(OTHER_VARIABLES / 2), projects }],
  };
}

/** Runs the built command in a process of its own, which prints its peak memory at its end. */
async function exportAs(language: string) {
  const printMemory =
    "data:text/javascript,process.on('exit',()=>console.error('maxRSS',process.resourceUsage().maxRSS))";
  const options = ["--language", language, "--fresh", "-o", join(service.folder, language)];
  const began = performance.now();
  const { exitCode: code, stderr } = await execa(
    process.execPath,
    ["--import", printMemory, commandFile, "export", ...options],
    { env: { ...service.env, WORKSPACE_AUTOMATION_DOMAIN: "acme" }, reject: false },
  );
  const seconds = (performance.now() - began) / 1000;
  return { code, seconds, peak: Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024 };
}

/** A first page of 20 or more items may be the server's maximum, so the next page has to be requested. */
function countPages(items: number): number {
  return items < 20 ? 1 : items < 100 ? 2 : Math.floor(items / 100) + 1;
}

/** Prints a line for each kind of address. Returns how many requests were made beyond what is needed. */
function printRequests(paths: readonly string[]): number {
  const made = new Map<string, number>();
  for (const path of paths) {
    const kind = path
      .replace("/workspaces/acme", "")
      .replace(/\/project-\d+/g, "/:project")
      .replace(/\/\d+/g, "/:id");
    made.set(kind, (made.get(kind) ?? 0) + 1);
  }
  let excess = 0;
  for (const [kind, count] of [...made].sort()) {
    const [most, why] = needed[kind] ?? [0, ""];
    excess += Math.max(0, count - most);
    process.stdout.write(
      `${kind.padEnd(36)} made ${String(count).padStart(5)}  needed ${String(most).padStart(5)}  ${why}\n`,
    );
  }
  if (excess > 0) process.stdout.write(`${excess} requests too many.\n`);
  return excess;
}
