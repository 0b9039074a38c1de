/** What the page and its worker exchange. */
import type { LintFinding } from "../../../workspace-file/lint/index.js";
import type { StartEvent } from "../../../workspace-file/runs/index.js";

/** Texts of files by name. */
export type Files = Readonly<Record<string, string>>;

export type Problem = Pick<LintFinding, "code" | "severity" | "message" | "place">;

/** What the page shows besides the problems. */
export interface Question {
  /** Stack whose overlay is applied. */
  readonly stack: string | undefined;
  /** Event whose pipelines are listed. */
  readonly event: StartEvent;
  /** Pipeline that is started by hand, as PROJECT/PIPELINE. */
  readonly pipeline: string | undefined;
}

export interface Analysis {
  /** Counts of the problems: `1 error, 2 warnings`. */
  readonly summary: string;
  readonly problems: readonly Problem[];
  /** What the file declares; undefined for an invalid file. */
  readonly content?: Content;
}

export interface Content {
  readonly document: string;
  readonly graph: string;
  readonly access: AccessTable;
  readonly runs: string;
  readonly pipelines: readonly string[];
}

export interface AccessTable {
  readonly projects: readonly string[];
  readonly rows: readonly {
    readonly member: string;
    readonly workspace: string;
    readonly cells: readonly { readonly levels: string; readonly permissionSet?: string }[];
  }[];
}

/** The file that the others belong to. */
export const MAIN_FILE = "workspace.yaml";
