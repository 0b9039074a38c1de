/** Asks Git what has changed, and checks out the commits to which entries are pinned. It runs only the program `git` outside of the checkout, and none that its settings name. */
import { dirname, join, relative } from "node:path";
import { execa } from "execa";
import { createChildEnvironment } from "../../../trust/child-environment.js";
import { findCheckouts, resolveRealPath } from "../../../trust/checkout.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { buildEnvironment } from "./child-process.js";
import type { Fleet, FleetEntry } from "./fleet-file.js";

/** What has changed since a commit, in the working tree too. */
export interface GitChanges {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Those that no longer exist, with their former texts. */
  readonly deleted: ReadonlyMap<string, string>;
  /** Returns the text that a file had; undefined if it did not exist. */
  readonly textBefore: (path: string) => Promise<string | undefined>;
}

export interface Git {
  readonly root: string;
  /** What to do when a commit is missing. */
  readonly remedy: string;
  readonly run: (
    ...args: string[]
  ) => Promise<{ readonly ok: boolean; readonly text: string; readonly problem: string }>;
}

/** @param what what needs the history, for messages. @throws {CliError} when there is no repository */
export async function openGit(folder: string, what: string, io: Io): Promise<Git> {
  const env = createChildEnvironment("local", io.env, findCheckouts(process.cwd(), folder));
  const run: Git["run"] = async (...args) => {
    const config = ["core.fsmonitor=false", "core.quotePath=false", "core.hooksPath=/dev/null"];
    const words = [...config.flatMap((setting) => ["-c", setting]), ...args];
    const options = { cwd: folder, env, extendEnv: false, reject: false, stripFinalNewline: false } as const;
    const { exitCode, stdout, stderr, message = "" } = await execa("git", words, options);
    return { ok: exitCode === 0, text: stdout, problem: stderr.trim() || message };
  };
  const top = await run("rev-parse", "--show-toplevel");
  if (!top.ok)
    throw new CliError(
      `${what} needs the Git history of ${folder}: ${top.problem}`,
      "run it in a clone, with Git installed",
    );
  const isShallow = (await run("rev-parse", "--is-shallow-repository")).text.trim() === "true";
  const remedy = isShallow
    ? "This clone contains only a part of the history: fetch all of it (GitHub: fetch-depth: 0; GitLab: GIT_DEPTH: 0)"
    : "choose a commit, tag or branch of this clone, such as origin/main";
  return { root: top.text.trimEnd(), remedy, run };
}

/** @throws {CliError} when there is no repository, or the commit is not in its history */
export async function readGitChanges(file: string, ref: string, io: Io): Promise<GitChanges> {
  const option = `--changed-since ${ref}`;
  const { root, remedy, run: git } = await openGit(dirname(file), option, io);
  const refuse = (why: string) => new CliError(`${option} ${why}`, remedy);
  const base = await git("merge-base", "--end-of-options", ref, "HEAD");
  if (!base.ok) throw refuse("names no commit with a common history");
  const commit = base.text.trim();
  const listChanged = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
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
    textBefore: async (path) => await textOf(relative(resolveRealPath(root), path)),
  };
}

/** Runs some work with a fleet whose pinned entries have the files of their commits. @throws {CliError} without these commits */
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
  const root = resolveRealPath(git.root);
  const around = mkdtempSync(join(tmpdir(), "workspacectl-revisions-"));
  try {
    for (const commit of commits) {
      const folder = join(around, commit);
      const { ok, problem } = await git.run("worktree", "add", "--quiet", "--detach", folder, commit);
      if (!ok) throw new CliError(`revision ${commit} cannot be checked out: ${problem}`, git.remedy);
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
  throw new CliError(
    `${name} has a revision, so its state cannot be next to its files`,
    "set its backend in the fleet file, or PULUMI_BACKEND_URL",
  );
}
