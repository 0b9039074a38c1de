/** Passes what a checked plan permits to a provider in another process: in a private file that a variable names. */
import { readFileSync } from "node:fs";
import { PermittedOperations, type PermittedOperation } from "./permitted-operations.js";

/** Path of the file, which contains no arguments. Without it, everything is permitted. */
export const PERMISSION_VARIABLE = "WORKSPACE_AUTOMATION_PERMITTED_OPERATIONS";

export function readPermittedOperations(
  env: Readonly<Record<string, string | undefined>>,
): PermittedOperations | undefined {
  const file = env[PERMISSION_VARIABLE];
  if (!file) return undefined;
  return new PermittedOperations(JSON.parse(readFileSync(file, "utf8")) as PermittedOperation[]);
}
