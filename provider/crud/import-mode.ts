/** Runs that only import existing objects: nothing in them may change the workspace. */
import { ProviderError } from "../errors.js";

/** Set to 1 for a run that only imports existing objects. */
export const TAKE_UP_VARIABLE = "WORKSPACE_AUTOMATION_TAKE_UP";

export function isImporting(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env[TAKE_UP_VARIABLE] === "1";
}

/** @throws {ProviderError} in a run that only imports existing objects */
export function refuseWhileImporting(
  { noun }: { readonly noun: string },
  { takingUp }: { readonly takingUp: boolean },
  operation: string,
): void {
  if (!takingUp) return;
  throw new ProviderError(
    "refused",
    `an import changes nothing: it would ${operation} a ${noun}. Run "workspacectl up" for that`,
  );
}
