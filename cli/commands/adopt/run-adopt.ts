/** Takes over an existing workspace, step by step. Each step is an existing command; one that is done is skipped. */
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { stringify } from "yaml";
import { writeUserFiles } from "../../../automation/config-files/write-user-files.js";
import { askForPeople, hasHiddenPeople } from "../../../automation/export/people-file.js";
import { readWorkspace } from "../../../automation/export/read-workspace.js";
import { formatNextCommand } from "../../../automation/next-command.js";
import { note, warn } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { stackOfFile } from "../../../automation/stack/stack-choice.js";
import { isOnlyHere, recordStatePlace } from "../../../automation/stack/state-place.js";
import { type Io, print } from "../../../reports/io.js";
import { formatCommandLine } from "../../../text/safe-text.js";
import { readText } from "../../../trust/checkout-files.js";
import { createPlainMeaning, readPlain } from "../../../workspace-file/edit/edit.js";
import { readDeclarations, WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { exportWorkspace } from "../../operations/export.js";
import { importWorkspace } from "../../operations/import.js";
import { preview } from "../../operations/preview.js";
import type { AdoptOptions } from "./adopt-command.js";

/** Writes nothing to the workspace. @returns 10 when something has to be filled in, 7 when file and workspace differ */
export async function adopt(options: AdoptOptions, io: Io): Promise<number> {
  const { file, people } = options;
  const isExported = existsSync(file);
  printStep(1, "People", io);
  const connection = options.connection === undefined ? [] : ["-c", options.connection];
  const exporting = ["workspacectl", "export", ...connection, "-o", file];
  if (isExported) {
    note(io, `Skipped: ${file} exists, and is used unchanged.`);
    if (hasNewAddresses(people, file))
      note(
        io,
        `To declare members whose addresses ${people} has by now: "${formatCommandLine([...exporting, "--people", people])}"`,
      );
  } else if (existsSync(people)) note(io, `The addresses are read from ${people}.`);
  else if (await mustWritePeople(options, io)) return exitCodes.incomplete;
  printStep(2, "Export", io);
  if (isExported) note(io, `Skipped: ${file} exists.`);
  else await exportFirst(options, io);
  await recordPlace(options, io);
  const problem = findProblemIn(file, io);
  if (problem !== undefined) {
    // The export has just listed what is missing.
    if (isExported) warn(io, problem.message);
    note(io, `Complete ${file}, or set the variables, then run adopt again`);
    return exitCodes.incomplete;
  }
  const { workspace: _, ...stackOptions } = options;
  // The import selects the stack, so later commands need not name it.
  const { stack: __, ...selected } = stackOptions;
  printStep(3, "Import", io);
  await importWorkspace({ ...stackOptions, createStack: true }, io);
  printStep(4, "Preview", io);
  let differs = false;
  await preview(
    { ...stackOptions, refresh: true, onPlan: ({ steps }) => void (differs = steps.length > 0) },
    io,
  );
  const keep = isOnlyHere(file, io) ? " keep a copy of .pulumi-state/, which only this machine has," : "";
  if (!differs) {
    print(
      io,
      `${file} and the workspace agree. Commit ${file},${keep} and change the workspace with "${formatNextCommand(["up"], selected)}".`,
    );
    return exitCodes.ok;
  }
  note(
    io,
    `${file} and the workspace differ: accept the workspace's values with "${formatCommandLine(exporting)}", or apply the file with "${formatNextCommand(["up"], selected)}"`,
  );
  return exitCodes.drift;
}

/** Exports the workspace, and records the stack, so that another shell or clone finds it. */
async function exportFirst(options: AdoptOptions, io: Io): Promise<void> {
  const { file, stack } = options;
  await exportWorkspace({ ...options, output: file, language: "yaml" }, io);
  const text = readText(file, { named: true });
  const [line] = WORKSPACE_LINE.exec(text) ?? [];
  if (line !== undefined && stack !== undefined && !/^stack:/m.test(text))
    writeUserFiles(
      [{ path: file, after: text.replace(line, `${line}\nstack: ${stringify(stack).trim()}`) }],
      createPlainMeaning(file, { ...(readPlain(text) as object), stack }),
    );
}

/** Each run does, because the address may have been set since the last one. */
async function recordPlace({ file, stack }: AdoptOptions, io: Io): Promise<void> {
  const [, name = ""] = WORKSPACE_LINE.exec(readText(file, { named: true })) ?? [];
  const written = await recordStatePlace(file, { name, stack: stack ?? stackOfFile({ file }) }, io);
  if (written !== undefined) note(io, `${relative(".", written)} says where the state is. Commit it, too.`);
}

const WORKSPACE_LINE = /^workspace: *(\S+) *$/m;

const STEPS = 4;

function printStep(number: number, name: string, io: Io): void {
  note(io, `${number > 1 ? "\n" : ""}${io.colors.bold(`Step ${number} of ${STEPS}: ${name}`)}`);
}

/** Writes a file for the addresses that the service hides. @returns whether there are any to fill in */
async function mustWritePeople(options: AdoptOptions, io: Io): Promise<boolean> {
  const { people: _, ...reading } = options;
  const { discovery } = await readWorkspace({ ...reading, kinds: ["members"] }, [], io);
  if (!hasHiddenPeople(discovery.objects)) {
    note(io, "The service shows all addresses.");
    return false;
  }
  askForPeople(options, discovery.objects, io, "run adopt again. Members without an address are skipped");
  return true;
}

/** Whether addresses were filled in that the file does not have. */
function hasNewAddresses(people: string, file: string): boolean {
  if (!existsSync(people)) return false;
  const { members } = readPlain(readText(people)) as { readonly members?: object | null };
  const declared = readText(file);
  return Object.values(members ?? {}).some((one) => typeof one === "string" && !declared.includes(one));
}

/** Returns what keeps the file from working, such as a value that only the user knows. */
function findProblemIn(file: string, io: Io): WorkspaceFileError | undefined {
  try {
    readDeclarations(file, { env: io.env, mock: "config" });
    return undefined;
  } catch (error) {
    if (error instanceof WorkspaceFileError) return error;
    throw error;
  }
}
