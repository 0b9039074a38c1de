/** Makes sure that the files of a fleet which share a workspace do not own the same objects. */
import { readDeclarations, WorkspaceFileError } from "../../../workspace-file/load/index.js";
import { groupBy } from "../../lists.js";
import type { Io } from "../../terminal/io.js";
import { refuseOverlaps } from "../owners/owning-file.js";
import type { FleetEntry } from "./file.js";

/** @throws {WorkspaceFileError} with both places of each overlap */
export function refuseSharedObjects(entries: readonly FleetEntry[], io: Io): void {
  const read = entries.flatMap((entry) => {
    const { file, stack, overlays, allowPaths, connection, environment } = entry;
    try {
      const loaded = readDeclarations(file, { env: io.env, stack, overlays, allowPaths, mock: true });
      const { workspace } = loaded;
      // At another address, there may be another workspace of the same name.
      const addresses = Object.entries(environment).filter(([variable]) => variable.endsWith("BASE_URL"));
      const place = JSON.stringify([workspace, connection ?? loaded.connection, addresses.toSorted()]);
      return workspace === undefined ? [] : [{ file, loaded, place }];
    } catch (error) {
      // The command itself reports an invalid file, and goes on with the other workspaces.
      if (error instanceof WorkspaceFileError) return [];
      throw error;
    }
  });
  for (const shared of groupBy(read, ({ place }) => place).values()) {
    const files = new Map(shared.map((one) => [one.file, one]));
    if (shared.every(({ loaded }) => loaded.owns === undefined)) continue;
    refuseOverlaps([...files.values()]);
  }
}
