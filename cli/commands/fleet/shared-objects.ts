/** Makes sure that the files of a fleet which share a workspace do not own the same objects. */
import { readText } from "../../../trust/checkout-files.js";
import { findOverlay, type LoadedFile } from "../../../workspace-file/load/index.js";
import { groupBy } from "../../lists.js";
import { refuseOverlaps } from "../owners/owning-file.js";
import type { FleetEntry } from "./fleet-file.js";
import { loadEntry } from "./load-entry.js";

/** @throws {WorkspaceFileError} with both places of each overlap */
export function refuseSharedObjects(entries: readonly FleetEntry[], env: NodeJS.ProcessEnv): void {
  // Each shard of a large fleet would otherwise read the files of all the others.
  if (!entries.some(mayOwn)) return;
  const read = entries.flatMap((entry) => {
    const loaded = loadEntry(entry, env);
    if (loaded?.workspace === undefined) return [];
    return [{ entry, workspace: identifyWorkspace(entry, loaded), owns: loaded.owns !== undefined }];
  });
  for (const shared of groupBy(read, ({ workspace }) => workspace).values()) {
    const files = new Map(shared.map(({ entry }) => [entry.file, entry]));
    if (files.size < 2 || !shared.some(({ owns }) => owns)) continue;
    refuseOverlaps(
      [...files.values()].flatMap((entry) => {
        const loaded = loadEntry(entry, env);
        return loaded === undefined ? [] : [{ file: entry.file, loaded }];
      }),
    );
  }
}

/** Whether the file of an entry may say what it owns: itself, in what it includes, or in an overlay. Only then do files overlap. */
function mayOwn({ file, stack, overlays }: FleetEntry): boolean {
  const ofStack = findOverlay(file, stack);
  return [file, ...overlays, ...(ofStack === undefined ? [] : [ofStack])].some((path) => {
    try {
      return /owns|include/.test(readText(path));
    } catch {
      // It may be a folder of files.
      return true;
    }
  });
}

/** At another address, there may be another workspace of the same name. */
function identifyWorkspace({ connection, environment }: FleetEntry, loaded: LoadedFile): string {
  const addresses = Object.entries(environment).filter(([variable]) => variable.endsWith("BASE_URL"));
  return JSON.stringify([loaded.workspace, connection ?? loaded.connection, addresses.toSorted()]);
}
