/** Runs `workspacectl drift accept`. */
import {
  type Accepted,
  buildEditsFromWorkspace,
  needsLiveValue,
  planEdits,
  refersToVariable,
} from "../../../automation/drift/accept-edits.js";
import { detectDrift } from "../../../automation/drift/detect-drift.js";
import type { DriftFinding, DriftReport } from "../../../automation/drift/drift-report.js";
import { separateExchanged } from "../../../automation/drift/exchanged.js";
import { listWithoutCounterpart } from "../../../automation/drift/inseparable.js";
import { listReferring, withReferring } from "../../../automation/drift/referring-findings.js";
import { openExisting } from "../../../automation/export/patch/existing-file.js";
import { writeEdited } from "../../../automation/export/patch/patch-existing.js";
import { formatNextCommand } from "../../../automation/next-command.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { openStack } from "../../../automation/stack/open-stack.js";
import type { Io } from "../../../reports/io.js";
import { noteOverrides, printEditedFiles } from "../../../reports/patched-file.js";
import { formatFinding } from "../../../reports/views/drift-view.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { formatFirst } from "../../../text/lists.js";
import { chooseVariableFor } from "../../../trust/variables.js";
import { describeEdit, type EditResult, editWorkspace } from "../../../workspace-file/edit/edit.js";
import type { ResourceDeclaration } from "../../../workspace-file/load/load.js";
import type { DriftAcceptOptions } from "./drift-command.js";
import { readReport, requireSelection, selectFindings, type Selection } from "./select-findings.js";

/** Updates the workspace file to match the workspace. Changes neither workspace nor state. */
export async function runDriftAccept(options: DriftAcceptOptions, io: Io): Promise<number> {
  requireSelection(options, "drift accept", io);
  const detected = options.report === undefined ? await detectDrift(options, io) : undefined;
  const report = detected?.report ?? readReport(options.report ?? "");
  const existing = openExisting(options.file, { ...options, stack: options.stack ?? report.stack }, io.env);
  const question = "Which findings do you want to accept?";
  const { declarations } = existing.declared;
  const named = await selectFindings(selectAcceptable(report, options), options, question, io);
  const selected = withReferring(named, report.findings, declarations);
  noteReferring(selected.slice(named.length), io);
  const { wanted, exchanged } = separateExchanged(selected);
  const unmanaged = wanted.filter((one) => one.class === "added");
  const connection = async () => {
    const open = detected?.open ?? (await openStack(options, { program: true }, io));
    // No operation of Pulumi waits for it here.
    await open.stack.ready;
    return open.connection;
  };
  const added = report.findings.filter((one) => one.class === "added");
  const hidden = wanted.filter((one) => needsLiveValue(one, declarations));
  const entries =
    unmanaged.length + hidden.length === 0
      ? undefined
      : await buildEditsFromWorkspace({ unmanaged, added, hidden }, existing, await connection(), io);
  const planned = planEdits(wanted, existing.declared, entries);
  const { dryRun = false, writeFiles = false } = options;
  const edit = ({ edits }: Pick<Accepted, "edits">) =>
    editWorkspace(
      options.file,
      { ...existing.reading, writeFiles },
      edits.map((one) => one.edit),
    );
  const { made } = edit(planned);
  const possible = planned.edits.flatMap(({ edit, finding }) =>
    finding !== undefined && made.some((one) => one.edit === edit) ? [finding] : [],
  );
  const alone = listWithoutCounterpart(possible, report.findings, declarations);
  const accepted = {
    ...planned,
    edits: planned.edits.filter((one) => !alone.some(({ finding }) => finding === one.finding)),
    left: [...planned.left, ...exchanged, ...alone],
  };
  const result = edit(accepted);
  writeEdited(result, { dryRun, of: existing });
  await printEditedFiles(result.files, { dryRun, label: "accepted", of: options.file }, io);
  printResult(withNamedIn(result, declarations), accepted, selected, options, io);
  return result.refused.length + accepted.left.length > 0 ? exitCodes.error : exitCodes.ok;
}

/**
 * Selects everything that drifted. Named objects are included anyway, so that the user learns why nothing is accepted. What cannot be verified
 * is no reason where something else of the name can be accepted.
 */
function selectAcceptable({ findings }: DriftReport, { names }: Selection): DriftFinding[] {
  const drifted = findings.filter((one) => ["changed", "deleted", "added"].includes(one.class));
  const empty = names.filter((name) => !drifted.some((one) => matchesPattern(name, one.name)));
  const isNamed = (one: DriftFinding) =>
    (one.class === "unverifiable" ? empty : names).some((name) => matchesPattern(name, one.name));
  return findings.filter((one) => drifted.includes(one) || isNamed(one));
}

/** Says what else is accepted, because it names what was deleted. */
function noteReferring(more: readonly DriftFinding[], io: Io): void {
  if (more.length === 0) return;
  const names = formatFirst(
    more.map(({ name }) => name),
    MOST_NAMED,
  );
  note(io, `Accepted with it, because they name what was deleted: ${names}`);
}

/** Maximum number of objects that are named. */
const MOST_NAMED = 8;

/** Says where what cannot be removed is still named. */
function withNamedIn(result: EditResult, declarations: readonly ResourceDeclaration[]): EditResult {
  const refused = result.refused.map((one) => {
    if (!("remove" in one.edit) || one.code !== "invalid") return one;
    const names = listReferring(one.edit.remove.name, declarations).map(({ name }) => name);
    if (names.length === 0) return one;
    const where = formatFirst([...new Set(names)], MOST_NAMED);
    return { ...one, reason: `${one.reason}. It is named in ${where}: remove it there first` };
  });
  return { ...result, refused };
}

function printResult(
  { files, made, refused }: EditResult,
  { left, missing, edits }: Accepted,
  wanted: readonly DriftFinding[],
  options: DriftAcceptOptions,
  io: Io,
): void {
  const { dryRun } = options;
  const { red } = io.colors;
  if (wanted.length === 0) return note(io, "Nothing to accept.");
  const findingOf = (edit: unknown) => edits.find((one) => one.edit === edit)?.finding;
  for (const { edit, reason } of refused) {
    const finding = findingOf(edit);
    const what = finding === undefined ? describeEdit(edit) : `${finding.name} ${formatFinding(finding)}`;
    note(io, `${red("not accepted:")} ${what}`);
    note(io, `  ${reason}`);
  }
  for (const { finding, why } of left) note(io, `${red("not accepted:")} ${finding.name}: ${why}`);
  noteOverrides(made, io);
  const secrets = missing.filter(({ variable }) => made.some(({ edit }) => refersToVariable(edit, variable)));
  if (secrets.length > 0) {
    note(io, "Secrets that cannot be read. Set them in the environment before the next run:");
    for (const { variable, name, arg } of secrets)
      note(io, `  ${chooseVariableFor(variable)}  ${name} ${arg}`);
  }
  const count = `${made.length} of ${made.length + refused.length + left.length}`;
  const what = dryRun ? "can be accepted; nothing was written" : "accepted";
  const added = made.some(({ edit }) => "add" in edit);
  const next =
    dryRun || files.length === 0
      ? ""
      : `. Review the difference, then run "${formatNextCommand(["up"], options)}"${added ? ", which adopts what is new" : ""}`;
  note(io, `${count} ${what}${next}`);
}
