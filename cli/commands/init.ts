import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { readDeclarations } from "../../sdk/nodejs/load/index.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { answersFrom } from "../init/answers.js";
import { ignoreFile, pulumiFiles, workspaceFile } from "../init/files.js";
import type { Answers, Flags } from "../init/types.js";
import { note, print, type Io } from "../io.js";
import { packageSource } from "../package-source.js";
import { packageRoot } from "../toolchain/locations.js";
import { writeWhole } from "../write.js";

export interface InitOptions extends Flags {
  readonly dir: string;
  readonly force?: boolean;
}

const WORKSPACE_FILE = "workspace.yaml";
const IGNORE_FILE = ".gitignore";

/**
 * Writes a first workspace file and what goes with it. Either all files are written or, when one of them exists, none.
 * @throws {CliError} when a file would be overwritten, or nobody can be asked
 */
export async function init(options: InitOptions, io: Io): Promise<number> {
  const { dir, force = false } = options;
  if (!force) refuseToOverwrite(dir, [WORKSPACE_FILE]);
  const answers = await answersFrom(options, io);
  const text = workspaceFile(answers);
  // What flags and answers say may be no valid name or address: found here, before anything is written.
  readDeclarations("-", { env: io.env, mock: true, stdin: () => text });
  const files: Record<string, string> = {
    [WORKSPACE_FILE]: text,
    "workspace.schema.json": await readFile(join(packageRoot(), "schema", "workspace.schema.json"), "utf8"),
    ...(answers.pulumi ? pulumiFiles(answers.workspace ?? basename(resolve(dir)), packageSource(dir)) : {}),
  };
  if (!force) refuseToOverwrite(dir, Object.keys(files));
  // A .gitignore is somebody's own as soon as it is there.
  const ignored = existsSync(join(dir, IGNORE_FILE));
  if (!ignored) files[IGNORE_FILE] = ignoreFile;
  await write(dir, files);
  for (const name of Object.keys(files)) print(io, join(dir, name));
  if (ignored)
    note(io, `${join(dir, IGNORE_FILE)} is left as it is: see that it has .pulumi-state/ and node_modules/`);
  next(dir, answers, io);
  return exitCodes.ok;
}

function refuseToOverwrite(dir: string, names: readonly string[]): void {
  const there = names.map((name) => join(dir, name)).filter((path) => existsSync(path));
  if (there.length === 0) return;
  throw new CliError(
    `${there.join(", ")} ${there.length === 1 ? "exists" : "exist"} already, and nothing was written: ` +
      "take another folder (workspacectl init DIR), or overwrite with --force",
  );
}

async function write(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeWhole(join(dir, name), text);
}

/** The commands that come next. */
function next(dir: string, { connection, known, pulumi }: Answers, io: Io): void {
  const of = connection === undefined ? "" : ` --connection ${connection}`;
  const steps = [
    ...(resolve(dir) === resolve(".") ? [] : [`cd ${/^[\w./-]+$/.test(dir) ? dir : JSON.stringify(dir)}`]),
    ...(pulumi ? ["npm install"] : []),
    ...(known ? [] : [`workspacectl login${of} --base-url https://host/api`]),
    "workspacectl validate",
    "workspacectl preview",
    "workspacectl up",
  ];
  note(io, `\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}`);
}
