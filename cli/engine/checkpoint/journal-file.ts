/** Path and format of the journal's file. It is stored beside the state, so that neither outlives the other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../../provider/index.js";
import type { Owner } from "../stack/process-owner.js";
import { pulumiFolder, type StackLocation } from "../stack/lock-files.js";

/** The first line: the run that wrote the journal. */
export interface Header {
  /** SHA-256 of the state at the start of the run. */
  readonly state: string;
  /** The stack's `encryptionsalt`, which encrypts secrets. */
  readonly salt: string;
  /** The process that serves the provider; absent on systems that do not tell. */
  readonly owner?: Owner;
}

/** The options with which the program registered an object. */
export interface RegisteredOptions {
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly ignoreChanges?: readonly string[];
  /** Its former URNs. */
  readonly formerly: readonly string[];
}

/** A step, with encrypted secrets. */
export type Line = Step & { readonly at: string; readonly registered?: RegisteredOptions };

export interface JournalContent {
  readonly header: Header;
  readonly lines: readonly Line[];
}

/** Path of the journal; undefined without a file-based backend. */
export function journalPath(location: StackLocation): string | undefined {
  const base = pulumiFolder(location);
  return base && join(base, "workspacectl", "journal", location.project, `${location.stack}.jsonl`);
}

/** Reads a journal; undefined without a complete header. Skips a line that a kill has truncated. */
export function readJournal(file: string): JournalContent | undefined {
  const parsed = readFileSync(file, "utf8").split("\n").flatMap(parse);
  const [header, ...lines] = parsed;
  return header === undefined ? undefined : { header: header as Header, lines: lines as Line[] };
}

function parse(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
