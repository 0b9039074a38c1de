/** The journal's file: where it is, and what its lines say. It lies beside the state, so that both last equally long. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../../provider/index.js";
import type { Owner } from "../stack/process-owner.js";
import { pulumiFolder, type StackLocation } from "../stack/lock-files.js";

/** The first line: the run that wrote the journal. */
export interface Header {
  /** SHA-256 of the state that the engine of the run began with. */
  readonly state: string;
  /** `encryptionsalt` with which secrets are encrypted. */
  readonly salt: string;
  /** The process that serves the provider; absent where this system cannot tell. */
  readonly owner?: Owner;
}

/** What the program has said of an object when it registered it. */
export interface RegisteredOptions {
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly ignoreChanges?: readonly string[];
  /** URNs under which the state may know it. */
  readonly formerly: readonly string[];
}

/** A step, with encrypted secrets. */
export type Line = Step & { readonly at: string; readonly registered?: RegisteredOptions };

export interface JournalContent {
  readonly header: Header;
  readonly lines: readonly Line[];
}

/** Path of the journal; undefined where there is no file-based backend. */
export function journalPath(location: StackLocation): string | undefined {
  const base = pulumiFolder(location);
  return base && join(base, "workspacectl", "journal", location.project, `${location.stack}.jsonl`);
}

/** Reads a journal; undefined when it does not even have a header. A line that a kill has cut off says nothing. */
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
