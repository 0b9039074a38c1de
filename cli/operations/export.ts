/** Runs `workspacectl export`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../../automation/config-files/write-file.js";
import { requireMeaning, writeUserFiles } from "../../automation/config-files/write-user-files.js";
import { describeReading, withService } from "../../automation/connection/api-client.js";
import { AutomationError } from "../../automation/errors.js";
import { createExportReport, type ExportReport } from "../../automation/export/export-report.js";
import { askForPeople } from "../../automation/export/people-file.js";
import { readWorkspace } from "../../automation/export/read-workspace.js";
import { openValues, printRemaining, requireVariablesFile } from "../../automation/export/remaining.js";
import type { Writer, WrittenFiles } from "../../automation/export/writers/writer.js";
import { writers } from "../../automation/export/writers/writers.js";
import { note } from "../../automation/port.js";
import { exitCodes } from "../../automation/report/exit-codes.js";
import { formatCount } from "../../diff/format-count.js";
import type { Io } from "../../reports/io.js";
import { printYaml } from "../../reports/output.js";
import { printEditedFiles, printPatch } from "../../reports/patched-file.js";
import { listFolder } from "../../trust/checkout-files.js";
import { hasOverlays, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { documentOf } from "../../workspace-file/write/write.js";
import type { ExportCommandOptions } from "../commands/export/export-command.js";

/** What was exported, and the exit code of the command. */
export interface ExportedFiles {
  readonly report: ExportReport;
  readonly exitCode: number;
}

type ExportOptions = Partial<ExportCommandOptions> & Pick<ExportCommandOptions, "language">;

/** Writes the live workspace to a new workspace file, or updates an existing one. Does not change the workspace. */
export async function exportWorkspace(options: ExportOptions, io: Io): Promise<number> {
  return (await exportToFiles(options, io)).exitCode;
}

/** Does the same. @returns what was exported, and what is left to do */
export async function exportToFiles(options: ExportOptions, io: Io): Promise<ExportedFiles> {
  const writer = await chooseWriter(options, io);
  const folder = options.split ?? (writer.folder ? options.output : undefined);
  requireTarget(options, folder, writer);
  requireVariablesFile(options);
  const there = options.force ? undefined : findExistingFile(options, folder, writer);
  if (there !== undefined && options.owns !== undefined)
    throw new AutomationError(
      `--owns cannot be used here: ${there} already exists, and the list "owns" in it says which part of the workspace it declares`,
      "to update this file, change that list if necessary, and run the command without --owns; to write another file, choose it with -o; to replace this one, add --force",
    );
  return there === undefined ? exportNew(options, folder, writer, io) : exportOnto(there, options, io);
}

async function chooseWriter(
  { format, engine = "plugin", ...options }: ExportOptions,
  io: Io,
): Promise<Writer> {
  if (format !== "import-file") return writers[options.language]();
  const { importFile } = await import("../../automation/export/writers/import-file.js");
  const connect = () =>
    withService(options, io, async ({ connection, workspace }) => ({
      ...connection,
      workspace: await workspace(),
    }));
  return importFile(engine, connect, describeReading(io));
}

async function exportNew(
  options: ExportOptions,
  folder: string | undefined,
  writer: Writer,
  io: Io,
): Promise<ExportedFiles> {
  const began = Date.now();
  if (options.dryRun)
    throw new AutomationError(
      "--dry-run shows what would change in an existing workspace file",
      "pass that file with -o",
    );
  const found = await readWorkspace(options, [], io);
  const { discovery, declared, scope } = found;
  const { connection } = options;
  const { declarations, needed } = declared;
  const { owns } = options;
  const document = documentOf({ workspace: discovery.workspace, connection, owns, declarations });
  const { address, objects } = discovery;
  const exported = { document, declared, objects, address, folder };
  const written = await writer.write(exported, options.split !== undefined);
  const { doubts, setup, dropped = [] } = written;
  writeFiles(written, folder, options.output, writer, io);

  const where = options.split ?? options.output;
  note(
    io,
    `${formatCount(declarations.length, "object")} of ${discovery.address}${where === undefined ? "" : ` in ${where}`}`,
  );
  if (dropped.length > 0) note(io, `No longer part of the program, to be deleted: ${dropped.join(", ")}`);
  const gaps = [...discovery.gaps, ...declared.gaps];
  const values = setup ?? openValues(needed, options, io);
  printRemaining({ needed: values, doubts, gaps }, "Not in the file:", io);
  const report = createExportReport({
    began,
    workspace: discovery.workspace,
    address,
    objects: declarations.length,
    files: listPaths(written, folder, options.output).map(({ path, after }) => ({
      path,
      text: after,
      written: where !== undefined,
    })),
    gaps,
    needed,
  });
  if (gaps.length === 0) return { report, exitCode: exitCodes.ok };
  // An existing workspace file is updated without an option; anything else is only replaced with --force.
  const command = `workspacectl export ${options.split === undefined ? "-o" : "--split"} ${where} --people ${options.people}`;
  const again =
    where === undefined ? undefined : writer.patched ? `run "${command}"` : "export again with --force";
  askForPeople(options, discovery.objects.filter(scope.includes), io, again);
  return { report, exitCode: exitCodes.incomplete };
}

