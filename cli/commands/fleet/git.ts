/** Asks Git which workspaces the changes since a commit affect, and checks out the commits to which entries are pinned. */
import { rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { AutomationError } from "../../../automation/errors.js";
import { makeTemporaryFolder } from "../../../automation/temporary-folders.js";
import { stringifyStably } from "../../../diff/values.js";
import type { Io } from "../../../reports/io.js";
import { isAtOrBelow, resolveRealPath } from "../../../trust/checkout.js";
import { type GitClone, openClone } from "../../../trust/git.js";
import { WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { loadEntry } from "./entry-files.js";
import { type Fleet, type FleetEntry, parseFleet } from "./fleet-file.js";
import { buildEnvironment } from "./workspace-command.js";

interface ChangedEntries {
  readonly entries: readonly FleetEntry[];
  /** Entries that the fleet file no longer has. */
  readonly removed: readonly Pick<FleetEntry, "name" | "file" | "stack">[];
}

/**
 * @param more further options of each workspace: a file among them concerns all
 * @throws {AutomationError} without the history of the commit
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

/** What has changed since a commit, in the working tree too. */
interface GitChanges {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Those that no longer exist, with their former texts. */
  readonly deleted: ReadonlyMap<string, string>;
  /** Returns the text that a file had; undefined if it did not exist. */
  readonly textBefore: (path: string) => Promise<string | undefined>;
}

export interface Git extends GitClone {
  /** What to do when a commit is missing. */
  readonly remedy: string;
}

/** @param what what needs the history, for messages. @throws {AutomationError} when there is no repository */
export async function openGit(folder: string, what: string, io: Io): Promise<Git> {
  const clone = await openClone(folder, io.env).catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    throw new AutomationError(
      `${what} needs the Git history of ${folder}: ${problem}`,
      "run the command in a clone of a Git repository",
    );
  });
  const isShallow = (await clone.run("rev-parse", "--is-shallow-repository")).text.trim() === "true";
  const remedy = isShallow
    ? "This clone contains only a part of the history: fetch all of it (GitHub: fetch-depth: 0; GitLab: GIT_DEPTH: 0)"
    : "choose a commit, tag or branch of this clone, such as origin/main";
  return { ...clone, remedy };
}

/** @throws {AutomationError} when there is no repository, or the commit is not in its history */
async function readGitChanges(file: string, ref: string, io: Io): Promise<GitChanges> {
  const option = `--changed-since ${ref}`;
  const { root, remedy, run: git } = await openGit(dirname(file), option, io);
  const refuse = (why: string) => new AutomationError(`${option} ${why}`, remedy);
  const base = await git("merge-base", "--end-of-options", ref, "HEAD");
  if (!base.ok) throw refuse("names no commit with a common history");
  const commit = base.text.trim();
  const listChanged = [
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=dirty",
  ];
  const diff = await git(...listChanged, commit);
  if (!diff.ok) throw refuse(`cannot be compared: ${diff.problem}`);
  const fresh = await git("ls-files", "--others", "--exclude-standard", "-z", "--full-name", root);
  const gone = await git(...listChanged, "--diff-filter=D", commit);
  const split = ({ text }: { readonly text: string }) => text.split("\0").filter((name) => name !== "");
  const textOf = async (name: string) => {
    const { ok, text } = await git("show", "--no-textconv", `${commit}:${name}`);
    return ok ? text : undefined;
  };
  const deleted = await Promise.all(
    split(gone).map(async (name) => [join(root, name), (await textOf(name)) ?? ""] as const),
  );
  return {
    files: [...new Set([...split(diff), ...split(fresh)])].map((name) => join(root, name)),
    deleted: new Map(deleted),
    textBefore: async (path) => await textOf(relative(root, path)),
  };
}

/** Runs some work with a fleet whose pinned entries have the files of their commits. @throws {AutomationError} without these commits */
export async function withRevisions<T>(
  fleet: Fleet,
  fleetFile: string,
  io: Io,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const commits = new Set(fleet.entries.flatMap(({ revision }) => revision ?? []));
  if (commits.size === 0) return await work(fleet);
  for (const entry of fleet.entries) refuseLocalState(entry, io);
  const git = await openGit(dirname(resolveRealPath(fleetFile)), "revision", io);
  const { root } = git;
  const around = makeTemporaryFolder();
  try {
    for (const commit of commits) {
      const folder = join(around, commit);
      const { ok, problem } = await git.run("worktree", "add", "--quiet", "--detach", folder, commit);
      if (!ok) throw new AutomationError(`revision ${commit} cannot be checked out: ${problem}`, git.remedy);
    }
    const entries = fleet.entries.map((entry): FleetEntry => {
      const { revision } = entry;
      return revision === undefined ? entry : { ...entry, pinned: { root, folder: join(around, revision) } };
    });
    return await work({ ...fleet, entries });
  } finally {
    for (const commit of commits) await git.run("worktree", "remove", "--force", join(around, commit));
    rmSync(around, { recursive: true, force: true });
  }
}

/** The state next to the files would be a new one in each folder. */
function refuseLocalState(entry: FleetEntry, io: Io): void {
  const { name, revision, backend } = entry;
  if (revision === undefined || backend !== undefined) return;
  if (buildEnvironment(entry, io.env, true)["PULUMI_BACKEND_URL"]) return;
  throw new AutomationError(
    `the workspace ${name} of the fleet is run from another commit (revision), so its state cannot be in a folder of the checkout`,
    "set backend for it in the fleet file, or set PULUMI_BACKEND_URL",
  );
}
