/** Runs `workspacectl init`. */
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { getSchemaPath } from "../../../automation/config-files/checked-files.js";
import { findProgramPackages } from "../../../automation/config-files/package-source.js";
import { writeFileAtomically } from "../../../automation/config-files/write-file.js";
import { writeUserFiles } from "../../../automation/config-files/write-user-files.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { rememberPlace } from "../../../automation/stack/state-place.js";
import { type Io, print } from "../../../reports/io.js";
import { makeFolder } from "../../../trust/output-files.js";
import { createPlainMeaning } from "../../../workspace-file/edit/edit.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import { collectAnswers, type InitAnswers } from "./answers.js";
import {
  createProgramFiles,
  createPulumiProjectFile,
  createWorkspaceFile,
  describeWorkspace,
  ignoreFile,
} from "./first-files.js";
import type { InitOptions } from "./init-command.js";

const WORKSPACE_FILE = "workspace.yaml";
const IGNORE_FILE = ".gitignore";

/**
 * Writes a first workspace file and related files. If one of them exists, none is written.
 * @throws {AutomationError} when a file would be overwritten, or a prompt has no terminal
 */
export async function init(options: InitOptions, io: Io): Promise<number> {
  const { dir, force = false } = options;
  if (!force) refuseToOverwrite(dir, [WORKSPACE_FILE]);
  const answers = await collectAnswers(options, io);
  const text = createWorkspaceFile(answers);
  // Invalid names and addresses are found before anything is written.
  readDeclarations("-", { env: io.env, mock: true, stdin: () => text });
  const { pulumi, backend, workspace = basename(resolve(dir)) } = answers;
  const files: Record<string, string> = {
    [WORKSPACE_FILE]: text,
    ...(pulumi || backend !== undefined ? createPulumiProjectFile(workspace, backend) : {}),
    ...(pulumi ? createProgramFiles(workspace, findProgramPackages(dir)) : {}),
  };
  if (!force) refuseToOverwrite(dir, Object.keys(files));
  // An existing .gitignore belongs to the user.
  const ignored = existsSync(join(dir, IGNORE_FILE));
  if (!ignored) files[IGNORE_FILE] = ignoreFile;
  makeFolder(dir, { named: true });
  const path = join(dir, WORKSPACE_FILE);
  writeUserFiles([{ path, after: text }], createPlainMeaning(path, describeWorkspace(answers)));
  for (const [name, content] of Object.entries(files))
    if (name !== WORKSPACE_FILE) writeFileAtomically(join(dir, name), content);
  for (const name of Object.keys(files)) print(io, join(dir, name));
  if (ignored)
    note(
      io,
      `${join(dir, IGNORE_FILE)} is not changed: make sure that it contains .pulumi-state/ and node_modules/`,
    );
  if (backend !== undefined) rememberPlace(backend, io);
  noteState(answers, io);
  if (!pulumi && !existsSync(join(dir, getSchemaPath("workspace"))))
    note(
      io,
      `Editors find the schema when the package is installed next to the file; otherwise, write it with "workspacectl schema -o FILE"`,
    );
  printNext(dir, answers, io);
  return exitCodes.ok;
}

function refuseToOverwrite(dir: string, names: readonly string[]): void {
  const there = names.map((name) => join(dir, name)).filter((path) => existsSync(path));
  if (there.length === 0) return;
  throw new AutomationError(
    `${there.join(", ")} already ${there.length === 1 ? "exists" : "exist"}, and nothing was written`,
    "use another folder (workspacectl init DIR), or overwrite with --force",
  );
}

/** Tells where the state is stored: it would be lost with the folder. */
function noteState({ backend }: InitAnswers, io: Io): void {
  const local =
    "State: in .pulumi-state/ next to the file, on this machine only, unless a Pulumi login or PULUMI_BACKEND_URL says otherwise. " +
    "Keep a copy of it, or set an address with --backend";
  note(io, backend === undefined ? local : `State: ${String(backend)} (set in Pulumi.yaml)`);
}

/** Prints the next commands. */
function printNext(dir: string, { connection, known, pulumi }: InitAnswers, io: Io): void {
  const of = connection === undefined ? "" : ` --connection ${connection}`;
  const steps = [
    ...(resolve(dir) === resolve(".") ? [] : [`cd ${/^[\w./-]+$/.test(dir) ? dir : JSON.stringify(dir)}`]),
    ...(pulumi ? ["npm install"] : []),
    ...(known ? [] : [`workspacectl login${of} --base-url https://host/api`]),
    "workspacectl validate",
    "workspacectl preview",
    "workspacectl up",
  ];
  note(io, "\nNext:");
  for (const step of steps) note(io, `  ${step}`);
}
