/** Runs commands of the Pulumi CLI that are no operations of the engine (those: engine/engine-stack.ts). */
import { execa } from "execa";
import { CliError } from "../../errors.js";

/** A call of the Pulumi CLI that failed; the message is Pulumi's own. */
export class PulumiError extends CliError {
  override readonly name = "CliError";
}

export interface PulumiCli {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs a command and answers with its stdout.
 * @param input what the command reads; a secret is no secret any more in a file
 * @throws {PulumiError}
 */
export async function runPulumi(
  { command, cwd, env }: PulumiCli,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const { exitCode, failed, stdout, stderr } = await execa(command, [...args, "--non-interactive"], {
    cwd,
    env,
    reject: false,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
  });
  if (!failed) return stdout;
  throw new PulumiError(
    explainPulumi(stderr || stdout) || `pulumi ${args[0]} failed with exit code ${exitCode}`,
  );
}

/** What the CLI said was wrong, with a remedy where it has none of its own. */
export function explainPulumi(output: string): string {
  const said = errorLines(output);
  if (/incorrect passphrase/.test(said)) {
    return (
      "the passphrase is not the one this stack was made with: set PULUMI_CONFIG_PASSPHRASE or " +
      "PULUMI_CONFIG_PASSPHRASE_FILE to the right one"
    );
  }
  const lock = /currently locked by .*\n?([\s\S]*)/.exec(said);
  if (lock || /Another update is currently in progress/.test(said)) {
    const by = /created by .*/.exec(said)?.[0];
    return (
      `another update of this stack is under way${by ? ` (${by})` : ""}: wait for its end. ` +
      'If it was killed and left the lock behind, run "workspacectl stack unlock"; nothing was changed'
    );
  }
  return said;
}

/** The text from the first `error:` on, without what precedes it. */
function errorLines(output: string): string {
  const at = output.search(/^error:/m);
  return (at < 0 ? output : output.slice(at).replace(/^error:\s*/, "")).trim();
}
