/** Prints the request budget. */
import { clock } from "../../terminal/clock.js";
import { CliError } from "../../errors.js";
import { print, type Io } from "../../terminal/io.js";
import { sufficiency, total, type Budget } from "./budget.js";

export function printBudget(budget: Budget, io: Io): void {
  const { made, needed, left, reserve } = budget;
  const takes = `about ${total(needed)} to carry it out (${needed.reads} to read, ${needed.writes} to write)`;
  const there =
    left === undefined
      ? "the service does not say how many are left"
      : `${left.remaining} of ${left.limit} left until ${clock(left.resetAt)}, ${reserve} of them kept in reserve`;
  print(io, io.colors.dim(`Requests: ${takes}, ${total(made)} made so far; ${there}`));
}

/** Returns the error for insufficient requests. */
export function shortage(budget: Budget): CliError {
  const { needed, left, reserve } = budget;
  const [there, all, until] = [
    left?.remaining ?? 0,
    left?.limit ?? 0,
    left ? left.resetAt.toISOString() : "?",
  ];
  const what = `this takes about ${total(needed)} requests, and ${there} of ${all} are left until ${until}, of which ${reserve} are kept in reserve`;
  const remedy =
    sufficiency(budget) === "too-much"
      ? "Not even a whole hour's requests suffice: set --reserve lower, or declare the workspace in several steps"
      : "Run it again after that, add --wait to wait for it, or set --reserve lower";
  return new CliError(`refused, nothing was changed: ${what}. ${remedy}`);
}
