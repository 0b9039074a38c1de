/** Exports a workspace file, or a folder with a file per project, none of them too large. Comments suppress its lint errors. */
import { relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { stripControls } from "../../../client/printable.js";
import { isPlain } from "../../../diff/values.js";
import type { WorkspaceDocument } from "../../../schema/workspace-document.js";
import { chooseFreeName } from "../../../text/lists.js";
import { chooseVariableFor } from "../../../trust/variables.js";
import {
  type EditOptions,
  getMeaningOf,
  type Meaning,
  type NewTexts,
  readMeaning,
} from "../../../workspace-file/edit/edit.js";
import { getValue, MAX_FILE_BYTES, parseYaml } from "../../../workspace-file/index.js";
import { lint, type LintFinding } from "../../../workspace-file/lint/lint.js";
import { documentText } from "../../../workspace-file/write/write.js";
import { formatSchemaLine } from "../../config-files/checked-files.js";
import { AutomationError } from "../../errors.js";
import type { Declarable } from "../declare.js";
import { listHeadLines, nameUses } from "../remaining.js";
import { keyedSections } from "../written-values.js";
import type { Files, Writer } from "./writer.js";

const main = "workspace.yaml";

export const yaml: Writer = {
  main,
  own: /\.ya?ml$/,
  patched: true,
  write: ({ document, declared, address }, split) =>
    proveExport(createExportedFiles(main, document, split, formatHeadOf(address, declared)), document),
};

const SPLIT: Readonly<Record<string, string>> = {
  members: "people.yaml",
  permissionSets: "people.yaml",
  groups: "people.yaml",
};
/** The section that has a folder with a file per entry. */
const PER_ENTRY = "projects";

/** @param head comments at the top of the workspace file */
function createExportedFiles(name: string, document: WorkspaceDocument, split: boolean, head: string): Files {
  if (!split) return new Map([[name, writeInOne(`${head}${documentText(document)}`)]]);
  const parts = new Map<string, Record<string, unknown>>();
  const top: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(document)) {
    if (key === PER_ENTRY) splitPerEntry(parts, value as Readonly<Record<string, unknown>>);
    else if (typeof value !== "object" || value === null) top[key] = value;
    else getPart(parts, SPLIT[key] ?? `${key}.yaml`)[key] = value;
  }
  const texts = new Map<string, string>();
  for (const [file, part] of parts)
    for (const [index, piece] of splitIntoPieces(file, part, formatPart).entries())
      texts.set(index === 0 ? file : chooseFreeFile(file, [...parts.keys(), ...texts.keys()]), piece);
  const include = [...texts.keys()];
  const whole = include.length === 0 ? top : { ...top, include };
  return new Map([[name, `${head}${formatPart(whole)}`], ...texts]);
}

const formatPart = (part: object) => documentText(part as WorkspaceDocument);

function getPart(parts: Map<string, Record<string, unknown>>, file: string): Record<string, unknown> {
  const part = parts.get(file) ?? {};
  parts.set(file, part);
  return part;
}

function splitPerEntry(
  parts: Map<string, Record<string, unknown>>,
  entries: Readonly<Record<string, unknown>>,
): void {
  for (const [key, entry] of Object.entries(entries)) {
    const file = chooseFileOfEntry(key, PER_ENTRY, [...parts.keys()]);
    getPart(parts, file)[PER_ENTRY] = Object.fromEntries([[key, entry]]);
  }
}

/** Chooses a free name for the file of an entry. Some file systems do not distinguish Web.yaml and web.yaml. */
export function chooseFileOfEntry(key: string, folder: string, taken: readonly string[]): string {
  const base = shortenName(key.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/, "")) || "project";
  return chooseFreeFile(`${folder}/${base}.yaml`, taken);
}

function chooseFreeFile(wanted: string, taken: readonly string[]): string {
  const known = new Set(taken.map((file) => file.toLowerCase()));
  const base = wanted.slice(0, -".yaml".length);
  return chooseFreeName(
    (file) => known.has(file.toLowerCase()),
    (suffix) => `${base}${suffix}.yaml`,
  );
}

/** Returns the text of a file with a single entry. */
export function formatTextOfEntry(section: string, key: string, entry: unknown): string {
  return formatPart({ [section]: Object.fromEntries([[key, entry]]) });
}

/** File systems limit the length of names. */
function shortenName(name: string): string {
  let kept = "";
  for (const character of name) {
    if (Buffer.byteLength(kept + character) > 100) break;
    kept += character;
  }
  return kept;
}

/** Returns the comments at the top of the file. */
function formatHeadOf(address: string, declarable: Declarable): string {
  const values = declarable.needed.map((one) => ({ ...one, variable: chooseVariableFor(one.variable) }));
  const width = Math.max(...values.map(({ variable }) => variable.length));
  const lines = listHeadLines(address, declarable, [
    "Values that the service does not return, or that no file should contain: set these environment variables.",
    values.map((value) => `${value.variable.padEnd(width)}  ${nameUses(value)}`),
  ]);
  return `${[formatSchemaLine("workspace"), ...lines.map((line) => `# ${stripControls(line)}`.trimEnd())].join("\n")}\n`;
}

type Part = Readonly<Record<string, unknown>>;

