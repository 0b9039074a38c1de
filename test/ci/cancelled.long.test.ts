/**
 * Plays how jobs are cancelled on the scripts of examples/ci, on the real engine: what was created is in the state, and no lock is left. Needs a
 * build.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

interface Cancelled {
  readonly signals: readonly NodeJS.Signals[];
  readonly code: number | null;
  readonly output: string;
  readonly created: number;
  readonly inState: number;
  readonly locks: readonly string[];
}

/** Starts a script as a runner does, and cancels it once the service has created something. */
async function cancel(script: string, signal: NodeJS.Signals, whole: boolean): Promise<Cancelled> {
  const { folder, file, emulator, env } = await setUp(text);
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, "bin"));
  write("bin/workspacectl", `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(folder, "bin/workspacectl"), 0o755);
  write(
    "fleet.yaml",
    `version: 1\nworkspaces: { lab: { file: ${file}, stack: us } }\nwaves: [{ name: canary, workspaces: [lab] }]\n`,
  );
  write("step.sh", script);
  emulator.settings.latencyMs = 300;
  const step = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", join(folder, "step.sh")], {
    cwd: folder,
    env: {
      ...env,
      ...{ STACK: "us", REPORT: join(folder, "report"), PLAN: "", APPROVED: "" },
      PATH: [join(folder, "bin"), env["PATH"]].join(delimiter),
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = step;
  if (pid === undefined) throw new Error("bash did not start");
  let output = "";
  for (const stream of [step.stdout, step.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(step, "close") as Promise<[number | null]>;
  const created = () =>
    emulator.journal.requests.filter(({ method, status }) => method === "POST" && status === 201).length;
  while (created() < 10 && step.exitCode === null) await sleep(20);
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
  const find = (pattern: string) => globSync(pattern, { cwd: folder, dot: true, absolute: true });
  const [state = ""] = find(".pulumi-state/.pulumi/stacks/**/us.json");
  const { checkpoint } = JSON.parse(readFileSync(state, "utf8")) as {
    checkpoint: { latest?: { resources?: { type: string }[] } };
  };
  const inState = (checkpoint.latest?.resources ?? []).filter(({ type }) => type.endsWith(":Group")).length;
  const locks = find(".pulumi-state/.pulumi/locks/**/*.json");
  return { signals, code, output, created: created(), inState, locks };
}

it.each([
  ["SIGINT to the shell of a step, as GitHub's runner does", up, "SIGINT", false],
  ["SIGINT to the shell of a step that updates a fleet", fleetUp, "SIGINT", false],
  ["SIGTERM to the whole group, as GitLab's and Buildkite's do", up, "SIGTERM", true],
  ["SIGHUP to the whole group, as a terminal that is closed does", up, "SIGHUP", true],
] as const)("survives %s", async (_, script, signal, whole) => {
  const { signals, code, output, created, inState, locks } = await cancel(script, signal, whole);
  expect([code, signals], output).toEqual([130, [signal]]);
  expect(created).toBeLessThan(GROUPS);
  expect([inState, locks], output).toEqual([created, []]);
});
