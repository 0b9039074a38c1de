/** Objects that the plan would make and that are in the target already: `up` would fail on the first, after others were made. */
import type { Connection } from "../../provider/index.js";
import { Finder } from "../../provider/index.js";
import type { Entry } from "../../sdk/nodejs/load/entries.js";
import { CliError } from "../errors.js";
import { note, type Io } from "../io.js";
import type { Step } from "../plan/steps.js";
import { debugLines } from "../service/client.js";
import { chainOf } from "./externals.js";
import { entriesOf } from "../../sdk/nodejs/load/entries.js";
import type { Target } from "./target.js";

/** So many are named. */
const NAMED = 10;

/** @throws {CliError} naming what is there and is not the stack's */
export async function refuseExisting(
  steps: readonly Step[],
  target: Target,
  connection: Connection,
  io: Io,
): Promise<void> {
  const { tree, declared } = target.now();
  const adopted = new Set(
    declared.declarations.filter(({ args }) => args["adopt"] === true).map(({ name }) => name),
  );
  const made = new Set(
    steps
      .filter(({ operation, name }) => operation === "create" && !adopted.has(name))
      .map(({ name }) => name),
  );
  const entries = entriesOf(tree).filter(({ name }) => made.has(name));
  if (entries.length === 0) return;
  const finder = new Finder(connection, (line) => note(io, line), debugLines(io));
  try {
    const there = new Map<string, boolean>();
    for (const entry of entries) {
      // What stands in a new object is new.
      const inNew = entry.parent !== undefined && there.get(entry.parent.name) === false;
      there.set(entry.name, !inNew && (await finder.has(chainOf(entry))));
    }
    const found = entries.filter(({ name }) => there.get(name));
    if (found.length > 0) throw refusal(found, connection);
  } finally {
    await finder.close();
  }
}

function refusal(found: readonly Entry[], { name }: Connection): CliError {
  const names = found.slice(0, NAMED).map((entry) => `\n  ${entry.name}`);
  const more = found.length > NAMED ? `\n  and ${found.length - NAMED} more` : "";
  const what = found.length === 1 ? "1 object is" : `${found.length} objects are`;
  return new CliError(
    `${what} in ${name} already, and not this stack's; nothing was written:${names.join("")}${more}\n` +
      "  -> --adopt takes over what has the same name, and brings it to what the file says",
  );
}