/** Divides a part as often as needed. @throws {AutomationError} when it cannot be divided further */
function splitIntoPieces(file: string, part: Part, textOf: (part: Part) => string): string[] {
  const text = textOf(part);
  if (fits(text)) return [text];
  const halves = halve(part);
  if (halves === undefined)
    throw new AutomationError(
      `${file} would have ${measureMegabytes(text)}, more than the ${limit} a workspace file may have`,
      "export parts with --project, --name or --kinds",
    );
  return halves.flatMap((half) => splitIntoPieces(file, half, textOf));
}

/** @throws {AutomationError} when the text is too large for one file */
function writeInOne(text: string): string {
  if (fits(text)) return text;
  throw new AutomationError(
    `the workspace is too large for one file (${measureMegabytes(text)}, and a workspace file may have ${limit})`,
    "export it with --split FOLDER, which writes several files",
  );
}

/** Divides a part in two; undefined when it is indivisible. */
function halve(part: Part): [Part, Part] | undefined {
  const names = Object.keys(part);
  if (names.length > 1) return dividePart(part);
  const [section = ""] = names;
  const entries = part[section];
  if (!isPlain(entries)) return undefined;
  const keys = Object.keys(entries);
  if (keys.length > 1) return wrapHalves(dividePart(entries), section);
  const [key = ""] = keys;
  const entry = entries[key];
  return isPlain(entry) ? wrapHalves(wrapHalves(halveEntry(entry), key), section) : undefined;
}

/** Divides the largest section of an entry; the second half adds to the entry of the same name. */
function halveEntry(entry: Part): [Part, Part] | undefined {
  const maps = Object.entries(entry).filter(
    (member): member is [string, Part] => keyedSections.has(member[0]) && isPlain(member[1]),
  );
  const [largest] = maps
    .filter(([, inner]) => Object.keys(inner).length > 1)
    .toSorted(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length);
  if (largest === undefined) return undefined;
  const [name, inner] = largest;
  const [first, second] = dividePart(inner);
  return [{ ...entry, [name]: first }, { [name]: second }];
}

function dividePart(part: Part): [Part, Part] {
  const members = Object.entries(part);
  const middle = Math.ceil(members.length / 2);
  return [Object.fromEntries(members.slice(0, middle)), Object.fromEntries(members.slice(middle))];
}

function wrapHalves(halves: [Part, Part] | undefined, name: string): [Part, Part] | undefined {
  return halves && [Object.fromEntries([[name, halves[0]]]), Object.fromEntries([[name, halves[1]]])];
}

const fits = (text: string) => Buffer.byteLength(text) <= MAX_FILE_BYTES;
const formatMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const measureMegabytes = (text: string) => formatMegabytes(Buffer.byteLength(text));
const limit = formatMegabytes(MAX_FILE_BYTES);

interface Proven {
  readonly files: Files;
  readonly meaning: Meaning;
  /** Lint errors that comments in the files suppress, because the workspace has these values: `file:line: message`. */
  readonly doubts: readonly string[];
}

/** Suppresses lint errors by comments: the workspace has these values. @throws {WorkspaceFileError} when a file is invalid */
async function proveExport(files: Files, document: WorkspaceDocument): Promise<Proven> {
  const texts = new Map([...files].map(([file, text]) => [resolve(file), text]));
  const [main = ""] = texts.keys();
  const errors = await lintErrors(main, texts);
  const commented = withLintComments(texts, errors);
  return {
    files: new Map([...files].map(([file, text]) => [file, commented.get(resolve(file)) ?? text])),
    meaning: { expected: getMeaningOf(document), read: readFirst },
    doubts: errors.map(({ place, message }) => `${relative("", place.file)}: ${message}`),
  };
}

/** Reads the document of which the first text is the main file. */
function readFirst(texts: NewTexts): unknown {
  const [first = ""] = texts.keys();
  return readMeaning(first, { mock: true, env: {}, texts });
}

export async function lintErrors(
  main: string,
  texts: NewTexts,
  options: EditOptions = {},
): Promise<LintFinding[]> {
  const { findings } = await lint(main, { ...options, env: {}, texts });
  return findings.filter(({ severity }) => severity === "error");
}

/** Adds comments that suppress lint errors. */
export function withLintComments(texts: NewTexts, errors: readonly LintFinding[]): NewTexts {
  const isIn = (path: string) => (error: LintFinding) => resolve(error.place.file) === path;
  return new Map([...texts].map(([path, text]) => [path, withCommentLines(text, errors.filter(isIn(path)))]));
}

function parseValue(text: string): unknown {
  const { tree } = parseYaml("", text);
  return tree && getValue(tree);
}

/** Adds a suppressing comment above each line with a lint error. */
function withCommentLines(text: string, refused: readonly LintFinding[]): string {
  if (refused.length === 0) return text;
  const lines = text.split("\n");
  const codes = new Map<number, Set<string>>();
  for (const { code, place } of refused)
    codes.set(place.line, (codes.get(place.line) ?? new Set()).add(code));
  const commented = lines
    .flatMap((line, index) => {
      const of = codes.get(index + 1);
      const indent = /^ */.exec(line)?.[0] ?? "";
      const end = line.endsWith("\r") ? "\r" : "";
      return of
        ? [`${indent}# lint-ignore: ${[...of].join(", ")} -- exported as it is in the service${end}`, line]
        : [line];
    })
    .join("\n");
  // Inside a text of several lines, the comment would become part of the text.
  return isDeepStrictEqual(parseValue(commented), parseValue(text)) ? commented : text;
}
