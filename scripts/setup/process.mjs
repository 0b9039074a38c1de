// Child processes of the set-up, and signals.

import { spawn } from "node:child_process";
import { constants } from "node:os";

/** A set-up step that failed, with what to do about it. */
export class SetupError extends Error {
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy ?? "run `npm run demo` or `npm test`.";
  }
}

/** The user stopped the work. */
export class Stopped extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const stop = new AbortController();
let child;

/** For work that is done in this process. */
export const stopSignal = () => stop.signal;

/**
 * Hands signals on to the child and waits for its end. Ctrl-C on a terminal reaches the child anyhow, and a second
 * one would cut short what it does to end cleanly.
 */
export function forwardSignals() {
  const onSignal = (signal) => {
    if (!stop.signal.aborted) stop.abort(new Stopped(signal));
    if (child && !(signal === "SIGINT" && process.stdin.isTTY)) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/** Runs a program with this terminal; answers with its exit code. */
export async function run(program, args, options) {
  if (stop.signal.aborted) throw stop.signal.reason;
  child = spawn(program, args, { stdio: "inherit", ...options });
  try {
    return await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    child = undefined;
  }
}

/** Runs an npm command, and fails with a remedy when it fails. */
export async function npm(args, cwd, remedy) {
  // Under `npm run` this is the npm that runs us.
  const script = process.env.npm_execpath;
  const viaNode = script && /\.c?js$/.test(script);
  // What npm says is progress: stdout belongs to what was asked for, such as the name that `npm pack` prints.
  const options = { cwd, stdio: ["inherit", process.stderr, "inherit"] };
  const code = viaNode
    ? await run(process.execPath, [script, ...args], options)
    : await run("npm", args, { ...options, shell: process.platform === "win32" });
  if (stop.signal.aborted) throw stop.signal.reason;
  if (code !== 0)
    throw new SetupError(`\`npm ${args.join(" ")}\` failed with exit code ${code}; see above.`, remedy);
}
