/** Ends work that takes too long, such as a rule with an endless loop or a costly regular expression. */
import { createContext, Script } from "node:vm";

const script = new Script("work()");

/** Error for work that was ended. */
class TimeLimitError extends Error {}

/**
 * Runs synchronous work, and ends it after the time limit. The work has all permissions of the process: only its duration is limited.
 * @throws {TimeLimitError}
 */
export function runWithinTime<T>(milliseconds: number, work: () => T): T {
  try {
    return script.runInContext(createContext({ work }), { timeout: milliseconds }) as T;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new TimeLimitError(`takes more than ${milliseconds / 1000} seconds`);
  }
}
