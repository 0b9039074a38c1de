/** Reads the workspace files of a fleet, for what the processes need not know. */
import { readDeclarations, WorkspaceFileError, type LoadedFile } from "../../../workspace-file/load/index.js";
import type { FleetEntry } from "./fleet-file.js";
import { locateFiles } from "./pinned-paths.js";

/**
 * Reads the file of a workspace, with mock values for environment variables. Undefined for a file with errors: the command itself
 * reports it, and continues with the other workspaces. The result is large, so callers keep only what they need of it.
 * @param texts texts that replace the contents of files, by absolute path
 */
export function loadEntry(
  entry: FleetEntry,
  env: NodeJS.ProcessEnv,
  texts?: ReadonlyMap<string, string>,
): LoadedFile | undefined {
  const { file, stack, overlays, allowPaths } = locateFiles(entry);
  try {
    return readDeclarations(file, { env, stack, overlays, allowPaths, mock: true, texts });
  } catch (error) {
    if (error instanceof WorkspaceFileError) return undefined;
    throw error;
  }
}
