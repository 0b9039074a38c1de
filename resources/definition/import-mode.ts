/** Import mode: a run that only imports existing objects never changes the workspace. */
import { ProviderError } from "../errors.js";

/** Set to 1 for a run that only imports existing objects. */
export const IMPORT_VARIABLE = "WORKSPACE_AUTOMATION_IMPORT_MODE";

export function isImportRun(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return env[IMPORT_VARIABLE] === "1";
}

/** @throws {ProviderError} in a run that only imports existing objects */
export function refuseWhileImporting(
  { noun }: { readonly noun: string },
  { isImporting }: { readonly isImporting: boolean },
  operation: string,
): void {
  if (!isImporting) return;
  throw new ProviderError(
    "refused",
    `an import changes nothing: it would ${operation} a ${noun}`,
    'Run "workspacectl up" for that',
  );
}
