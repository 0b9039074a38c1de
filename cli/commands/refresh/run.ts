import { exitCodes } from "../../exit-codes.js";
import { printResult, type Io } from "../../terminal/io.js";
import {
  printDrift,
  printNotes,
  seconds,
  printUnverifiable,
  type UnverifiableOption,
  printHeading,
} from "../../reporters/plan.js";
import { reportHeader, reported } from "../../reporters/plan-json.js";
import { forPeople, type JsonOption } from "../../terminal/for-people.js";
import { published } from "../../engine/plan/changes.js";
import { expectOf } from "../../engine/progress/expected.js";
import { printJson } from "../../terminal/output.js";
import { openStack, type StackOptions } from "../../engine/stack/open.js";
import { refreshStack } from "../../engine/stack/operations.js";
import { followingRenames } from "../../engine/stack/renames.js";
import { objectsInState } from "../../engine/stack/state.js";

/** Reads the workspace into the state, and shows outside changes. */
export async function refresh(
  options: StackOptions & JsonOption & UnverifiableOption,
  io: Io,
): Promise<number> {
  const open = await openStack(options, { program: false }, io);
  const shown = forPeople(io, options);
  printHeading(open, shown);
  // Counting takes a second, so it is done only for the progress view.
  if (io.stderr.isTTY && !io.quiet)
    expectOf(open.stack, { reading: (await objectsInState(open.stack)).length });
  // A refresh that fails has already removed objects from the state that seemed to be deleted.
  const before = await open.stack.exportStack();
  const seen = await followingRenames(
    open,
    shown,
    () => refreshStack(open.stack, shown),
    () => open.stack.importStack(before),
  );
  printNotes(seen, shown);
  printDrift(seen.drift, shown);
  const found =
    seen.drift.length === 0
      ? "Nothing was changed outside"
      : `${seen.drift.length} changed outside; "workspacectl up" restores what the file declares`;
  printResult(shown, `${found} (${seconds(seen.milliseconds)})`);
  printUnverifiable(seen.unverifiable, options, shown);
  const { unchanged, unverifiable } = seen;
  const drift = published(seen.drift);
  if (options.json)
    printJson(io, { ...reportHeader(open), drift, unchanged, unverifiable: reported(unverifiable) });
  return exitCodes.ok;
}
