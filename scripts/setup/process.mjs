// Child processes of the setup, and signals.

import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Error of a setup step, with a remedy. */
export class SetupError extends Error {
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy ?? "run `npm run demo` or `npm test`.";
  }
}

/** Error for an interrupted setup. */
export class Stopped extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const stop = new AbortController();
const children = new Set();

/** Signal for work in this process. */
export const stopSignal = () => stop.signal;

/**
 * Forwards signals to the children and waits for their end. Does not forward Ctrl-C on a terminal, which they receive anyway: a
 * second one would interrupt its cleanup.
 */
export function forwardSignals() {
  const onSignal = (signal) => {
    if (!stop.signal.aborted) stop.abort(new Stopped(signal));
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    for (const child of children) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/** Ends what still runs next to a step that has failed. */
export function stopChildren() {
  for (const child of children) child.kill();
}

/** Runs a program in this terminal and returns its exit code. */
export async function run(program, args, options) {
  if (stop.signal.aborted) throw stop.signal.reason;
  const child = spawn(program, args, { stdio: "inherit", ...options });
  children.add(child);
  try {
    return await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    children.delete(child);
  }
}

/** Runs an npm command. Throws an error with a remedy when it fails. */
export async function npm(args, cwd, remedy) {
  // With `npm run`, this is the path of that npm.
  const script = process.env.npm_execpath;
  const viaNode = script && /\.c?js$/.test(script);
  // Output of npm is progress. Standard output is reserved for results, such as the name that `npm pack` prints.
  const options = { cwd, stdio: ["inherit", process.stderr, "inherit"] };
  const code = viaNode
    ? await run(process.execPath, [script, ...args], options)
    : await run("npm", args, { ...options, shell: process.platform === "win32" });
  if (stop.signal.aborted) throw stop.signal.reason;
  if (code !== 0)
    throw new SetupError(`\`npm ${args.join(" ")}\` failed with exit code ${code}; see above.`, remedy);
}
