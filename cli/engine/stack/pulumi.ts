/** Runs commands of the Pulumi CLI other than the engine's operations, which are in engine-stack.ts. */
import { execa } from "execa";
import { CliError } from "../../errors.js";
import type { StackLocation } from "./lock-files.js";
import { watchOwner } from "./lock-owners.js";
import type { PrivateFolder } from "./private-folder.js";

/** A call of the Pulumi CLI that failed; the message is Pulumi's own. */
export class PulumiError extends CliError {
  override readonly name = "CliError";
}

export interface PulumiCli {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The stack on which the commands work; absent for a temporary state, and before the stack is chosen. */
  readonly location?: StackLocation;
  /** The folder in which Pulumi runs for a workspace file; absent for a program. */
  readonly folder?: PrivateFolder;
}

/**
 * Runs a command and returns its standard output.
 * @param input standard input of the command; a secret must not be written to a file
 * @throws {PulumiError}
 */
export async function runPulumi(
  { command, cwd, env, location }: PulumiCli,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const running = execa(command, [...args, "--non-interactive"], {
    cwd,
    env,
    reject: false,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
  });
  const ended = location && running.pid !== undefined ? watchOwner(location, running.pid) : undefined;
  const { exitCode, failed, stdout, stderr } = await running;
  ended?.();
  if (!failed) return stdout;
  throw new PulumiError(
    explainPulumi(stderr || stdout) || `pulumi ${args[0]} failed with exit code ${exitCode}`,
  );
}

/** Extracts the CLI's error, and adds a remedy where it has none. */
export function explainPulumi(output: string): string {
  const message = errorLines(output);
  if (/incorrect passphrase/.test(message)) {
    return (
      "the passphrase is not the one that this stack was created with: set PULUMI_CONFIG_PASSPHRASE or " +
      "PULUMI_CONFIG_PASSPHRASE_FILE to the right one"
    );
  }
  const lock = /currently locked by .*\n?([\s\S]*)/.exec(message);
  if (lock || /Another update is currently in progress/.test(message)) {
    return lockedText(/created by .*/.exec(message)?.[0]);
  }
  return message;
}

/** @param owner what Pulumi says of the lock */
export function lockedText(owner: string | undefined): string {
  return (
    `another update of this stack is under way${owner ? ` (${owner})` : ""}: wait until it ends. ` +
    'If it was killed and left the lock behind, run "workspacectl stack unlock"; nothing was changed'
  );
}

/** The text after the first `error:`. */
function errorLines(output: string): string {
  const start = output.search(/^error:/m);
  return (start < 0 ? output : output.slice(start).replace(/^error:\s*/, "")).trim();
}
