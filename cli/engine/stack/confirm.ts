import { promptAnswer } from "../../terminal/answers.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";

/**
 * Requires `--yes` where there is no terminal, before any work is done.
 * @throws {CliError}
 */
export function requireYes(yes: boolean | undefined, command: string, io: Io): void {
  if (yes) return;
  if (io.quiet) throw new CliError(`with --quiet, ${command} does not show its plan: add --yes`);
  if (io.interactive) return;
  throw new CliError(
    `${command} changes the workspace and there is no terminal for a prompt: add --yes, or check the plan first with "workspacectl preview"`,
  );
}

/** Asks on the terminal; anything but a clear yes is a no. @throws {CliError} when the prompt is cancelled */
export async function confirmed(question: string, io: Io): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  const answer = await confirm({
    message: question,
    initialValue: false,
    input: io.stdin,
    output: io.stderr,
  });
  return promptAnswer(answer, "nothing was changed");
}

/** Asks for the name of the stack, because what follows cannot be undone. @throws {CliError} when the prompt is cancelled */
export async function confirmedByName(question: string, name: string, io: Io): Promise<boolean> {
  const { text } = await import("@clack/prompts");
  const answer = await text({
    message: `${question} Type ${name} to confirm`,
    input: io.stdin,
    output: io.stderr,
  });
  return promptAnswer(answer, "nothing was changed") === name;
}
