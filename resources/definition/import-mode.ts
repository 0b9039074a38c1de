/** Import mode: a run that only imports existing objects never changes the workspace. */
import { ProviderError } from "../errors.js";

/** Set to 1 for a run that only imports existing objects. */
export const IMPORT_VARIABLE = "WORKSPACE_AUTOMATION_IMPORT_MODE";

export function isImportRun(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env[IMPORT_VARIABLE] === "1";
}

/**
 * @param what the object
 * @throws {ProviderError} in a run that only imports existing objects
 */
export function refuseWhileImporting(
  what: string,
  { isImporting }: { readonly isImporting: boolean },
  operation: string,
): void {
  if (!isImporting) return;
  throw new ProviderError(
    "refused",
    `an import only adds existing objects to the stack, but this one would ${operation} the ${what}`,
    'Apply that first with "workspacectl up", or remove it from the file for now',
  );
}
