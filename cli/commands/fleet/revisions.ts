/** Checks out the commits to which entries of a fleet are pinned, each in a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { resolveRealPath } from "../../../trust/checkout.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";
import { buildEnvironment } from "./child-process.js";
import type { Fleet, FleetEntry } from "./fleet-file.js";
import { openGit } from "./git.js";

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
