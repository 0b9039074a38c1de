/**
 * Plays how jobs are cancelled on the scripts of examples/ci, on the real engine: what was created is in the state, and no lock is left. Needs a
 * build.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { bin, setUp } from "../e2e/support.js";
import { commands, readWorkflow } from "./workflow.js";

/** Times of GitHub's runner: SIGINT to the shell of the step, SIGTERM to it, SIGKILL to what is left (ProcessInvoker.cs). */
const [SIGTERM_MS, SIGKILL_MS] = [7500, 10_000];
const GROUPS = 120;

const text = `version: 1\nworkspace: acme\ngroups:\n${Array.from({ length: GROUPS }, (_, index) => `  team-${index}: {}\n`).join("")}`;
const up = (commands.get("up")?.run ?? "").replace("workspacectl up", "workspacectl up --create-stack");
const fleetUp =
  readWorkflow("fleet/github/up.yml").jobs["canary"]?.steps.find(({ run }) => run?.includes("fleet up"))
    ?.run ?? "";

const pod = /command: \[(.*)\]/.exec(readFileSync("examples/kubernetes/up.yaml", "utf8"))?.[1] ?? "";
const fleetUpInPod = pod.replaceAll(/[,"]/g, "").replace("$(RUN)", "one");

/** A container's first process: it gets no signal that it does not handle, and everything ends with it. */
const AS_FIRST_PROCESS = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] as const;

/** Why a process cannot be the first one here. */
const [command, ...options] = AS_FIRST_PROCESS;
const cannotBeFirst = spawnSync(command, [...options, "true"]).status !== 0;

interface Job {
  readonly folder: string;
  readonly step: ReturnType<typeof spawn>;
  readonly output: () => string;
  readonly created: () => number;
}

interface Left {
  readonly created: number;
  readonly inState: number;
  readonly locks: readonly string[];
}

const BASH = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "step.sh"] as const;

/** Starts a script as a runner does, and waits until the service has created something. */
async function start(
  script: string,
  [program, ...argv]: readonly [string, ...string[]] = BASH,
): Promise<Job> {
  const { folder, file, emulator, env } = await setUp(text);
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, "bin"));
  write("bin/workspacectl", `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(folder, "bin/workspacectl"), 0o755);
  write(
    "fleet.yaml",
    `version: 1\nworkspaces: { lab: { file: ${file}, stack: us } }\nwaves: [{ name: canary, workspaces: [lab] }]\n`,
  );
  write("step.sh", `echo $$ > pid\n${script}`);
  emulator.settings.latencyMs = 300;
  const step = spawn(program, argv, {
    cwd: folder,
    env: {
      ...env,
      ...{ STACK: "us", REPORT: join(folder, "report"), PLAN: "", APPROVED: "" },
      PATH: [join(folder, "bin"), env["PATH"]].join(delimiter),
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [step.stdout, step.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const created = () =>
    emulator.journal.requests.filter(({ method, status }) => method === "POST" && status === 201).length;
  while (created() < 10 && step.exitCode === null) await sleep(20);
  return { folder, step, output: () => output, created };
}

/** Sends the signals of a runner until the step has ended. */
async function cancel({ step }: Job, signal: NodeJS.Signals, whole: boolean) {
  const { pid } = step;
  if (pid === undefined) throw new Error("bash did not start");
  const ended = once(step, "close") as Promise<[number | null]>;
  const signals: NodeJS.Signals[] = [];
  const send = (one: NodeJS.Signals, to: number) => {
    signals.push(one);
    process.kill(to, one);
  };
  send(signal, whole ? -pid : pid);
  const timers = [
    setTimeout(send, SIGTERM_MS, "SIGTERM", pid),
    setTimeout(send, SIGKILL_MS, "SIGKILL", -pid),
  ];
  const [code] = await ended;
  timers.forEach((timer) => clearTimeout(timer));
  return { code, signals };
}

/** Returns what a run that has ended leaves behind. */
function inspect({ folder, created }: Job): Left {
  const find = (pattern: string) => globSync(pattern, { cwd: folder, dot: true, absolute: true });
  const [state = ""] = find(".pulumi-state/.pulumi/stacks/**/us.json");
  const { checkpoint } = JSON.parse(readFileSync(state, "utf8")) as {
    checkpoint: { latest?: { resources?: { type: string }[] } };
  };
  const inState = (checkpoint.latest?.resources ?? []).filter(({ type }) => type.endsWith(":Group")).length;
  const locks = find(".pulumi-state/.pulumi/locks/**/*.json");
  return { created: created(), inState, locks };
}

it.each([
  ["SIGINT to the shell of a step, as GitHub's runner does", up, "SIGINT", false],
  ["SIGINT to the shell of a step that updates a fleet", fleetUp, "SIGINT", false],
  ["SIGTERM to the whole group, as GitLab's and Buildkite's do", up, "SIGTERM", true],
  ["SIGHUP to the whole group, as a terminal that is closed does", up, "SIGHUP", true],
] as const)("survives %s", async (_, script, signal, whole) => {
  const job = await start(script);
  const { code, signals } = await cancel(job, signal, whole);
  expect([code, signals], job.output()).toEqual([130, [signal]]);
  const { created, inState, locks } = inspect(job);
  expect(created).toBeLessThan(GROUPS);
  expect([inState, locks], job.output()).toEqual([created, []]);
});

it.skipIf(process.platform !== "linux")(
  "survives a pseudo terminal that its runner closes, as with Buildkite and act",
  async () => {
    const job = await start(up, ["script", "-qefc", BASH.join(" "), "/dev/null"]);
    const pid = readFileSync(join(job.folder, "pid"), "utf8").trim();
    job.step.kill("SIGKILL");
    while (existsSync(`/proc/${pid}`)) await sleep(20);
    const { created, inState, locks } = inspect(job);
    expect(created).toBeLessThan(GROUPS);
    expect([inState, locks], job.output()).toEqual([created, []]);
  },
);

it.skipIf(cannotBeFirst)(
  "survives the deletion of its pod, where kubelet signals the first process of the container",
  async () => {
    const bucket = "mkdir .pulumi-state\nexport PULUMI_BACKEND_URL=file://$PWD/.pulumi-state\n";
    const job = await start(`${bucket}exec ${fleetUpInPod}`, [...AS_FIRST_PROCESS, ...BASH]);
    const { pid, exitCode } = job.step;
    expect(exitCode, job.output()).toBeNull();
    const ended = once(job.step, "close");
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")), "SIGTERM");
    expect((await ended)[0], job.output()).toBe(130);
    const { created, inState, locks } = inspect(job);
    expect(created).toBeLessThan(GROUPS);
    expect([inState, locks], job.output()).toEqual([created, []]);
  },
);
