import { variableFor } from "../../../../trust/variables.js";
import { editWorkspace, nameOfEdit, type EditResult } from "../../../../workspace-file/edit/index.js";
import { readDeclarations, type LoadOptions } from "../../../../workspace-file/load/index.js";
import { detectDrift, type DetectOptions } from "../detect.js";
import { openStack } from "../../../engine/stack/open.js";
import { entriesOfUnmanaged } from "./additions.js";
import { editsOf, type Accepted } from "./edits.js";
import type { DriftReport, DriftFinding } from "../model.js";
import { readReport, requireSelection, selected, type Selection } from "../select.js";
import { findingText } from "../view.js";
import { readText } from "../../../../trust/files.js";
import { CliError } from "../../../errors.js";
import { exitCodes } from "../../../exit-codes.js";
import { note, print, type Io } from "../../../terminal/io.js";
import { printDiff } from "../../../terminal/print-diff.js";
import { writeFileAtomically } from "../../../terminal/write-file.js";

export interface DriftAcceptOptions extends DetectOptions, Selection {
  /** File of an earlier report; without one, the workspace is read. */
  readonly report?: string;
  readonly dryRun?: boolean;
  /** Also write the files that `${file:...}` placeholders name. */
  readonly writeFiles?: boolean;
}

/** Updates the workspace file to match the workspace. Changes neither workspace nor state. */
export async function driftAccept(options: DriftAcceptOptions, io: Io): Promise<number> {
  requireSelection(options, "drift accept", io);
  const detected = options.report === undefined ? await detectDrift(options, io) : undefined;
  const report = detected?.report ?? readReport(options.report ?? "");
  const reading = readingOf(options, report, io);
  const declared = readDeclarations(options.file, reading);
  const wanted = await selected(
    acceptable(report, options),
    options,
    "Which findings do you want to accept?",
    io,
  );
  const unmanaged = wanted.filter((one) => one.class === "added");
  const connection = async () => {
    const open = detected?.open ?? (await openStack(options, { program: true, readOnly: true }, io));
    // No operation of Pulumi waits for it here.
    await open.stack.ready;
    return open.connection;
  };
  const entries =
    unmanaged.length === 0
      ? undefined
      : await entriesOfUnmanaged(
          unmanaged,
          { ...options, stack: options.stack ?? report.stack },
          await connection(),
          io,
        );
  const accepted = editsOf(wanted, declared, entries);
  const edits = accepted.edits.map(({ edit }) => edit);
  const result = editWorkspace(options.file, { ...reading, writeFiles: options.writeFiles ?? false }, edits);

  for (const { path, before, after } of result.files) {
    if (options.dryRun) await printDiff(path, before, after, "accepted", io);
    else write(path, before, after);
  }
  tell(result, accepted, wanted, options, io);
  return result.refused.length + accepted.left.length > 0 ? exitCodes.error : exitCodes.ok;
}

/** Selects everything that drifted. Named objects are included anyway, so that the user learns why nothing is accepted. */
function acceptable({ findings }: DriftReport, { names }: Selection): DriftFinding[] {
  const drifted = ["changed", "deleted", "added"];
  return findings.filter((one) => drifted.includes(one.class) || names.includes(one.name));
}

function readingOf(
  { stack, overlay, allowPath }: DriftAcceptOptions,
  report: DriftReport,
  io: Io,
): LoadOptions {
  return {
    env: io.env,
    stack: stack ?? report.stack,
    overlays: overlay,
    allowPaths: allowPath,
    mock: "config",
  };
}

/** @throws {CliError} when the file was changed in the meantime */
function write(path: string, before: string, after: string): void {
  if (readText(path, { named: true }) !== before)
    throw new CliError(`${path} was changed in the meantime, and is left as it is`, "run the command again");
  writeFileAtomically(path, after, { named: true });
}

function tell(
  { files, made, refused }: EditResult,
  { left, missing, edits }: Accepted,
  wanted: readonly DriftFinding[],
  { dryRun }: DriftAcceptOptions,
  io: Io,
): void {
  const { red, dim } = io.colors;
  if (wanted.length === 0) return note(io, "Nothing to accept.");
  if (!dryRun) for (const { path } of files) print(io, path);
  const findingOf = (edit: unknown) => edits.find((one) => one.edit === edit)?.finding;
  for (const { edit, reason } of refused) {
    const finding = findingOf(edit);
    const what = finding === undefined ? nameOfEdit(edit) : `${finding.name} ${findingText(finding)}`;
    note(io, `${red("not accepted:")} ${what}`);
    note(io, `  ${reason}`);
  }
  for (const { finding, why } of left) note(io, `${red("not accepted:")} ${finding.name}: ${why}`);
  const overridden = made.filter((one) => one.override).map(({ edit }) => nameOfEdit(edit));
  if (overridden.length > 0)
    note(
      io,
      dim(
        `These now set their own value instead of that of a template, defaults or an alias: ${overridden.join(", ")}`,
      ),
    );
  const done = new Set(made.map(({ edit }) => nameOfEdit(edit)));
  const secrets = missing.filter(({ name }) => done.has(name));
  if (secrets.length > 0) {
    note(io, "Secrets that cannot be read. Set them in the environment before the next run:");
    for (const { variable, name, arg } of secrets) note(io, `  ${variableFor(variable)}  ${name} ${arg}`);
  }
  const count = `${made.length} of ${made.length + refused.length + left.length}`;
  const what = dryRun ? "can be accepted; nothing was written" : "accepted";
  const added = made.some(({ edit }) => "add" in edit);
  const next =
    dryRun || files.length === 0
      ? ""
      : `. Review the difference, then run "workspacectl up"${added ? ", which adopts what is new" : ""}`;
  note(io, `${count} ${what}${next}`);
}
