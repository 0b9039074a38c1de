/** What a language of an export gets and returns. */
import type { DiscoveredObject } from "../../../provider/index.js";
import type { WorkspaceDocument } from "../../../schema/workspace-document.js";
import type { Meaning } from "../../../workspace-file/edit/edit.js";
import type { Declarable } from "../declare.js";

/** Texts by path, relative to the target folder; the first is the workspace file. */
export type Files = ReadonlyMap<string, string>;

/** The exported workspace. */
export interface Exported {
  readonly document: WorkspaceDocument;
  readonly declared: Declarable;
  readonly objects: readonly DiscoveredObject[];
  /** Address of the workspace. */
  readonly address: string;
  /** The target folder, if the target is a folder. */
  readonly folder: string | undefined;
}

export interface WrittenFiles {
  /** Texts by path, relative to the target; the main file is the first. */
  readonly files: Files;
  /** What the files must mean; absent for a program, which only Pulumi can read. */
  readonly meaning?: Meaning;
  /** Lint errors that comments in the files suppress, because the workspace has these values: `file:line: message`. */
  readonly doubts: readonly string[];
  /** Commands that set the needed values, unless environment variables do. */
  readonly setup?: readonly string[];
  /** Files in the folder that are no longer part of the export; the user may delete them. */
  readonly dropped?: readonly string[];
}

export interface Writer {
  /** Name of the main file in a folder. */
  readonly main: string;
  /** Matches files that must not exist in a new folder. */
  readonly own: RegExp;
  /** Existing files are updated instead of replaced. */
  readonly patched?: boolean;
  /** The target is always a folder, also with -o. */
  readonly folder?: boolean;
  /** Matches files that are not replaced when a folder is written again. */
  readonly keeps?: RegExp;
  /** Writes validated texts. @param split write several files */
  readonly write: (exported: Exported, split: boolean) => WrittenFiles | Promise<WrittenFiles>;
}
