/** Questions to the user, and what answers mean. Cancelling a prompt (Ctrl-C, Esc) ends the command like an interrupt. */
import { CliError, exitCodes } from "../errors.js";
import type { Io } from "./io.js";

/** What a command changes, and so asks for. */
type Changed = "workspace" | "stack";

/**
 * Requires `--yes` where there is no terminal, before any work is done.
 * @throws {CliError}
 */
export function requireYes(
  yes: boolean | undefined,
  command: string,
  io: Io,
  changed: Changed = "workspace",
): void {
  if (yes) return;
  const plans = changed === "workspace";
  if (io.quiet)
    throw new CliError(
      `with --quiet, ${command} ${plans ? "does not show its plan" : "does not ask"}`,
      "add --yes",
    );
  if (io.interactive) return;
  const otherwise = plans ? ', or check the plan first with "workspacectl preview"' : "";
  throw new CliError(
    `${command} changes the ${changed} and there is no terminal for a prompt`,
    `add --yes${otherwise}`,
  );
}

/** Asks on the terminal; anything but a clear yes is a no. @throws {CliError} when the prompt is cancelled */
export async function askConfirmation(question: string, io: Io): Promise<boolean> {
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
export async function confirmByName(question: string, name: string, io: Io): Promise<boolean> {
  const { text } = await import("@clack/prompts");
  const answer = await text({
    message: `${question} Type ${name} to confirm`,
    input: io.stdin,
    output: io.stderr,
  });
  return promptAnswer(answer, "nothing was changed") === name;
}

/**
 * Returns the answer to a prompt.
 * @param left explanation for a cancelled prompt: what was not done
 * @throws {CliError} with the exit code of an interrupt
 */
export function promptAnswer<T>(answer: T, left: string): Exclude<T, symbol> {
  // The library returns a symbol for a cancelled prompt.
  if (typeof answer === "symbol")
    throw new CliError(`interrupted; ${left}`, "run the command again, and answer its prompt, to continue", {
      exitCode: exitCodes.interrupted,
    });
  return answer as Exclude<T, symbol>;
}
