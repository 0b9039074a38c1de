/** What guards judge, by what, and what they say. */
import type { GuardSettings } from "../../../workspace-file/index.js";
import type { GuardCode } from "./codes.js";
import type { PlannedObject } from "../../engine/plan/objects.js";

/** What the command line says beside the file, in the words of its flags. */
export interface Allowances {
  /** `--max-deletes` */
  readonly maxDeletes?: number | undefined;
  /** `--max-delete-share` */
  readonly maxDeleteShare?: number | undefined;
  /** `--allow-delete`: patterns of logical names. */
  readonly allowDelete?: readonly string[] | undefined;
  /** `--delete-project`: names of projects. */
  readonly deleteProject?: readonly string[] | undefined;
  /** `--include-protected` of `destroy`: all that is protected is named by it. */
  readonly includeProtected?: boolean | undefined;
  /** `--ignore-guard`: codes. */
  readonly ignoreGuard?: readonly string[] | undefined;
}

/** Everything a guard may look at. */
export interface Judged {
  /** All objects that the stack manages, or will. */
  readonly objects: readonly PlannedObject[];
  readonly settings: GuardSettings;
  readonly allowances: Allowances;
  readonly now: Date;
  /** Number of the calling user, where it is known. */
  readonly callerId?: number;
  /** The token may not tell whose it is. */
  readonly callerIsHidden?: boolean;
  /** Administrators of the workspace that the stack does not manage. */
  readonly otherAdmins?: number;
  /** The workspace file of this run, and the one that the stack was last applied from. */
  readonly file?: string;
  readonly appliedFrom?: string;
}

/** Why a plan should not be carried out. */
export interface GuardFinding {
  readonly message: string;
  /** Logical names of the objects concerned. */
  readonly objects: readonly string[];
  /** The flag that lets it through, or what else helps. */
  readonly remedy: string;
}

export interface Guard {
  readonly code: GuardCode;
  /** What it refuses, for the documentation. */
  readonly refuses: string;
  /** The file's property and the flag, for the documentation. */
  readonly settings: string;
  readonly judge: (judged: Judged) => GuardFinding | undefined;
}

export interface Verdict extends GuardFinding {
  /** Code of the guard. */
  readonly guard: GuardCode;
  /** It would have refused, and a flag says to go on. */
  readonly ignored: boolean;
}
