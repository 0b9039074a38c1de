/** Input and output of guards, and their codes, for `--ignore-guard`. The command line loads it, so it loads nothing. */
import type { GuardSettings } from "../../../workspace-file/index.js";
import type { Owns } from "../../../workspace-file/load/owns.js";
import type { UnmanagedContent } from "../../plan/contained-objects.js";
import type { PlannedObject } from "../../plan/planned-objects.js";
import type { UsedObject } from "../../plan/used-objects.js";

export const guardCodes = [
  "other-file",
  "not-owned",
  "project-deletion",
  "protected-object",
  "protected-kind",
  "max-deletes",
  "max-delete-share",
  "whole-section",
  "unmanaged-contents",
  "perhaps-hidden",
  "used-object",
  "own-access",
  "required-admins",
  "minimum-admins",
] as const;

export type GuardCode = (typeof guardCodes)[number];

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

/** Options that name objects instead of overriding a setting. */
export type Naming = Pick<Allowances, "allowDelete" | "deleteProject">;

/** Settings that no option overrides, and that a file can only tighten. */
export interface PolicyGuards {
  /** Path of the policy. */
  readonly path: string;
  readonly guards: GuardSettings;
}

/** Input of a guard. */
export interface Judged {
  /** All objects that the stack manages before or after the plan. */
  readonly objects: readonly PlannedObject[];
  /** What no file declares in the objects that the plan deletes. */
  readonly contents?: readonly UnmanagedContent[] | undefined;
  /** Logical names of the objects that are perhaps hidden from the token. */
  readonly hidden?: readonly string[] | undefined;
  /** What others still use of the objects that the plan deletes. */
  readonly uses?: readonly UsedObject[] | undefined;
  readonly settings: GuardSettings;
  /** Patterns of what the file owns. */
  readonly owns?: Owns;
  readonly allowances: Allowances;
  /** Objects that the caller of this run names, without the options of a saved plan. */
  readonly named?: Naming;
  /** Id of the calling user, if known. */
  readonly callerId?: number;
  /** Whether the token may not read its user. */
  readonly callerIsHidden?: boolean;
  /** Number of administrators that the stack does not manage. */
  readonly otherAdmins?: number;
  /** Path of the workspace file. */
  readonly path?: string;
  /** A program declares the objects, so there is no file that could set a guard. */
  readonly isProgram?: boolean;
  /** Workspace file of this run, and the one that was last applied to the stack. */
  readonly file?: string;
  readonly appliedFrom?: string;
}

/** Reason for refusing a plan. */
interface GuardRefusal {
  readonly message: string;
  /** Logical names of the objects concerned. */
  readonly objects: readonly string[];
  /** Flag that allows it, or another remedy. */
  readonly remedy: string;
  /** What to write in the workspace file, for who can only propose a change of it. Absent if the file cannot allow it. */
  readonly remedyInFile?: string | undefined;
  /** Remedy without a flag that overrides the setting. Absent if the remedy overrides nothing. */
  readonly remedyInPolicy?: string;
}

export interface Guard {
  readonly code: GuardCode;
  /** Description of what it refuses, for the documentation. */
  readonly refuses: string;
  /** Property of the file and flag, for the documentation. */
  readonly settings: string;
  /** Setting that it enforces; absent if it enforces something else. */
  readonly setting?: Exclude<keyof GuardSettings, "allowDelete">;
  /** It refuses until the caller names the objects, so that a name overrides nothing. */
  readonly asksForNames?: true;
  readonly judge: (judged: Judged) => GuardRefusal | undefined;
}

export interface Verdict {
  /** Code of the guard, or of a rule of a policy. */
  readonly guard: GuardCode | RuleCode;
  readonly message: string;
  /** Logical names of the objects concerned. */
  readonly objects: readonly string[];
  readonly remedy: string;
  /** What to write in the workspace file to allow it. */
  readonly remedyInFile?: string | undefined;
  /** Whether a flag overrides the refusal. */
  readonly ignored: boolean;
  /** Path of the policy that refuses. */
  readonly policy?: string;
  /** Path of the workspace file whose setting refuses. Absent for default settings and for settings from an option. */
  readonly file?: string;
}

/** Code of a rule, which has a prefix of its author's own. */
export type RuleCode = `${string}/${string}`;

/** Completes the remedy for what a policy refuses. */
export function withoutOptions(remedy: string): string {
  return `${withoutPeriod(remedy)}; no option overrides a policy`;
}

/** Makes a sentence of a rule part of a longer one. */
export function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

/** A setting that allows something that it refused before. */
export interface Loosened {
  readonly setting: string;
  /** Null for what was not set. */
  readonly before: unknown;
  readonly now: unknown;
  /** Logical names, for what an entry sets. */
  readonly objects?: readonly string[];
}

/** Default percentage of the limit that a run leaves for others. */
export const DEFAULT_RESERVE = 20;
