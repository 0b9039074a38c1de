/** Input and output of guards. */
import type { GuardSettings } from "../../../workspace-file/index.js";
import type { Owns } from "../../../workspace-file/load/owns.js";
import type { GuardCode } from "./codes.js";
import type { PlannedObject } from "../../engine/plan/objects.js";

/** Flags of the command line that override the settings of the file. */
export interface Allowances {
  /** `--max-deletes` */
  readonly maxDeletes?: number | undefined;
  /** `--max-delete-share` */
  readonly maxDeleteShare?: number | undefined;
  /** `--allow-delete`: patterns of logical names. */
  readonly allowDelete?: readonly string[] | undefined;
  /** `--delete-project`: names of projects. */
  readonly deleteProject?: readonly string[] | undefined;
  /** `--include-protected` of `destroy`, which allows the deletion of all protected objects. */
  readonly includeProtected?: boolean | undefined;
  /** `--ignore-guard`: codes. */
  readonly ignoreGuard?: readonly string[] | undefined;
}

/** Input of a guard. */
export interface Judged {
  /** All objects that the stack manages before or after the plan. */
  readonly objects: readonly PlannedObject[];
  readonly settings: GuardSettings;
  /** Patterns of what the file owns. */
  readonly owns?: Owns;
  readonly allowances: Allowances;
  readonly now: Date;
  /** Id of the calling user, if known. */
  readonly callerId?: number;
  /** Whether the token may not read its user. */
  readonly callerIsHidden?: boolean;
  /** Number of administrators that the stack does not manage. */
  readonly otherAdmins?: number;
  /** Workspace file of this run, and the one that was last applied to the stack. */
  readonly file?: string;
  readonly appliedFrom?: string;
}

/** Reason for refusing a plan. */
export interface GuardRefusal {
  readonly message: string;
  /** Logical names of the objects concerned. */
  readonly objects: readonly string[];
  /** Flag that allows it, or another remedy. */
  readonly remedy: string;
}

export interface Guard {
  readonly code: GuardCode;
  /** Description of what it refuses, for the documentation. */
  readonly refuses: string;
  /** Property of the file and flag, for the documentation. */
  readonly settings: string;
  readonly judge: (judged: Judged) => GuardRefusal | undefined;
}

export interface Verdict extends GuardRefusal {
  /** Code of the guard. */
  readonly guard: GuardCode;
  /** Whether a flag overrides the refusal. */
  readonly ignored: boolean;
}
