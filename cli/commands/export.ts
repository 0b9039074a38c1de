import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { surveyWorkspace, type Gap } from "../../provider/index.js";
import { documentOf } from "../../sdk/nodejs/document/index.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { declarable } from "../export/declare.js";
import { askForPeople, peopleIn } from "../export/people.js";
import { readingProgress } from "../export/progress.js";
import { scopeOf, type ScopeOptions } from "../export/scope.js";
import type { Writer } from "../export/writer.js";
import { writers, type Language } from "../export/writers/index.js";
import { note, type Io } from "../io.js";
import { debugLines, withService, type ServiceOptions } from "../service/client.js";
import { writeWhole } from "../write.js";

export interface ExportOptions extends ServiceOptions, ScopeOptions {
  readonly output?: string;
  readonly split?: string;
  readonly force?: boolean;
  /** File of the e-mail addresses that the service hides. */
  readonly people?: string;
  readonly language: Language;
}

/** Writes the live workspace as a workspace file. Reads only. */
export async function exportWorkspace(options: ExportOptions, io: Io): Promise<number> {
  const scope = scopeOf(options);
  const writer = await writers[options.language]();
  const folder = options.split ?? (writer.folder ? options.output : undefined);
  refuseToOverwrite(options, folder, writer);
  const names = peopleIn(options, scope);
  const progress = await readingProgress(io);
  const survey = await withService(options, io, async ({ connection, workspace }) =>
    surveyWorkspace(
      { ...connection, workspace: await workspace() },
      { ...scope, names, onObject: progress.onObject },
      debugLines(io),
      (line) => note(io, line),
    ),
  ).finally(progress.end);

  const declared = declarable(survey.objects.filter(scope.includes));
  const { connection } = options;
  const document = documentOf({
    workspace: survey.workspace,
    connection,
    declarations: declared.declarations,
  });
  const exported = { document, declared, address: survey.address, folder };
  const { files, doubts, setup } = await writer.write(exported, options.split !== undefined);
  const [main = ""] = files.values();

  if (folder !== undefined) {
    for (const [file, text] of files)
      if (!(writer.keeps?.test(file) && existsSync(join(folder, file))))
        await write(join(folder, file), text);
  } else if (options.output !== undefined) await write(options.output, main);
  else io.stdout.write(main);

  const { declarations, needed } = declared;
  const where = options.split ?? options.output;
  note(
    io,
    `${count(declarations.length, "object")} of ${survey.address}${where === undefined ? "" : ` in ${where}`}`,
  );
  if (needed.length > 0) {
    note(io, `Set before the file is used (${count(needed.length, "value")} that no file should hold):`);
    const ways = setup ?? needed.map(({ variable, name, arg }) => `${variable}  ${name}: ${arg}`);
    for (const way of ways) note(io, `  ${way}`);
  }
  if (doubts.length > 0)
    note(io, "Lint would refuse this, were it not said in the file to be so at the service:");
  for (const doubt of doubts) note(io, `  ${doubt}`);
  const gaps = [...survey.gaps, ...declared.gaps];
  if (gaps.length === 0) return exitCodes.ok;
  note(io, "Not in the file:");
  for (const line of gapLines(gaps)) note(io, `  ${line}`);
  await askForPeople(options, survey.objects.filter(scope.includes), io);
  return exitCodes.incomplete;
}

function refuseToOverwrite(
  { output, split, force }: ExportOptions,
  folder: string | undefined,
  writer: Writer,
): void {
  if (output !== undefined && split !== undefined)
    throw new CliError("-o and --split do not go together: one file, or a folder of them");
  if (writer.folder && folder === undefined)
    throw new CliError("a program is a folder: name it with -o, such as -o program");
  if (force) return;
  if (folder === undefined && output !== undefined && existsSync(output))
    throw new CliError(`${output} is there already: name another file, or say --force to replace it`);
  if (folder !== undefined && existsSync(folder) && readdirSync(folder).some((file) => writer.own.test(file)))
    throw new CliError(
      `${folder} has such files already: name another folder, or say --force to write into it`,
    );
}

async function write(file: string, text: string): Promise<void> {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  await writeWhole(file, text);
}

/** At most so many objects are named for one reason. */
const NAMED = 5;

/** One line a reason: without rights, everything is missing for the same. */
function gapLines(gaps: readonly Gap[]): string[] {
  const reasons = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const key = `${gap.type}: ${gap.reason}`;
    reasons.set(key, [...(reasons.get(key) ?? []), gap]);
  }
  return [...reasons].map(([reason, of]) => {
    const names = of.slice(0, NAMED).map(({ name }) => name ?? "the workspace");
    const more = of.length > NAMED ? `, and ${of.length - NAMED} more` : "";
    return `${reason} (${names.join(", ")}${more})`;
  });
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
