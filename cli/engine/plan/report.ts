/** What `--json` prints of a plan or a result: one value on stdout, and the words for people on stderr. */
import { silent, type Io } from "../../terminal/io.js";
import type { OpenStack } from "../stack/open.js";
import { sufficiency } from "../../policies/request-budget/budget.js";
import type { CheckedPlan } from "./checked-plan.js";
import type { Told } from "./steps.js";
import { reported } from "./write-only.js";

/** An option of every command that shows a plan or a result. */
export interface JsonOption {
  readonly json?: boolean;
}

/** Where the words for people go: beside the JSON, or where results go. */
export function forPeople(io: Io, { json }: JsonOption): Io {
  const people = json ? { ...io, stdout: io.stderr } : io;
  if (!io.quiet) return people;
  // Beside JSON, which is the result, nothing is left to be said.
  return { ...people, stdout: silent(), results: json ? silent() : people.stdout };
}

/** Which workspace a report is about. */
export function about({ connection, name }: OpenStack): object {
  return { workspace: connection.workspace, baseUrl: connection.baseUrl, stack: name };
}

/** A plan or a result as data. */
export function report({ steps, drift, unchanged, unverifiable }: Told): object {
  return { steps, drift, unchanged, unverifiable: reported(unverifiable) };
}

/** What is said of a plan, as data. */
export function checks({ taken, remedies, verdicts, budget, access }: CheckedPlan): object {
  const { made, needed, left, reserve } = budget;
  return {
    taken: { objects: taken, remedies },
    guards: verdicts,
    access: access.impacts,
    requests: {
      made: { reads: made.reads, writes: made.writes },
      needed,
      reserve,
      sufficiency: sufficiency(budget),
      ...(left ? { left } : {}),
    },
  };
}