/** Reads the file before the workspace, so that an invalid file is reported at once. */
async function exportOnto(file: string, options: ExportOptions, io: Io): Promise<ExportedFiles> {
  const { openExisting } = await import("../../automation/export/patch/existing-file.js");
  const { patchExisting, listExpectedIn } = await import("../../automation/export/patch/patch-existing.js");
  const existing = openOr(file, () => openExisting(file, options, io.env));
  if (options.stack === undefined && hasOverlays(file))
    note(
      io,
      `Overlays of ${file} are ignored: choose one with --stack, if this workspace belongs to that stack`,
    );
  const { connection } = existing.declared;
  if (options.connection !== undefined && connection !== undefined && connection !== options.connection)
    throw new AutomationError(
      `${file} says "connection: ${connection}", and --connection is ${options.connection}`,
      "choose another file, or an overlay of it with --stack",
    );
  const reading = { ...options, ...(connection === undefined ? {} : { connection }) };
  const found = await readWorkspace(reading, listExpectedIn(existing), io);
  const { dryRun = false } = options;
  const patched = await patchExisting(existing, found, options);
  const { report, plan, files, doubts, gaps, differs } = patched;
  await printEditedFiles(files, { dryRun, label: "exported", of: existing.file }, io);
  printPatch(patched, { file: existing.file, dryRun }, io);
  const needed = openValues(plan.needed, dryRun ? {} : options, io);
  printRemaining({ needed, doubts, gaps }, "Not read, and unchanged in the file:", io);
  askForPeople(options, found.discovery.objects.filter(found.scope.includes), io);
  const isIncomplete = gaps.length + plan.open.length > 0;
  return { report, exitCode: differs ? exitCodes.drift : isIncomplete ? exitCodes.incomplete : exitCodes.ok };
}

/** Adds to the problems of an invalid file that another file can be named. */
function openOr<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    throw new AutomationError(
      `${error.message}\n${file} already exists, and only a valid workspace file can be updated`,
      "Correct it, choose another file, or add --force to replace it",
      { cause: error },
    );
  }
}

/** Finds the workspace file to update; a folder of them, when none of them is the main file. */
function findExistingFile(
  { output }: ExportOptions,
  folder: string | undefined,
  writer: Writer,
): string | undefined {
  const hasOwn = (path: string) => listFolder(path, { named: true }).some((file) => writer.own.test(file));
  if (folder === undefined) {
    if (output === undefined || !existsSync(output)) return undefined;
    if (writer.patched) return output;
    throw new AutomationError(
      `${output} already exists`,
      "choose another file with -o, or add --force to replace it",
    );
  }
  if (!existsSync(folder) || !hasOwn(folder)) return undefined;
  if (!writer.patched)
    throw new AutomationError(
      `${folder} already contains files that would be written`,
      "choose another folder with --split, or add --force to write into it",
    );
  return existsSync(join(folder, writer.main)) ? join(folder, writer.main) : folder;
}

function requireTarget({ output, split }: ExportOptions, folder: string | undefined, writer: Writer): void {
  if (output !== undefined && split !== undefined)
    throw new AutomationError(
      "-o and --split cannot be used together",
      "use -o FILE for one file, or --split FOLDER for several",
    );
  if (writer.folder && folder === undefined)
    throw new AutomationError(
      "a program is written into a folder, and none was chosen",
      "add -o FOLDER, such as -o program",
    );
}

/** Where each file goes. */
function listPaths({ files }: WrittenFiles, folder: string | undefined, output: string | undefined) {
  return [...files].map(([file, after]) => ({
    file,
    path: folder === undefined ? (output ?? file) : join(folder, file),
    after,
  }));
}

function writeFiles(
  written: WrittenFiles,
  folder: string | undefined,
  output: string | undefined,
  writer: Writer,
  io: Io,
): void {
  const { meaning } = written;
  const paths = listPaths(written, folder, output);
  const [main] = paths;
  if (meaning === undefined) {
    for (const { file, path, after } of paths)
      if (!(writer.keeps?.test(file) && existsSync(path))) writeFileAtomically(path, after, { named: true });
  } else if (folder !== undefined || output !== undefined) writeUserFiles(paths, meaning);
  else {
    requireMeaning(paths, meaning);
    printYaml(io, main?.after ?? "");
  }
}
