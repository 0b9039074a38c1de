/** What a form of export has to do. */
import type { WorkspaceDocument } from "../../../schema/workspace-document.js";
import type { Declarable } from "./declare.js";
import type { Files } from "./files.js";

/** What there is to write. */
export interface Exported {
  readonly document: WorkspaceDocument;
  readonly declared: Declarable;
  /** Where it was read. */
  readonly address: string;
  /** The folder that it goes to, if it is one. */
  readonly folder: string | undefined;
}

export interface WrittenFiles {
  /** Texts by path, relative to where they go; the main file is the first. */
  readonly files: Files;
  /** What lint would refuse, were it not said to be so at the service: `file:line: message`. */
  readonly doubts: readonly string[];
  /** How the values that no file should hold are given, where that is not by environment variables: a line each. */
  readonly setup?: readonly string[];
  /** Files in the folder that were a part of it, and are no longer: nobody but their user deletes them. */
  readonly dropped?: readonly string[];
}

export interface Writer {
  /** Name of the main file in a folder. */
  readonly main: string;
  /** Names of files of which none may be in a new folder. */
  readonly own: RegExp;
  /** Files that are there are brought up to date, and keep what is theirs. */
  readonly patched?: boolean;
  /** It is always a folder, also with -o. */
  readonly folder?: boolean;
  /** Files that stay as they are when a folder is written anew. */
  readonly keeps?: RegExp;
  /** Texts that are proven to be right. @param split in several files */
  readonly write: (exported: Exported, split: boolean) => Promise<WrittenFiles>;
}
