/**
 * Exports a large workspace, and counts the requests per kind of address beside what the pages of the lists and the pipelines
 * alone would take; prints the peak of memory. Run it with `npm run bench:export`. The emulator is a process of its own.
 */
import { fork } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { WorkspaceAutomationClient } from "../client/index.js";
import { startEmulator, type Emulator, type Seed } from "../emulator/index.js";
import { printRequests, type Needed } from "./request-table.js";

const SIZE = { projects: 20, pipelines: 50, actions: 5, variables: 5000 };
const PIPELINES = SIZE.projects * SIZE.pipelines;
/** At most so much memory is taken. */
const MEMORY_MB = 300;

const variables = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ key: `KEY_${i}`, value: `value ${i}` }));

function seed(): Seed {
  // Two of each pipeline, one of each first action, the rest of projects and the workspace.
  const ofPipelines = 2 * PIPELINES + (PIPELINES * SIZE.actions) / 5;
  const rest = SIZE.variables - ofPipelines;
  return {
    users: [{ email: "owner@example.com" }],
    workspaces: [
      {
        domain: "acme",
        variables: variables(rest / 2),
        projects: Array.from({ length: SIZE.projects }, (_, p) => ({
          name: `project-${p}`,
          variables: variables(rest / 2 / SIZE.projects),
          pipelines: Array.from({ length: SIZE.pipelines }, (_, l) => ({
            name: `pipeline-${l}`,
            trigger_mode: "MANUAL",
            ref_name: "main",
            ref_type: "BRANCH",
            actions: Array.from({ length: SIZE.actions }, (_, a) => ({
              name: `action-${a}`,
              type: "BUILD",
              trigger_time: "ON_EVERY_EXECUTION",
              container_image_name: "node",
              container_image_tag: "22",
              execute_commands: ["npm ci", "npm test"],
            })),
          })),
        })),
      },
    ],
  };
}

interface Serving {
  readonly baseUrl: string;
  readonly token: string;
}

if (process.send) await serve(process.send.bind(process));
else await measure();

/** The service, in a process of its own: its memory is not the export's. */
async function serve(send: (message: unknown) => void): Promise<void> {
  const emulator = await startEmulator({ seed: seed(), rateLimit: 1_000_000 });
  await addVariables(emulator);
  emulator.journal.clear();
  send({ baseUrl: emulator.baseUrl, token: emulator.token });
  process.on("message", () => {
    const paths = emulator.journal.requests.map(({ path }) => path);
    send({ paths, writes: emulator.journal.writes().length });
    emulator.journal.clear();
  });
}

/** Two variables of each pipeline, one of each first action. */
async function addVariables({ baseUrl, token }: Emulator): Promise<void> {
  const client = new WorkspaceAutomationClient({ baseUrl, token });
  for (let p = 0; p < SIZE.projects; p += 1) {
    const pipelines = await client.pipelines.list("acme", `project-${p}`).toArray();
    for (const { id } of pipelines) {
      const { actions } = await client.pipelines.get("acme", `project-${p}`, id);
      const first = { action: { id: Number(actions?.[0]?.id) } };
      await Promise.all([
        ...variables(2).map((one) => client.variables.create("acme", { ...one, pipeline: { id } })),
        client.variables.create("acme", { key: "CI", value: "true", ...first }),
      ]);
    }
  }
  await client.close();
}

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, { execArgv: process.execArgv });
  const next = <T>() =>
    new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T)));
  const { baseUrl, token } = await next<Serving>();
  Object.assign(process.env, {
    WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: token,
    WORKSPACE_AUTOMATION_DOMAIN: "acme",
  });
  for (const language of ["yaml", "typescript"]) {
    const { code, seconds, peak } = await exportAs(language);
    child.send("done");
    const { paths, writes } = await next<{ paths: string[]; writes: number }>();
    process.stdout.write(`--language ${language}\n`);
    const excess = requestsByKind(paths);
    process.stdout.write(
      `${paths.length} requests, ${writes} of them writes, in ${seconds.toFixed(1)} s; ` +
        `peak memory ${peak.toFixed(0)} MB (at most ${MEMORY_MB}); exit code ${code}\n`,
    );
    if (excess > 0 || writes > 0 || peak > MEMORY_MB || code !== 0) process.exitCode = 1;
  }
  child.kill();
}

/** Built, as users run it, and in a process of its own: what memory it took, it says at its end. */
async function exportAs(language: string) {
  const to = join(tmpdir(), `workspacectl-bench-${process.pid}-${language}`);
  const tellMemory =
    "data:text/javascript,process.on('exit',()=>console.error('maxRSS',process.resourceUsage().maxRSS))";
  const began = performance.now();
  const { exitCode: code, stderr } = await execa(
    process.execPath,
    [
      "--import",
      tellMemory,
      "dist/bin/workspacectl.js",
      "export",
      "--language",
      language,
      "--fresh",
      "-o",
      to,
    ],
    { reject: false },
  );
  const seconds = (performance.now() - began) / 1000;
  rmSync(to, { recursive: true, force: true });
  return { code, seconds, peak: Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024 };
}

/** A first page of 20 or more that is not full may be the server's maximum: only the next page tells. */
function pages(items: number): number {
  return items < 20 ? 1 : items < 100 ? 2 : Math.floor(items / 100) + 1;
}

function requestsByKind(paths: readonly string[]): number {
  const made = new Map<string, number>();
  for (const path of paths) {
    const kind = path
      .replace("/workspaces/acme", "")
      .replace(/\?.*/, "")
      .replace(/\/project-\d+/g, "/:project")
      .replace(/\/\d+/g, "/:id");
    made.set(kind, (made.get(kind) ?? 0) + 1);
  }
  const actions = PIPELINES * SIZE.actions;
  const rest = (SIZE.variables - 2 * PIPELINES - actions / 5) / 2;
  const needed: Needed = {
    "/user": [1, "who calls: the caller's own membership is nobody's to declare"],
    "/members": [1, "page of the list"],
    "/members/:id": [1, "only a single member shows `admin` and `workspace_owner`"],
    "/groups": [1, "page of the list"],
    "/permissions": [1, "page of the list"],
    "/projects": [pages(SIZE.projects), "pages of the list"],
    "/projects/:project/members": [SIZE.projects, "page of each project's list"],
    "/projects/:project/pipelines": [SIZE.projects * pages(SIZE.pipelines), "pages of each project's list"],
    "/projects/:project/pipelines/:id": [PIPELINES, "one per pipeline, with all its actions"],
    "/variables": [
      pages(rest) + SIZE.projects * pages(rest / SIZE.projects) + PIPELINES + actions,
      "pages of the lists: of the workspace, each project, pipeline and action",
    ],
  };
  return printRequests(made, needed);
}
