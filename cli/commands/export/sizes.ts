/** Divides files that exceed the size limit of a workspace file, without changing what they declare. */
import { MAX_FILE_BYTES } from "../../../workspace-file/index.js";
import { definitions } from "../../../provider/index.js";
import { CliError } from "../../errors.js";

type Part = Readonly<Record<string, unknown>>;

const sections = new Set(
  definitions.flatMap(({ document }) => (document?.form === "map" ? [document.section] : [])),
);

/** Divides a part as often as needed. @throws {CliError} when it cannot be divided further */
export function inPieces(file: string, part: Part, textOf: (part: Part) => string): string[] {
  const text = textOf(part);
  if (fits(text)) return [text];
  const halves = halved(part);
  if (halves === undefined)
    throw new CliError(
      `${file} would have ${megabytes(text)}, more than the ${limit} a workspace file may have: export parts with --project, --name or --kinds`,
    );
  return halves.flatMap((half) => inPieces(file, half, textOf));
}

/** @throws {CliError} when the text is too large for one file */
export function inOne(text: string): string {
  if (fits(text)) return text;
  throw new CliError(
    `the workspace is too large for one file (${megabytes(text)}, and a workspace file may have ${limit}): export it with --split DIR, which writes several`,
  );
}

/** Divides a part in two; undefined when it is indivisible. */
function halved(part: Part): [Part, Part] | undefined {
  const names = Object.keys(part);
  if (names.length > 1) return divided(part);
  const [section = ""] = names;
  const entries = part[section];
  if (!isMap(entries)) return undefined;
  const keys = Object.keys(entries);
  if (keys.length > 1) return wrapped(divided(entries), section);
  const [key = ""] = keys;
  const entry = entries[key];
  return isMap(entry) ? wrapped(wrapped(halvedEntry(entry), key), section) : undefined;
}

/** Divides the largest section of an entry; the second half adds to the entry of the same name. */
function halvedEntry(entry: Part): [Part, Part] | undefined {
  const maps = Object.entries(entry).filter(
    (member): member is [string, Part] => sections.has(member[0]) && isMap(member[1]),
  );
  const [largest] = maps
    .filter(([, inner]) => Object.keys(inner).length > 1)
    .toSorted(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length);
  if (largest === undefined) return undefined;
  const [name, inner] = largest;
  const [first, second] = divided(inner);
  return [{ ...entry, [name]: first }, { [name]: second }];
}

function divided(part: Part): [Part, Part] {
  const members = Object.entries(part);
  const middle = Math.ceil(members.length / 2);
  return [Object.fromEntries(members.slice(0, middle)), Object.fromEntries(members.slice(middle))];
}

function wrapped(halves: [Part, Part] | undefined, name: string): [Part, Part] | undefined {
  return halves && [Object.fromEntries([[name, halves[0]]]), Object.fromEntries([[name, halves[1]]])];
}

const isMap = (value: unknown): value is Part =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fits = (text: string) => Buffer.byteLength(text) <= MAX_FILE_BYTES;
const inMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const megabytes = (text: string) => inMegabytes(Buffer.byteLength(text));
const limit = inMegabytes(MAX_FILE_BYTES);
