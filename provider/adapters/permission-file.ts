/**
 * Passes what a checked plan permits to a provider in another process, and before that, what the preview there has planned with. Both are
 * private files that variables name.
 */
import { appendFileSync, readFileSync } from "node:fs";
import {
  type PermittedOperation,
  PermittedOperations,
  type PermittedRemoval,
} from "./permitted-operations.js";
import { PlannedArguments } from "./planned-arguments.js";

/** Path of the file with what is permitted. Without it, everything is. */
export const PERMISSION_VARIABLE = "WORKSPACE_AUTOMATION_PERMITTED_OPERATIONS";

/** Path of the file to which a preview appends digests of the arguments that it plans with. */
export const PLANNED_VARIABLE = "WORKSPACE_AUTOMATION_PLANNED_ARGUMENTS";

export interface PermissionFile {
  readonly operations: readonly PermittedOperation[];
  readonly removals: readonly PermittedRemoval[];
  /** The notes of the preview. */
  readonly planned: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export function readPermittedOperations(env: Env): PermittedOperations | undefined {
  const file = env[PERMISSION_VARIABLE];
  if (!file) return undefined;
  const { operations, removals, planned } = JSON.parse(readFileSync(file, "utf8")) as PermissionFile;
  return new PermittedOperations(operations, PlannedArguments.read(planned), removals);
}

export function openPlannedArguments(env: Env): PlannedArguments | undefined {
  const file = env[PLANNED_VARIABLE];
  if (!file) return undefined;
  return PlannedArguments.read(readNotes(file), (line) => appendFileSync(file, `${line}\n`));
}

/** @param file of a preview */
export function readNotes(file: string): string {
  return readFileSync(file, "utf8");
}
