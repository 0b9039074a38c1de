/** What there is not on the other side: all of it is told at once, and nothing is written. */
import { stringify } from "yaml";
import type { Location } from "../../../workspace-file/index.js";
import { MAPPING_FILE, type MappedSection } from "./mapping-file.js";
import { plain } from "../../reporters/values.js";

/** Where something that is missing is used. */
export interface Use {
  /** Logical name of the object. */
  readonly name: string;
  readonly place: Location;
}

export interface MissingPrerequisite {
  /** What it is: `integration "chat-main"`. */
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  readonly uses: readonly Use[];
  /** An entry of the mapping file that would do. */
  readonly mapping?: MappingEntry;
}

export interface MappingEntry {
  readonly section: MappedSection;
  readonly key: string;
  /** The most likely counterpart. */
  readonly to: string | undefined;
  /** What else it may be. */
  readonly comment: string;
}

/** So many uses are named. */
const NAMED = 2;

/** Lines for people: what is missing, where it is used, what to do, and what the mapping file would have to say. */
export function missingLines(
  missing: readonly MissingPrerequisite[],
  mappingFile: string | undefined,
): string[] {
  const lines = missing.flatMap(({ what, why, remedy, uses }) => [
    `${what}: ${why}`,
    ...uses.slice(0, NAMED).map(({ name, place }) => `    ${at(place)} ${name}`.trimEnd()),
    ...(uses.length > NAMED ? [`    and ${uses.length - NAMED} more`] : []),
    `    -> ${remedy}`,
  ]);
  const entries = missing.flatMap(({ mapping }) => mapping ?? []);
  const told = lines.map((line) => `  ${plain(line)}`);
  if (entries.length === 0) return told;
  const heading = `To be put into ${mappingFile ?? MAPPING_FILE}:`;
  return [...told, heading, ...mappingText(entries, mappingFile === undefined).map(plain)];
}

const at = ({ file, line, column }: Location) => `${file}:${line}:${column}`;

function mappingText(entries: readonly MappingEntry[], whole: boolean): string[] {
  const sections = new Map<string, MappingEntry[]>();
  for (const entry of entries) sections.set(entry.section, [...(sections.get(entry.section) ?? []), entry]);
  const lines = [...sections].flatMap(([section, of]) => [
    `${section}:`,
    ...of.map(({ key, to, comment }) => {
      // Without a value the file is refused until somebody says it.
      const value = to === undefined ? "" : ` ${stringify(to).trim()}`;
      return `  ${stringify(key).trim()}:${value}${comment === "" ? "" : ` # ${comment}`}`;
    }),
  ]);
  return ["", ...(whole ? ["version: 1"] : []), ...lines];
}
