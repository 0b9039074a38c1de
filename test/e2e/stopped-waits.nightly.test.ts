/** Tests that a command that waits ends at once when it is stopped, at a terminal and in a job, and says that nothing was changed. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { bin, connected, setUp, start, temporaryFolder } from "./support.js";
import { hasPseudoTerminal } from "./terminal.js";

const { folder, file, emulator, env } = await setUp();
const NOTHING = /interrupted; nothing was changed/;

/** Starts a command in a pseudo-terminal, with its process as the leader of the session. */
function startInTerminal(argv: readonly string[], its: NodeJS.ProcessEnv) {
  const pidFile = join(temporaryFolder(), "pid");
  const words = [process.execPath, bin, ...argv].map((word) => `'${word}'`).join(" ");
  const script = ["-qefc", `stty cols 200 rows 50; echo $$ > '${pidFile}'; exec ${words}`, "/dev/null"];
  const running = execa("script", script, {
    cwd: folder,
    env: { TERM: "xterm-256color", ...its, CI: "" },
    extendEnv: false,
    reject: false,
  });
  return { running, pid: () => Number(readFileSync(pidFile, "utf8")) };
}

type Started = ReturnType<typeof startInTerminal>;

function startInJob(argv: readonly string[], its: NodeJS.ProcessEnv): Started {
  const running = start(argv, folder, its) as unknown as Started["running"];
  return { running, pid: () => running.pid! };
}

/** Resolves once the output contains a text. */
function untilShown({ running }: Started, text: string): Promise<void> {
  let shown = "";
  return new Promise((resolve, reject) => {
    for (const stream of [running.stdout, running.stderr])
      stream.on("data", (chunk: Buffer) => {
        shown += chunk.toString();
        if (shown.includes(text)) resolve();
      });
    void running.then(() => reject(new Error(`ended without "${text}": ${shown}`)));
  });
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const typed = ({ running }: Started) => void running.stdin.write("\u0003");
const sent = (signal: NodeJS.Signals) => (started: Started) => void process.kill(started.pid(), signal);

describe("up --wait, whose requests do not suffice until the next hour", () => {
  const words = ["up", "--yes", "--wait", "--create-stack", "-f", file];

  // Each plan reads, too.
  beforeEach(() => {
    emulator.setRemaining(62);
    emulator.journal.clear();
  });

  it.skipIf(!hasPseudoTerminal).each([
    ["Ctrl-C", typed],
    ["SIGTERM", sent("SIGTERM")],
    ["SIGHUP", sent("SIGHUP")],
  ])("ends at a terminal on %s", async (_name, stop) => {
    const started = startInTerminal(words, env);
    await untilShown(started, "are not enough: waiting");
    stop(started);
    const { exitCode, stdout } = await started.running;
    expect(exitCode, stdout).toBe(130);
    expect(stdout).toMatch(NOTHING);
    expect(emulator.journal.writes()).toEqual([]);
  });

  it.skipIf(!hasPseudoTerminal)("ends when its terminal is gone", async () => {
    const started = startInTerminal(words, env);
    await untilShown(started, "are not enough: waiting");
    const pid = started.pid();
    started.running.kill("SIGKILL");
    await started.running;
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    expect(emulator.journal.writes()).toEqual([]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ends in a job on %s", async (signal) => {
    const started = startInJob(words, env);
    await untilShown(started, "are not enough: waiting");
    started.running.kill(signal);
    const { exitCode, stderr } = await started.running;
    expect(exitCode, stderr).toBe(130);
    expect(stderr).toMatch(NOTHING);
    expect(emulator.journal.writes()).toEqual([]);
  });
});

describe("a command whose requests get no response", () => {
  let asked: () => void = () => undefined;
  const silent = createServer(() => asked()).listen(0, "127.0.0.1");
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  it.each([
    ["whoami"],
    ["preview", "-f", file],
    ["drift", "-f", file],
    ["drift", "accept", "--all", "-f", file],
    ["export", "--workspace", "acme", "-o", "exported.yaml"],
    ["access", "--live"],
    ["run", "web/Deploy"],
    ["stack", "repair", "--yes", "-f", file],
  ])("%s %s ends at a terminal and in a job", async (...argv) => {
    const { port } = silent.address() as AddressInfo;
    const its = { ...env, ...connected({ baseUrl: `http://127.0.0.1:${port}`, token: "token" }) };
    for (const begin of [...(hasPseudoTerminal ? [startInTerminal] : []), startInJob]) {
      const request = new Promise<void>((resolve) => (asked = resolve));
      const started = begin(argv, its);
      const ended = started.running.then(({ stdout, stderr }) => expect.fail(stdout + stderr));
      await Promise.race([request, ended]).catch((error: unknown) => expect.fail(String(error)));
      if (begin === startInJob) started.running.kill("SIGTERM");
      else typed(started);
      const { exitCode, stdout, stderr } = await started.running;
      expect(exitCode, stdout + stderr).toBe(130);
      expect(stdout + stderr).toMatch(/interrupted; nothing was/);
    }
  });
});
