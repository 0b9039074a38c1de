/** A newcomer's repository with an applied workspace, hostile changes to it, and a server that stands in for the API of GitHub or GitLab. */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll, expect } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import {
  bin,
  connected,
  emulatorForTests,
  isolated,
  repository,
  temporaryFolder,
  workspacectl,
} from "../e2e/support.js";
import { greedyFile, plantHostileChange } from "./hostile-change.js";

export const examples = join(repository, "examples/ci");
const file = (description: string) =>
  `version: 1\nworkspace: acme\ngroups: { QA: { description: ${description} } }\n`;

export interface HostileWorld {
  readonly emulator: Emulator;
  readonly folder: string;
  /** Where `main` and `refs/pull/N/merge` are fetched from. */
  readonly origin: string;
  /** A checkout of `main`. */
  readonly main: string;
  /** The commits of the changes: one that is quiet, one with a project file of Pulumi, one whose workspace file asks for credentials. */
  readonly heads: readonly string[];
  readonly api: string;
  /** What the jobs have sent to GitHub or GitLab. */
  readonly sent: readonly string[];
  readonly secrets: Readonly<Record<"token" | "passphrase" | "job" | "comment" | "machine", string>>;
  readonly backend: string;
  readonly write: (name: string, text: string, mode?: number) => void;
}

export async function git(cwd: string, ...argv: string[]): Promise<string> {
  const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return (await execa("git", [...author, ...argv], { cwd })).stdout;
}

/** @param addTo adds the files of CI to `main` */
export async function makeHostileWorld(addTo: (main: string) => Promise<void>): Promise<HostileWorld> {
  const folder = temporaryFolder();
  const emulator = await emulatorForTests();
  const write = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  };
  const secrets = {
    token: emulator.token,
    passphrase: "passphrase-of-the-state",
    job: "token-of-the-job",
    comment: "token-that-comments",
    machine: "secret-of-the-machine",
  };
  write("victim/secret.yaml", `token: ${secrets.machine}\n`);

  const main = join(folder, "main");
  const origin = join(folder, "origin.git");
  await git(folder, "init", "--quiet", "--bare", "--initial-branch=main", origin);
  await git(folder, "init", "--quiet", "--initial-branch=main", main);
  write("main/workspace.yaml", file("Testers"));
  await addTo(main);
  await git(main, "add", "--all");
  await git(main, "commit", "--quiet", "--message", "Begin");
  await git(main, "push", "--quiet", origin, "main");
  const texts = [file("Changed"), file("Changed"), greedyFile()];
  const heads: string[] = [];
  for (const [index, text] of texts.entries()) heads.push(await propose(index + 1, text, { folder, origin }));

  mkdirSync(join(folder, "state"));
  const backend = pathToFileURL(join(folder, "state")).href;
  const env = {
    ...connected(emulator),
    PULUMI_BACKEND_URL: backend,
    PULUMI_CONFIG_PASSPHRASE: secrets.passphrase,
  };
  const up = ["up", "--yes", "--create-stack", "--stack", "us"];
  const ended = await workspacectl(up, main, isolated(join(folder, "home"), env));
  expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining("error:")]);
  return { emulator, folder, origin, main, heads, ...(await serveApi()), secrets, backend, write };
}

/** Opens a pull request. @returns its commit */
async function propose(
  number: number,
  text: string,
  { folder, origin }: Pick<HostileWorld, "folder" | "origin">,
): Promise<string> {
  const change = join(folder, `change-${number}`);
  await git(folder, "clone", "--quiet", origin, change);
  plantHostileChange(change, {
    ran: join(folder, "ran"),
    victim: join(folder, "victim"),
    withProject: number === 2,
  });
  writeFileSync(join(change, "workspace.yaml"), text);
  await git(change, "add", "--all", "--force");
  await git(change, "commit", "--quiet", "--message", "Change");
  const head = await git(change, "rev-parse", "HEAD");
  await git(change, "reset", "--quiet", "--hard", "origin/main");
  await git(change, "merge", "--quiet", "--no-ff", "--message", "Merge", head);
  await git(change, "push", "--quiet", origin, `HEAD:refs/pull/${number}/merge`);
  return head;
}

async function serveApi(): Promise<{ api: string; sent: string[] }> {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      sent.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(200).end(request.method === "GET" ? "[]" : '{"id":1}');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close());
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

/** Adds a package `workspacectl` that starts the built command, so that `npm ci` needs no registry. */
export async function addTool(to: string): Promise<void> {
  mkdirSync(join(to, "vendor/workspacectl"), { recursive: true });
  const start = join(to, "vendor/workspacectl/start.sh");
  writeFileSync(start, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(start, 0o755);
  const tool = { name: "workspacectl", version: "0.1.0", bin: "start.sh" };
  writeFileSync(join(to, "vendor/workspacectl/package.json"), JSON.stringify(tool));
  const whole = { name: "acme", private: true, dependencies: { workspacectl: "file:./vendor/workspacectl" } };
  writeFileSync(join(to, "package.json"), JSON.stringify(whole));
  await execa("npm", ["install", "--offline", "--package-lock-only"], { cwd: to });
  cpSync(join(examples, "comment.mjs"), join(to, "comment.mjs"));
}

/** Returns what the programs of a change have written when they ran. */
export function ranOf({ folder }: HostileWorld): string {
  return existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : "";
}

/** Expects that no program of a change ran, and that no link of one was followed. */
export function expectNothingForeign(world: HostileWorld): void {
  expect(ranOf(world)).toBe("");
  const victim = join(world.folder, "victim");
  expect(readdirSync(victim)).toEqual(["secret.yaml"]);
  expect(readFileSync(join(victim, "secret.yaml"), "utf8")).toBe(`token: ${world.secrets.machine}\n`);
}

/** Expects that neither texts nor files in folders nor requests contain a secret. */
export function expectNoSecret(
  { secrets, sent }: HostileWorld,
  texts: readonly string[],
  folders: readonly string[],
): void {
  const all = [...texts, ...sent, ...folders.flatMap(textsIn)].join("\n");
  expect(Object.entries(secrets).flatMap(([name, value]) => (all.includes(value) ? [name] : []))).toEqual([]);
}

/** Returns the contents of all files in a folder. */
export function textsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}
