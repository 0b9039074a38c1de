/** Options of the programmatic API. They have the names of the command's options. */
import type { AutomationPort } from "./automation-port.js";

/** The workspace of a program, and how the program takes part. */
export interface WorkspaceOptions extends Partial<AutomationPort> {
  /** Workspace file, or folder of workspace files. Default: `workspace.yaml`. */
  readonly file?: string | undefined;
  /** Pulumi stack. Default: as for the command. */
  readonly stack?: string | undefined;
  /** Connection: base address and credentials. Default: the one of the file. */
  readonly connection?: string | undefined;
  /** Overlays that are applied to the file, after that of the stack. */
  readonly overlay?: readonly string[] | undefined;
  /** Further files and folders that placeholders and includes may read. */
  readonly allowPath?: readonly string[] | undefined;
  /** Patterns of further environment variables that placeholders may read. */
  readonly allowEnv?: readonly string[] | undefined;
  /** Folder of a Pulumi program, instead of a file. */
  readonly program?: string | undefined;
  /** Engine of the resources. Default: the engine of the file or the state. */
  readonly engine?: "dynamic" | "plugin" | undefined;
}

/** Options of every operation. */
export interface OperationOptions {
  /** Cancels this operation. */
  readonly signal?: AbortSignal | undefined;
}

/** A guard that can refuse a plan. */
export type GuardName =
  | "other-file"
  | "not-owned"
  | "project-deletion"
  | "protected-object"
  | "protected-kind"
  | "max-deletes"
  | "max-delete-share"
  | "whole-section"
  | "unmanaged-contents"
  | "perhaps-hidden"
  | "used-object"
  | "own-access"
  | "required-admins"
  | "minimum-admins";

/** What a plan may do. */
export interface PlanLimits {
  /** Policy files, which nothing overrides. */
  readonly policy?: readonly string[] | undefined;
  /** Allow at most this many deletions. */
  readonly maxDeletes?: number | undefined;
  /** Allow at most this percentage of the objects to be deleted. */
  readonly maxDeleteShare?: number | undefined;
  /** Allow the deletion of objects that match, such as `groups/*`. */
  readonly allowDelete?: readonly string[] | undefined;
  /** Allow the deletion of these projects. */
  readonly deleteProject?: readonly string[] | undefined;
  /** Guards that must not refuse the plan. */
  readonly ignoreGuard?: readonly GuardName[] | undefined;
}

export interface PreviewOptions extends OperationOptions, PlanLimits {
  /** Limit the plan to objects that match, such as `projects/web/**`, and what they need. */
  readonly only?: readonly string[] | undefined;
  /** Read the workspace first. Default: true. */
  readonly refresh?: boolean | undefined;
  /** Percentage of the hour's requests to leave to others. */
  readonly reserve?: number | undefined;
  /** Save the plan to this file, for `plan` of an update. */
  readonly savePlan?: string | undefined;
}

interface Confirmation {
  /** Do not ask. */
  readonly yes?: boolean | undefined;
  /** Write the state after every object, or once at the end with a journal until then. */
  readonly checkpoint?: "every" | "journal" | undefined;
}

export interface UpOptions extends Omit<PreviewOptions, "savePlan">, Confirmation {
  /** Apply only the plan with this fingerprint, which a preview reports, or refuse. */
  readonly approved?: string | undefined;
  /** Apply exactly this saved plan, or refuse. */
  readonly plan?: string | undefined;
  /** Refuse a saved plan that is older than this, in milliseconds. */
  readonly maxAge?: number | undefined;
  /** Create the stack if it does not exist; or the name of the stack to create. */
  readonly createStack?: boolean | string | undefined;
  /** Adopt objects that an interrupted run on another machine created. */
  readonly adoptAfterCrash?: boolean | undefined;
  /** Write a record of the changes to this file. */
  readonly receipt?: string | undefined;
  /** Wait when the remaining requests are not enough. */
  readonly wait?: boolean | undefined;
}

export interface DestroyOptions extends OperationOptions, PlanLimits, Confirmation {
  /** Also delete protected objects, such as projects. */
  readonly includeProtected?: boolean | undefined;
}

export interface DriftOptions extends OperationOptions {
  /** Classes that make the result `drift`. Default: deleted, changed and added. */
  readonly failOn?: readonly ("deleted" | "changed" | "added" | "pending" | "unverifiable")[] | undefined;
  /** Where to look for unmanaged objects. Default: declared. */
  readonly added?: "declared" | "all" | "none" | undefined;
  /** The ignore file. Default: `drift-ignore.yaml` next to the workspace file. */
  readonly ignore?: string | undefined;
}

export interface ImportOptions extends OperationOptions {
  /** Create the stack if it does not exist; or the name of the stack to create. */
  readonly createStack?: boolean | string | undefined;
}

/** What is read of a workspace. */
export interface WorkspaceReading extends OperationOptions {
  /** Limit to these sections or types. Default: all but branches. */
  readonly kinds?: readonly string[] | undefined;
  /** Limit to projects whose names match. */
  readonly project?: string | undefined;
  /** Limit to objects whose names match, and what they contain. */
  readonly name?: string | undefined;
  /** Wait for the rate limit to reset when it is reached. */
  readonly wait?: boolean | undefined;
}

export interface ExportOptions extends WorkspaceReading {
  /** Domain of the workspace, if it is not the connection's. */
  readonly workspace?: string | undefined;
  /** Write to this file, or update it. Without `output` and `split`, only the texts are returned. */
  readonly output?: string | undefined;
  /** Write or update a folder. */
  readonly split?: string | undefined;
  /** Write the file of a team that owns the objects that match. */
  readonly owns?: readonly string[] | undefined;
  /** File with the e-mail addresses of members, if the service hides them. */
  readonly people?: string | undefined;
  /** Language of what is written. Default: yaml. */
  readonly language?: "yaml" | "typescript" | undefined;
  /** Write nothing; return the texts that an existing file would have. */
  readonly dryRun?: boolean | undefined;
  /** Read everything again, instead of resuming an interrupted export. */
  readonly fresh?: boolean | undefined;
  /** Replace existing files. */
  readonly force?: boolean | undefined;
}

export interface CompareOptions extends WorkspaceReading {
  /** A connection, a workspace file (`FILE+OVERLAY`) or a stack, as for the command. Default: the file. */
  readonly left?: string | undefined;
  /** What it is compared with. */
  readonly right: string;
  /** Classes that make the result `different`. Default: missing, added and changed. */
  readonly failOn?: readonly ("missing" | "added" | "changed" | "unverifiable")[] | undefined;
  /** File with intended differences. */
  readonly exceptions?: string | undefined;
  /** File with the names of integrations on the right. */
  readonly mapping?: string | undefined;
  /** Files with the e-mail addresses of members, if the service hides them. */
  readonly leftPeople?: string | undefined;
  readonly rightPeople?: string | undefined;
}
