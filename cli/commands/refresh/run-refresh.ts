/** Runs `workspacectl refresh`. */
import { z } from "zod";
import { formatNextCommand } from "../../../automation/next-command.js";
import { followRenames } from "../../../automation/plan/renames.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { describeReported, reportHeader } from "../../../automation/report/plan-report.js";
import { runHead, runParts, stackParts } from "../../../automation/report/report-schemas.js";
import { publishDrift } from "../../../automation/saved-plan/published-steps.js";
import type { StackOptions } from "../../../automation/stack/locate-stack.js";
import { type OpenStack, openStack } from "../../../automation/stack/open-stack.js";
import { runOperation } from "../../../automation/stack/run-operations.js";
import { type Deployment, listObjectsInState } from "../../../automation/stack/state.js";
import { createStateChangedError } from "../../../automation/stack/state-version.js";
import { formatNotVerifiable, formatObjectCount } from "../../../reports/format-values.js";
import { type Io, print, printResult } from "../../../reports/io.js";
import { type JsonOption, printJson, redirectForPeople } from "../../../reports/output.js";
import {
  formatSeconds,
  listRows,
  printHeading,
  printNotes,
  printRows,
  printUnverifiable,
  type UnverifiableOption,
} from "../../../reports/plan/print-plan.js";
import { plannedChanges } from "../../../reports/views/preview-report.js";

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

/** @throws {AutomationError} when the state has objects that no refresh adds: another run has ended since */
async function requireOnlyRefreshed(open: OpenStack, { resources: before = [] }: Deployment): Promise<void> {
  const { resources = [] } = await open.state();
  const known = new Set(before.map(({ urn, id }) => `${urn} ${id}`));
  if (!resources.every(({ urn, id }) => known.has(`${urn} ${id}`))) throw createStateChangedError(open.name);
}
