/** Reports everything that is missing in the target, before anything is written. */
import { stringify } from "yaml";
import type { Location } from "../../../workspace-file/index.js";
import { MAPPING_FILE, type MappedSection } from "./mapping-file.js";
import { groupBy } from "../../lists.js";
import { stripControls } from "../../reporters/format-values.js";

/** A use of something that is missing. */
export interface Use {
  /** Logical name of the object. */
  readonly name: string;
  readonly place: Location;
}

export interface MissingPrerequisite {
  /** Such as `integration "chat-main"`. */
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  readonly uses: readonly Use[];
  /** An entry of the mapping file that would solve the problem. */
  readonly mapping?: MappingEntry;
}

export interface MappingEntry {
  readonly section: MappedSection;
  readonly key: string;
  /** The most likely counterpart. */
  readonly to: string | undefined;
  /** A comment with other candidates. */
  readonly comment: string;
}

/** Maximum number of uses that are named. */
const NAMED = 2;

/** Returns lines with what is missing, its uses and remedies, and the entries for the mapping file. */
export function formatMissingLines(
  missing: readonly MissingPrerequisite[],
  mappingFile: string | undefined,
): string[] {
  const lines = missing.flatMap(({ what, why, remedy, uses }) => [
    `${what}: ${why}`,
    ...uses.slice(0, NAMED).map(({ name, place }) => `    ${formatPlace(place)} ${name}`.trimEnd()),
    ...(uses.length > NAMED ? [`    and ${uses.length - NAMED} more`] : []),
    `    -> ${remedy}`,
  ]);
  const entries = missing.flatMap(({ mapping }) => mapping ?? []);
  const indented = lines.map((line) => `  ${stripControls(line)}`);
  if (entries.length === 0) return indented;
  const heading = `Add to ${mappingFile ?? MAPPING_FILE}:`;
  return [...indented, heading, ...formatMappingText(entries, mappingFile === undefined).map(stripControls)];
}

const formatPlace = ({ file, line, column }: Location) => `${file}:${line}:${column}`;

function formatMappingText(entries: readonly MappingEntry[], whole: boolean): string[] {
  const lines = [...groupBy(entries, ({ section }) => section)].flatMap(([section, of]) => [
    `${section}:`,
    ...of.map(({ key, to, comment }) => {
      // Without a value, the file is invalid until one is filled in.
      const value = to === undefined ? "" : ` ${stringify(to).trim()}`;
      return `  ${stringify(key).trim()}:${value}${comment === "" ? "" : ` # ${comment}`}`;
    }),
  ]);
  return ["", ...(whole ? ["version: 1"] : []), ...lines];
}
