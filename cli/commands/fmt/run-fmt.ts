/** Runs `workspacectl fmt`. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeUserFiles } from "../../../automation/config-files/write-user-files.js";
import { AutomationError } from "../../../automation/errors.js";
import { note, warn } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { formatCount } from "../../../diff/format-count.js";
import { definitions } from "../../../provider/index.js";
import { printDiff } from "../../../reports/colored-change.js";
import { type Io, print, printText } from "../../../reports/io.js";
import { isCi, isTame } from "../../../text/safe-text.js";
import { makeYamlPrintable } from "../../../text/safe-yaml.js";
import { listFolder, OversizedFile, readBytes } from "../../../trust/checkout-files.js";
import { TrustError } from "../../../trust/errors.js";
import { listDocumentKeys } from "../../../workspace-file/compose/shape.js";
import { createPlainMeaning, readPlain } from "../../../workspace-file/edit/edit.js";
import { formatYaml } from "../../../workspace-file/format/format.js";
import {
  type Diagnostic,
  formatDiagnostic,
  MAX_FILE_BYTES,
  parseYaml,
} from "../../../workspace-file/index.js";
import { hideSecrets } from "../../../workspace-file/load/load.js";
import type { FmtOptions } from "./fmt-command.js";

/** Formats workspace files. A file with a problem is not changed; the others are formatted nevertheless. */
export async function runFmt(options: FmtOptions, io: Io): Promise<number> {
  if (options.files.includes("-")) return formatStandardInput(options, io);
  let failed = false;
  let [changed, same] = [0, 0];
  for (const file of listFilesToFormat(options.files)) {
    const result = formatFile(file, io);
    if (result === undefined) failed = true;
    else if (result.before === result.after) same += 1;
    else {
      changed += 1;
      if (options.diff) await printDiff(file, result.before, result.after, "formatted", io);
      else print(io, file);
      if (!options.check && !options.diff)
        writeUserFiles(
          [{ path: file, after: result.after }],
          createPlainMeaning(file, readPlain(result.before)),
        );
    }
  }
  const done = options.check || options.diff ? "to be formatted" : "formatted";
  note(io, `${formatCount(changed, "file")} ${done}, ${same} unchanged`);
  return failed || (options.check === true && changed > 0) ? exitCodes.error : exitCodes.ok;
}

async function formatStandardInput({ files, check, diff }: FmtOptions, io: Io): Promise<number> {
  if (files.length > 1)
    throw new AutomationError(
      "standard input (-) and files cannot be formatted in one run",
      "run the command once for - and once for the files",
    );
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  const before = decodeFile("-", Buffer.concat(chunks), io);
  const after = before === undefined ? undefined : formatText("-", before, io);
  if (before === undefined || after === undefined) return exitCodes.error;
  if (diff) await printDiff("-", before, after, "formatted", io);
  else if (!check) {
    // A byte order mark has no meaning on standard output.
    const printable = makeYamlPrintable(after.replace(/^\uFEFF/, ""), isCi(io.env));
    if (!isTame(printable, isCi(io.env)))
      throw new AutomationError(
        "a comment contains unprintable characters, such as joiners or controls",
        "remove these characters, or pass the path of the file instead of -",
      );
    printText(io, printable);
  }
  return check && before !== after ? exitCodes.error : exitCodes.ok;
}

interface Result {
  readonly before: string;
  readonly after: string;
}

function formatFile(file: string, io: Io): Result | undefined {
  if (!existsSync(file)) return printRefusal([createProblem(file, "there is no such file")], "", io);
  let bytes: Uint8Array;
  try {
    bytes = readBytes(file, { named: true, most: MAX_FILE_BYTES });
  } catch (error) {
    if (error instanceof TrustError) return printRefusal([createProblem(file, error.message)], "", io);
    if (!(error instanceof OversizedFile)) throw error;
    const message = `has more than ${MAX_FILE_BYTES} bytes, which no workspace file may have`;
    return printRefusal([createProblem(file, message)], "", io);
  }
  const before = decodeFile(file, bytes, io);
  const after = before === undefined ? undefined : formatText(file, before, io);
  return before === undefined || after === undefined ? undefined : { before, after };
}

function decodeFile(file: string, bytes: Uint8Array, io: Io): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return printRefusal([createProblem(file, "is not UTF-8 text: save it as UTF-8")], "", io);
  }
}

function formatText(file: string, text: string, io: Io): string | undefined {
  const result = formatYaml(file, text, definitions);
  if ("text" in result) return result.text;
  const { source, problems } = parseYaml(file, text, listDocumentKeys());
  return printRefusal(source.text === "" ? problems : result.problems, source.text, io);
}

/** Reports why a file is not formatted. */
function printRefusal(problems: readonly Diagnostic[], text: string, io: Io): undefined {
  const shown = hideSecrets(text);
  for (const each of problems) warn(io, formatDiagnostic(each, shown));
}

function createProblem(file: string, message: string): Diagnostic {
  return { place: { file, line: 1, column: 1 }, message, code: "unreadable" };
}

const DEFAULT = "workspace.yaml";

/**
 * Returns the named files, those in named folders, or the workspace file and its overlays.
 * @throws {AutomationError} when there is none
 */
function listFilesToFormat(named: readonly string[]): string[] {
  if (named.length > 0)
    return [...new Set(named.flatMap((name) => (isFolder(name) ? listYamlIn(name) : [name])))];
  const found = listFolder(".", { named: true }).filter((name) => /^workspace(\.[^/]+)?\.ya?ml$/.test(name));
  if (found.length > 0) return found;
  throw new AutomationError(
    `no file was passed, and there is no ${DEFAULT} in ${process.cwd()}`,
    "pass the paths of the files to format, or - for standard input",
  );
}

/** Lists workspace files and overlays in a folder, but not hidden files and Pulumi's own. */
function listYamlIn(folder: string): string[] {
  const names = listFolder(folder, { named: true }).filter((name) => /^(?!\.|Pulumi\b).*\.ya?ml$/.test(name));
  if (names.length > 0) return names.map((name) => join(folder, name));
  throw new AutomationError(`there is no *.yaml file in ${folder}`, "pass the paths of the files to format");
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
