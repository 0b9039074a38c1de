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
  refuseToOverwrite(options, writer);
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
  const exported = { document, declared, address: survey.address };
  const { files, doubts } = await writer.write(exported, options.split !== undefined);
  const [main = ""] = files.values();

  if (options.split !== undefined) {
    for (const [file, text] of files) await write(join(options.split, file), text);
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
    for (const { variable, name, arg } of needed) note(io, `  ${variable}  ${name}: ${arg}`);
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

function refuseToOverwrite({ output, split, force }: ExportOptions, { own }: Writer): void {
  if (output !== undefined && split !== undefined)
    throw new CliError("-o and --split do not go together: one file, or a folder of them");
  if (force) return;
  if (output !== undefined && existsSync(output))
    throw new CliError(`${output} is there already: name another file, or say --force to replace it`);
  if (split !== undefined && existsSync(split) && readdirSync(split).some((file) => own.test(file)))
    throw new CliError(
      `${split} has workspace files already: name another folder, or say --force to write into it`,
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
