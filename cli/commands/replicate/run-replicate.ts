/** Runs `workspacectl replicate`. */
import { existsSync } from "node:fs";
import { readMapping } from "../../../automation/compare/mapping-file.js";
import { writeUserFiles } from "../../../automation/config-files/write-user-files.js";
import { warnOfDifferences, type WorkspaceConnection } from "../../../automation/connection/connection.js";
import { AutomationError } from "../../../automation/errors.js";
import { findTypesNamed } from "../../../automation/export/scope.js";
import type { NameConflict } from "../../../automation/plan/name-conflicts.js";
import type { CheckedPlan } from "../../../automation/policy/checked-plan.js";
import { note } from "../../../automation/port.js";
import { listExcludedKinds } from "../../../automation/replicate/limit-kinds.js";
import {
  formatMissingLines,
  listVariablesUsed,
  type MissingPrerequisite,
} from "../../../automation/replicate/missing-in-target.js";
import { createTarget, prepare, readConnections } from "../../../automation/replicate/prepare.js";
import { ReplicationTarget } from "../../../automation/replicate/target-document.js";
import { stripControls } from "../../../client/printable.js";
import { printDiff } from "../../../reports/colored-change.js";
import { captureOutput, type Io, print } from "../../../reports/io.js";
import { formatFirst } from "../../../text/lists.js";
import { readTextIfPresent } from "../../../trust/checkout-files.js";
import { createPlainMeaning, readPlain } from "../../../workspace-file/edit/edit.js";
import { WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { exportWorkspace } from "../../operations/export.js";
import { preview } from "../../operations/preview.js";
import { runUp } from "../../operations/up.js";
import type { ReplicateOptions } from "./replicate-command.js";

/** Reproduces a workspace at another connection: writes the overlay of its stack, and runs `up`. */
export async function runReplicate(options: ReplicateOptions, io: Io): Promise<number> {
  const { file } = options;
  const sides = readConnections(options.from, options.to, io);
  warnOfDifferences(
    { name: options.from, profile: sides.from.profile },
    { name: options.to, profile: sides.to.profile },
    io,
  );
  const watched = options.kinds && findTypesNamed(options.kinds, "--kinds");
  const exported = existsSync(file) ? undefined : await exportText(options, io);
  const mapping = readMapping(options.mapping, file);
  const stack = options.stack ?? options.to;
  const target = new ReplicationTarget({ ...options, stack }, exported, io.env);
  const to = await createTarget(target, sides.from, sides.to, io);
  const between = { from: sides.from, to, mapping, watched };
  const missing = await prepare(target, between, io).catch((error: unknown) => {
    if (watched && error instanceof WorkspaceFileError)
      note(io, "--kinds excludes something that the rest needs:");
    throw error;
  });
  if (missing.length > 0) {
    if (exported !== undefined)
      note(io, `To see it first: workspacectl export -c ${options.from} -o ${file}`);
    throw createRefusalError(missing, to, mapping.file);
  }

  if (exported === undefined)
    note(
      io,
      `${file} is used unchanged: "workspacectl compare ${file} ${options.from}" shows whether ${options.from} matches it`,
    );
  const variables = listVariablesUsed(target, io.env);
  if (variables.length > 0)
    note(io, `${options.to} gets values from this environment: ${variables.join(", ")}`);
  await show(target, io);
  if (watched) printExcluded(listExcludedKinds(target, watched), target, io);
  const run = {
    ...options,
    stack,
    connection: options.to,
    texts: target.texts,
    json: false,
    // The stack has the name of an existing connection, so it is not mistyped.
    createStack: options.createStack ?? options.stack === undefined,
    onPlan: ({ taken }: CheckedPlan) => refuseExisting(taken, to.name ?? options.to),
    ...(options.adopt ? { adoptAfterCrash: true } : {}),
  };
  const looks = options.dryRun === true || (!options.yes && !io.interactive);
  if (!looks) {
    const question = `Write ${target.overlayFile}?`;
    const pending = isChanged(target) ? { pending: { question, write: () => write(target, io) } } : {};
    // A new stack does not become the one that other commands take.
    return runUp({ ...run, ...pending }, { ...io, env: { ...io.env, PULUMI_STACK: stack } });
  }
  const code = await preview(run, io);
  const why = options.dryRun ? "" : " There is no terminal for a prompt: add --yes to continue.";
  note(io, `Nothing was written, neither a file nor the workspace.${why}`);
  return code;
}

/** At most this many excluded names are printed. */
const MAX_EXCLUDED_SHOWN = 5;

function printExcluded(names: readonly string[], { overlayFile }: ReplicationTarget, io: Io): void {
  if (names.length === 0) return;
  note(
    io,
    `Selected by --kinds, but excluded by ${overlayFile} ($remove, $replace or external there): ` +
      formatFirst(names, MAX_EXCLUDED_SHOWN),
  );
}

/** Returns the workspace file that `export` would write. */
async function exportText({ file, from }: ReplicateOptions, io: Io): Promise<string> {
  note(io, `There is no ${file}: creating it from the workspace of ${from}, as "workspacectl export" would.`);
  const { stream, text } = captureOutput();
  await exportWorkspace({ connection: from, language: "yaml" }, { ...io, stdout: stream });
  return text();
}

function createRefusalError(
  missing: readonly MissingPrerequisite[],
  { name, workspace, baseUrl }: WorkspaceConnection,
  mappingFile: string | undefined,
): AutomationError {
  const what = missing.length === 1 ? "1 thing is" : `${missing.length} things are`;
  const head = `${what} missing in ${name} (${workspace} at ${baseUrl}); nothing was written`;
  return new AutomationError(
    [head, ...formatMissingLines(missing, mappingFile)].join("\n"),
    missing.map(({ remedy }) => stripControls(remedy)),
  );
}

const isChanged = (target: ReplicationTarget) =>
  target.exported !== undefined || target.before !== target.after;

async function show(target: ReplicationTarget, io: Io): Promise<void> {
  const { overlayFile, before, after, options, exported } = target;
  if (exported !== undefined) {
    const lines = exported.split("\n").length - 1;
    print(io, `${options.file} is new: ${lines} lines, of the workspace as it is`);
  }
  if (before === after) print(io, `${overlayFile} is unchanged`);
  else await printDiff(overlayFile, before ?? "", after, before === undefined ? "new" : "updated", io);
  print(io);
}

/** @throws {AutomationError} when a file has changed in the meantime */
function write(target: ReplicationTarget, io: Io): void {
  const { overlayFile, before, after, options, exported } = target;
  const now = readTextIfPresent(overlayFile);
  if (now !== before || (exported !== undefined && existsSync(options.file)))
    throw new AutomationError(
      `${overlayFile} was changed in the meantime, and nothing was written`,
      "run the command again",
    );
  if (exported !== undefined)
    writeUserFiles(
      [{ path: options.file, after: exported }],
      createPlainMeaning(options.file, readPlain(exported)),
    );
  if (before !== after)
    writeUserFiles([{ path: overlayFile, after }], createPlainMeaning(overlayFile, target.overlay.expected));
  note(
    io,
    `Written: ${[...(exported === undefined ? [] : [options.file]), ...(before === after ? [] : [overlayFile])].join(", ")}`,
  );
}

/** At most this many existing objects are printed. */
const MAX_EXISTING_SHOWN = 10;

/** @throws {AutomationError} naming existing objects that the stack does not manage */
export function refuseExisting(taken: readonly Pick<NameConflict, "name">[], target: string): void {
  if (taken.length === 0) return;
  const names = taken.slice(0, MAX_EXISTING_SHOWN).map(({ name }) => `\n  ${name}`);
  const more = taken.length > MAX_EXISTING_SHOWN ? `\n  and ${taken.length - MAX_EXISTING_SHOWN} more` : "";
  const what = taken.length === 1 ? "1 object already exists" : `${taken.length} objects already exist`;
  throw new AutomationError(
    `${what} in ${target}, but this stack does not manage them; nothing was written:${names.join("")}${more}`,
    "  -> --adopt adopts objects of the same name, and updates them to match the file",
  );
}
