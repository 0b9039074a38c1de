/** The streams of this process. */
import pc from "picocolors";
import { type Io, noteStart, type Output } from "../../reports/io.js";
import { isCi } from "../../text/safe-text.js";
import { isSecretVariable } from "../../trust/secret-variables.js";
import { terminalPort } from "./terminal-port.js";

/**
 * Returns the streams of this process. Moves credentials from its environment to `env`, so that programs that it starts (a
 * browser, a compiler) do not inherit them.
 */
export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (isSecretVariable(name)) delete process.env[name];
  // Nobody is there in a job of CI, even if its runner gives it a terminal.
  const interactive = stdin.isTTY && stderr.isTTY && !isCi(env);
  // A terminal without a size. The library of the prompts would write one character a line.
  if (interactive && stderr.columns === 0) stderr.columns = 80;
  noteStart(process);
  return {
    ...terminalPort,
    stdin,
    stdout,
    stderr,
    env,
    interactive,
    colors: pc.createColors(wantsColors(stdout, env)),
  };
}

function wantsColors(stdout: Output, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  return Boolean(env["FORCE_COLOR"]) || (stdout.isTTY === true && env["TERM"] !== "dumb");
}

/** A reader closed its pipe early (`| head -1`), or the terminal is gone: a lost connection, a runner that closes its pseudo terminal. */
const GONE = ["EPIPE", "EIO"];

/** Continues when nobody reads the output any more. This must not interrupt an operation. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!GONE.includes(error.code ?? "")) throw error;
    });
}

/** Waits until all output is written. */
export function waitUntilFlushed(): Promise<void> {
  return new Promise((resolve) => process.stdout.write("", () => process.stderr.write("", () => resolve())));
}
