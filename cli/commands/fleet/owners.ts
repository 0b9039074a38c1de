/** Makes sure that the files of a fleet which share a workspace do not own the same objects. */
import type { LoadedFile } from "../../../workspace-file/load/index.js";
import { groupBy } from "../../lists.js";
import { refuseOverlaps } from "../owners/owning-file.js";
import type { FleetEntry } from "./file.js";

/** @throws {WorkspaceFileError} with both places of each overlap */
export function refuseSharedObjects(
  entries: readonly FleetEntry[],
  files: ReadonlyMap<string, LoadedFile>,
): void {
  const read = entries.flatMap(({ name, file, connection, environment }) => {
    const loaded = files.get(name);
    if (loaded?.workspace === undefined) return [];
    // At another address, there may be another workspace of the same name.
    const addresses = Object.entries(environment).filter(([variable]) => variable.endsWith("BASE_URL"));
    const place = JSON.stringify([loaded.workspace, connection ?? loaded.connection, addresses.toSorted()]);
    return [{ file, loaded, place }];
  });
  for (const shared of groupBy(read, ({ place }) => place).values()) {
    const sharing = new Map(shared.map((one) => [one.file, one]));
    if (shared.every(({ loaded }) => loaded.owns === undefined)) continue;
    refuseOverlaps([...sharing.values()]);
  }
}
