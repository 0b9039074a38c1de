/** Answers to prompts. Cancelling a prompt (Ctrl-C, Esc) ends the command like an interrupt. */
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";

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
