/** What people answer on the terminal. Whoever breaks a question off (Ctrl-C, Esc) ends the command as an interrupt does. */
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";

/**
 * The answer to a question.
 * @param left what is said when there is none: what was not done
 * @throws {CliError} with the exit code of an interrupt
 */
export function promptAnswer<T>(answer: T, left: string): Exclude<T, symbol> {
  // The library answers with a symbol of its own when a question is broken off.
  if (typeof answer === "symbol") throw new CliError(`interrupted; ${left}`, exitCodes.interrupted);
  return answer as Exclude<T, symbol>;
}
