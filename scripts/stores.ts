/**
 * Asks the servers of object stores that are on this machine the same questions, lets runs race for a lock, and runs `up` twice:
 * `npm run stress -- stores`, with names to choose some. Writes the table of docs/fleet.md when all of them were there. Skips those whose program is
 * not on PATH. STORES_TABLE=all writes the table without these.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openBucket } from "../recovery/open-bucket.js";
import { StateAddress } from "../trust/state-address.js";
import { commandFile, startService } from "./bench/service.js";
import { replaceSection } from "./section.js";
import { type OpenStore, questions, tryAgain } from "./stores/questions.js";
import { raceForClaim, raceForLock } from "./stores/races.js";
import { findProgram, type StoreServer, storeServers } from "./stores/servers.js";

const PAGE = "docs/fleet.md";
const STARTS_WITHIN_MS = 60_000;

interface Tried {
  readonly name: string;
  readonly version: string;
  readonly noes: readonly string[];
  /** Results of the races; undefined where the store failed under them. */
  readonly claims: number | undefined;
  readonly shared: number | undefined;
  /** Why the second of two runs of `up` failed. */
  readonly failure: string | undefined;
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** The first of two free ports. Servers may also use some after them. */
async function findPorts(): Promise<number> {
  for (;;) {
    const first = await listenAt(0);
    const next = first === undefined || first >= 60_000 ? undefined : await listenAt(first + 1);
    if (first !== undefined && next !== undefined) return first;
  }
}

/** Listens at a port for a moment. @param port 0 for any @returns undefined when it is in use */
async function listenAt(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

/** Starts a server. PostgreSQL's programs get another user where this one is the administrator. */
function start(
  server: StoreServer,
  program: string,
  port: number,
  folder: string,
  env: NodeJS.ProcessEnv,
): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0 && server.user !== undefined;
  const [command, ...args] = server.start(program, port, folder);
  if (isRoot) {
    chmodSync(join(folder, ".."), 0o755);
    spawnSync("chown", ["-R", server.user ?? "", folder]);
  }
  const words = isRoot
    ? ["setpriv", `--reuid=${server.user}`, "--clear-groups", command, ...args]
    : [command, ...args];
  return spawn(words[0] ?? "", words.slice(1), {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
}

/** Tries again until a server responds. */
async function waitFor(work: () => Promise<unknown>): Promise<void> {
  for (const until = Date.now() + STARTS_WITHIN_MS; ; await sleep(500)) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

async function runQuery(address: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query("SELECT 1");
  } finally {
    await client.end();
  }
}

/** Applies a file, changes it and applies it again at once. @returns the message of a failure */
async function runTwice(
  address: string,
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<string | undefined> {
  const service = await startService();
  const file = join(folder, "workspace.yaml");
  const settings = { ...service.env, ...env, PULUMI_BACKEND_URL: address, PULUMI_CONFIG_PASSPHRASE: "any" };
  try {
    for (const text of ["first", "second"]) {
      writeFileSync(file, `version: 1\nworkspace: acme\ngroups: { QA: { description: ${text} } }\n`);
      const args = [resolve(commandFile), "up", "-f", file, "--stack", "dev", "--create-stack", "--yes"];
      const child = spawn(process.execPath, args, {
        cwd: folder,
        env: settings,
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr.on("data", (part: Buffer) => (said += part.toString()));
      const [code] = (await once(child, "exit")) as [number];
      if (code !== 0) return said.split("\n").find((line) => line.startsWith("error")) ?? said;
    }
    return undefined;
  } finally {
    service.close();
  }
}

let opened = 0;

async function tryServer(server: StoreServer, program: string): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), "stores-"));
  const port = (await findPorts()) + 1;
  const env = typeof server.env === "function" ? server.env(port) : server.env;
  const children: ChildProcess[] = [];
  try {
    const { behind } = server;
    const ofBehind = behind && findProgram(behind.program);
    if (behind !== undefined && ofBehind !== undefined) {
      children.push(start(behind, ofBehind, port - 1, join(folder, "behind"), {}));
      await waitFor(() => runQuery(behind.address(port - 1)));
    }
    children.push(start(server, program, port, join(folder, "data"), env));
    await waitFor(() => server.prepare?.(port) ?? runQuery(server.address(port)));
    const address = server.address(port);
    // A variable that nobody reads gives each its own connections.
    const open: OpenStore = async () =>
      tryAgain(await openBucket(new StateAddress(address), { ...env, AWS_MACHINE: String((opened += 1)) }));
    const failure = await runTwice(address, env, folder);
    const answer = <T>(what: string, asked: Promise<T>) =>
      asked.catch((error: unknown) => void print(`  ${what}: ${(error as Error).message}`));
    const noes: string[] = [];
    for (const [statement, ask] of questions)
      if ((await answer(statement, ask(open))) !== true) noes.push(statement);
    return {
      name: server.name,
      version: server.version(program),
      noes,
      claims: await answer("50 claims", raceForClaim(open)),
      shared: await answer("50 locks", raceForLock(open)),
      failure,
    };
  } finally {
    for (const child of children.toReversed()) {
      child.kill("SIGINT");
      await Promise.race([once(child, "exit"), sleep(5_000)]);
      child.kill("SIGKILL");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function formatRow({ name, version, noes, claims, shared, failure }: Tried): string {
  const asked = noes.length === 0 ? `all ${questions.length}` : `not: ${noes.join("; ")}`;
  const hasFailed = claims === undefined || shared === undefined;
  const unsafe = hasFailed ? "**it failed**" : `**${claims} runs**; ${shared} locks shared`;
  const race = claims === 1 && shared === 0 ? "1 run" : unsafe;
  return `| ${name} ${version} | ${failure === undefined ? "yes" : "**no**"} | ${asked} | ${race} |`;
}

const chosen = process.argv.slice(2);
const rows: string[] = [];
let missing = 0;
let failed = 0;
for (const server of storeServers.filter(
  ({ name }) => chosen.length === 0 || chosen.some((one) => name.startsWith(one)),
)) {
  const needed = [server, ...(server.behind ? [server.behind] : [])];
  const lacking = needed.find(({ program }) => findProgram(program) === undefined);
  const program = findProgram(server.program);
  if (
    lacking !== undefined ||
    program === undefined ||
    (program.endsWith("java") && !process.env["S3PROXY_CLASSPATH"])
  ) {
    print(`${server.name}: skipped, because it is not on PATH (${(lacking ?? server).from})`);
    missing += 1;
    continue;
  }
  print(`${server.name} ...`);
  const tried = await tryServer(server, program).catch((error: unknown) => error as Error);
  if (tried instanceof Error) {
    print(`  could not be tried: ${tried.message}`);
    missing += 1;
    failed += 1;
    continue;
  }
  if (tried.failure !== undefined) print(`  up twice: ${tried.failure}`);
  print(formatRow(tried));
  rows.push(formatRow(tried));
}
if (chosen.length === 0 && (missing === 0 || process.env["STORES_TABLE"] === "all")) {
  const head = [
    "| server | `up` twice | of the questions, holds | the races are won by |",
    "|---|---|---|---|",
  ];
  const list = questions.map(([statement], i) => `${i + 1}. ${statement}`).join("\n");
  const part = `${[...head, ...rows].join("\n")}\n\nThe questions: a store\n\n${list}`;
  writeFileSync(PAGE, replaceSection(PAGE, "`npm run stress -- stores`", part));
}
process.exit(failed === 0 ? 0 : 1);
