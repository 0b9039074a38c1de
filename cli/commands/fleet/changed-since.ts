/** Selects the workspaces of a fleet that the changes since a commit affect: those whose files have changed. */
import { basename, dirname, resolve } from "node:path";
import { isAtOrBelow, resolveRealPath } from "../../../trust/checkout.js";
import { stringifyStably } from "../../../diff/values.js";
import { WorkspaceFileError } from "../../../workspace-file/load/index.js";
import type { Io } from "../../terminal/io.js";
import { parseFleet, type Fleet, type FleetEntry } from "./fleet-file.js";
import { readGitChanges, type GitChanges } from "./git.js";
import { loadEntry } from "./entry-files.js";

export interface ChangedEntries {
  readonly entries: readonly FleetEntry[];
  /** Entries that the fleet file no longer has. */
  readonly removed: readonly Pick<FleetEntry, "name" | "file" | "stack">[];
}

/**
 * @param more further options of each workspace: a file among them concerns all
 * @throws {CliError} without the history of the commit
 */
export async function findChangedEntries(
  fleetFile: string,
  fleet: Fleet,
  ref: string,
  more: readonly string[],
  io: Io,
): Promise<ChangedEntries> {
  const changes = await readGitChanges(resolveRealPath(fleetFile), ref, io);
  const changed = new Set(changes.files.map(resolveRealPath));
  const isChanged = (path: string) => changed.has(resolveRealPath(path)) || changes.deleted.has(path);
  const before = await readFleetBefore(fleetFile, changes);
  const removed = [...(before ?? new Map<string, FleetEntry>()).values()].filter(
    ({ name }) => !fleet.entries.some((entry) => entry.name === name),
  );
  const named = more.map((word) => resolveRealPath(resolve(word.slice(word.indexOf("=") + 1))));
  const all =
    (fleet.policy !== undefined && isChanged(fleet.policy)) ||
    [...changed].some((path) => named.some((one) => isAtOrBelow(one, path)));
  const isAffected = (entry: FleetEntry) => {
    if (all || before === undefined) return true;
    const { pinned, ...own } = entry;
    if (stringifyStably(before.get(entry.name)) !== stringifyStably(own)) return true;
    if (pinned !== undefined) return false;
    if ([...changed].some((path) => isSettingOf(entry, path))) return true;
    const files = listFilesRead(entry, changes, io);
    return files === undefined || files.some(isChanged);
  };
  return { entries: fleet.entries.filter(isAffected), removed };
}

/** The entries at that commit, by name; undefined when they are not known. */
async function readFleetBefore(
  fleetFile: string,
  { deleted, textBefore }: GitChanges,
): Promise<ReadonlyMap<string, FleetEntry> | undefined> {
  const text = await textBefore(resolveRealPath(fleetFile));
  if (text === undefined) return undefined;
  try {
    const { entries } = parseFleet(fleetFile, text, [...deleted.keys()]);
    return new Map(entries.map((entry) => [entry.name, entry]));
  } catch (error) {
    if (error instanceof WorkspaceFileError) return undefined;
    throw error;
  }
}

/** Whether a file contains settings of Pulumi for the stack, or says which drift is known. */
function isSettingOf({ file, stack, policy }: FleetEntry, path: string): boolean {
  if (policy !== undefined && resolveRealPath(policy) === path) return true;
  const name = basename(path);
  const folder = resolveRealPath(dirname(file));
  if (name === "drift-ignore.yaml") return dirname(path) === folder;
  const isSetting = [`Pulumi.${stack.split("/").at(-1)}`, "Pulumi"].some((stem) =>
    [`${stem}.yaml`, `${stem}.yml`].includes(name),
  );
  return isSetting && isAtOrBelow(dirname(path), folder);
}

/** All files that an entry reads, or would read if none had been deleted. Undefined for a file with errors. */
function listFilesRead(entry: FleetEntry, { deleted }: GitChanges, io: Io): string[] | undefined {
  const now = loadEntry(entry, io.env);
  const before = deleted.size === 0 ? now : loadEntry(entry, io.env, deleted);
  if (now === undefined || before === undefined) return undefined;
  const owns = [entry.file, ...entry.overlays];
  return [
    ...owns,
    ...[now, before].flatMap(({ sources, valueFiles }) => [...sources.keys(), ...valueFiles]),
  ].map((path) => resolve(path));
}
