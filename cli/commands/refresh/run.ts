/** Runs `workspacectl refresh`. */
import { exitCodes } from "../../errors.js";
import { print, printResult, type Io } from "../../terminal/io.js";
import {
  printHeading,
  printNotes,
  printRows,
  printUnverifiable,
  listRows,
  formatSeconds,
  type UnverifiableOption,
} from "../../reporters/plan/print-plan.js";
import { reportHeader, describeReported } from "../../reporters/plan-json.js";
import { runHead, runParts, stackParts } from "../../reporters/report-schemas.js";
import { formatNotVerifiable, formatObjectCount } from "../../reporters/format-values.js";
import { printJson, redirectForPeople, type JsonOption } from "../../terminal/output.js";
import { publishDrift } from "../../saved-plan/published-steps.js";
import { formatNextCommand } from "../../options/document.js";
import { openStack, type OpenStack, type StackOptions } from "../../engine/stack/open-stack.js";
import { runOperation } from "../../engine/stack/run-operations.js";
import { followRenames } from "../../engine/plan/renames.js";
import { listObjectsInState, type Deployment } from "../../engine/stack/state.js";
import { createStateChangedError } from "../../engine/stack/state-version.js";
import { z } from "zod";
import { plannedChanges } from "../preview/report.js";

const { drift, unchanged, unverifiable } = plannedChanges.shape;

export const refreshReportSchema = z
  .strictObject({ ...runParts(1), ...stackParts, drift, unchanged, unverifiable })
  .meta({ title: "Report of a refresh", description: "What `workspacectl refresh --json` prints." });

type RefreshOptions = StackOptions & JsonOption & UnverifiableOption;

/** Reads the workspace into the state, and shows outside changes. */
export async function refresh(options: RefreshOptions, io: Io): Promise<number> {
  const report = await refreshState(options, io);
  if (options.json) printJson(io, report);
  return exitCodes.ok;
}

/** Reads the workspace into the state. @returns what `--json` prints */
export async function refreshState(options: RefreshOptions, io: Io): Promise<object> {
  const open = await openStack(options, { program: false }, io);
  const shown = redirectForPeople(io, options);
  // Counting may take a second, so it is done only for the progress view.
  if (io.stderr.isTTY && !io.quiet)
    open.stack.expect({ reading: listObjectsInState(await open.state()).length });
  // A refresh that fails has already removed objects from the state that seemed to be deleted.
  let madeFrom = await open.stack.readVersion();
  const before = await open.stack.exportStack();
  const restore = async () => {
    await requireOnlyRefreshed(open, before.deployment);
    await open.stack.importStack(before);
    madeFrom = await open.stack.readVersion();
  };
  const read = () => runOperation(open.stack, { command: "refresh", madeFrom }, shown);
  const seen = await followRenames(open, shown, read, restore);
  printNotes(seen, shown);
  if (seen.drift.length > 0) printHeading(open, shown);
  printRows(listRows({ steps: [], drift: seen.drift }, {}, shown), shown);
  if (seen.drift.length > 0) print(shown);
  const values = formatNotVerifiable(seen.unverifiable.length, ", ");
  const counts =
    seen.drift.length === 0
      ? `No outside changes: ${formatObjectCount(seen.unchanged)} as in the state`
      : `Refreshed: ${seen.drift.length} changed outside, ${seen.unchanged} unchanged`;
  const remedy =
    seen.drift.length === 0
      ? ""
      : ` "${formatNextCommand(["up"], options)}" restores what the file declares.`;
  printResult(shown, `${counts}${values} (${formatSeconds(seen.milliseconds)}).${remedy}`);
  printUnverifiable(seen.unverifiable, options, shown);
  const { unchanged, unverifiable } = seen;
  const drift = publishDrift(seen);
  return {
    ...runHead(1, seen.milliseconds),
    ...{ ...reportHeader(open), drift, unchanged, unverifiable: describeReported(unverifiable) },
  };
}

/** @throws {CliError} when the state has objects that no refresh adds: another run has ended since */
async function requireOnlyRefreshed(open: OpenStack, { resources: before = [] }: Deployment): Promise<void> {
  const { resources = [] } = await open.state();
  const known = new Set(before.map(({ urn, id }) => `${urn} ${id}`));
  if (!resources.every(({ urn, id }) => known.has(`${urn} ${id}`))) throw createStateChangedError(open.name);
}
