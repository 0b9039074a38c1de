/** Objects that the plan would make and that are in the target already: `up` would fail on the first, after others were made. */
import { CliError } from "../../errors.js";
import type { Taken } from "../../engine/plan/existing.js";

/** So many are named. */
const NAMED = 10;

/** @throws {CliError} naming what is there and is not the stack's */
export function refuseExisting(taken: readonly Pick<Taken, "name">[], target: string): void {
  if (taken.length === 0) return;
  const names = taken.slice(0, NAMED).map(({ name }) => `\n  ${name}`);
  const more = taken.length > NAMED ? `\n  and ${taken.length - NAMED} more` : "";
  const what = taken.length === 1 ? "1 object is" : `${taken.length} objects are`;
  throw new CliError(
    `${what} in ${target} already, and not this stack's; nothing was written:${names.join("")}${more}\n` +
      "  -> --adopt takes over what has the same name, and brings it to what the file says",
  );
}
