/** Finds the files of an entry that may be pinned to a commit. */
import { join, relative } from "node:path";
import { resolveRealPath } from "../../../trust/checkout.js";
import type { FleetEntry } from "./fleet-file.js";

/** Returns the paths of an entry: those of its commit if it is pinned to one. */
export function locateFiles(
  entry: FleetEntry,
): Pick<FleetEntry, "file" | "stack" | "overlays" | "allowPaths"> {
  const { pinned, file, stack, overlays, allowPaths } = entry;
  const at = (path: string) =>
    pinned === undefined ? path : join(pinned.folder, relative(pinned.root, resolveRealPath(path)));
  return { file: at(file), stack, overlays: overlays.map(at), allowPaths: allowPaths.map(at) };
}
