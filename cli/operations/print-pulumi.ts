/** Runs Pulumi's own commands on the terminal, and prints their results. */
import { resolve } from "node:path";
import { AutomationError } from "../../automation/errors.js";
import { warn } from "../../automation/port.js";
import { type PulumiCli, runPulumi } from "../../automation/stack/pulumi.js";
import { recordChange } from "../../client/changes.js";
import { handleSignals } from "../../recovery/signals.js";
import { type Io, printText } from "../../reports/io.js";
import { escapeJson } from "../../text/safe-text.js";
import { startProgram } from "../../trust/start-program.js";

/**
 * Runs a Pulumi command on the user's terminal, if there is one, and prints its output.
 * @param input replaces standard input
 * @returns its exit code
 */
export async function passToPulumi(
  { command, cwd, env, folder }: PulumiCli,
  args: readonly string[],
  io: Io,
  input?: string,
): Promise<number> {
  const own = io.stdout === process.stdout;
  recordChange();
  const running = startProgram(
    command,
    withAbsolutePaths(args),
    { cwd, env },
    {
      stdout: own ? "inherit" : "pipe",
      stderr: own ? "inherit" : "pipe",
      ...(input === undefined ? { stdin: own ? "inherit" : "ignore" } : { input }),
    },
  );
  // The terminal sends Ctrl-C to Pulumi too, and a second one would make it leave objects pending.
  const endListening = handleSignals((signal) => void (signal === "SIGINT" || running.kill("SIGINT")));
  const { exitCode, failed, stdout, stderr } = await running.finally(endListening);
  folder?.saveAllStacks();
  if (stdout) printText(io, `${stdout}\n`);
  if (stderr) warn(io, stderr);
  if (failed && exitCode === undefined)
    throw new AutomationError(
      `Pulumi at ${command} could not be run`,
      'run "workspacectl doctor" to check the installation',
    );
  return exitCode ?? 1;
}

/** Flags of Pulumi's commands that name a file or folder, which is relative to the user's folder, not to Pulumi's. */
const PATH_FLAGS = /^--(file|plan|save-plan|policy-pack|policy-pack-config|out|config-file)(?:=(.*))?$/s;

function withAbsolutePaths(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const [, flag, given] = PATH_FLAGS.exec(arg) ?? [];
    if (flag !== undefined && given !== undefined) return `--${flag}=${resolve(given)}`;
    const [, before, value] = PATH_FLAGS.exec(args[index - 1] ?? "") ?? [];
    return before !== undefined && value === undefined && arg !== "-" ? resolve(arg) : arg;
  });
}

/** Runs a Pulumi command without prompts, and prints its result. @throws {AutomationError} */
export async function printPulumi(
  cli: PulumiCli,
  args: readonly string[],
  io: Io,
  input?: string,
): Promise<void> {
  const text = await runPulumi(cli, args, input);
  if (text.trim() !== "")
    printText(io, `${args.includes("--json") ? escapeJson(text.trimEnd()) : text.trimEnd()}\n`);
}
