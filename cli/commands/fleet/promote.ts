/** Pins a workspace of a fleet to the commit that runs in another one. */
import { dirname } from "node:path";
import { isMap } from "yaml";
import { writeUserFiles } from "../../../automation/config-files/write-user-files.js";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { parseRunOrigin } from "../../../automation/run-origin.js";
import { openPulumi } from "../../../automation/stack/pulumi-project.js";
import { findStateStore } from "../../../automation/stack/state-store.js";
import { formatCount } from "../../../diff/format-count.js";
import { type Io, print } from "../../../reports/io.js";
import { printJson } from "../../../reports/output.js";
import { readVersion } from "../../../toolchain/locations.js";
import { resolveRealPath } from "../../../trust/checkout.js";
import { readText } from "../../../trust/checkout-files.js";
import {
  createPlainMeaning,
  insertKey,
  RawText,
  readPlain,
  replaceSlot,
  withPart,
} from "../../../workspace-file/edit/edit.js";
import type { PromoteOptions } from "./fleet-command.js";
import { type FleetEntry, readFleet } from "./fleet-file.js";
import { type Git, openGit } from "./git.js";
import { chooseEntry } from "./shards.js";
import { buildEnvironment } from "./workspace-command.js";

interface Running {
  readonly name: string;
  readonly commit: string;
  /** Date of the commit. */
  readonly date: string;
}

/** Writes the commit into the fleet file, for a pull request. Contacts no service. */
export async function promote(options: PromoteOptions, io: Io): Promise<number> {
  const { file, dryRun = false } = options;
  const { entries } = readFleet(file);
  const [from, to] = [chooseEntry(entries, options.from), chooseEntry(entries, options.to)];
  const git = await openGit(dirname(resolveRealPath(file)), "fleet promote", io);
  const commit = options.revision ?? from.revision ?? (await findRunningCommit(from, io));
  if (commit === undefined)
    throw new AutomationError(
      `the history of stack ${from.stack} does not say which commit runs in ${from.name}`,
      "apply it in a job of GitHub or GitLab, or choose the commit with --revision",
    );
  const source = await describeCommit(from.name, commit, git);
  const known = to.revision ?? (await findRunningCommit(to, io));
  const target = known === undefined ? undefined : await describeCommit(to.name, known, git);
  const behind = target && (await countBehind(target, source, git));
  const isNew = to.revision !== source.commit;
  if (isNew && !dryRun) pin(file, to.name, source.commit);
  if (options.json) {
    const tool = { name: "workspacectl", version: readVersion() };
    printJson(io, { version: 1, tool, from: source, to: target ?? null, ...behind, changed: isNew });
    return exitCodes.ok;
  }
  if (options.revision === undefined) print(io, `${source.name} runs ${formatCommit(source)}.`);
  else print(io, `The named commit is ${formatCommit(source)}.`);
  if (target !== undefined && behind !== undefined) {
    const age = `${formatCount(behind.commits, "commit")}, ${formatCount(behind.days, "day")} behind`;
    print(io, `${target.name} runs ${formatCommit(target)}: ${age}.`);
  }
  if (!isNew) print(io, `${file} already has that revision for ${to.name}.`);
  else if (dryRun) print(io, `${file} would get that revision for ${to.name}.`);
  else
    print(
      io,
      `${file} has that revision for ${to.name} now: "workspacectl fleet up --only ${to.name}" applies it.`,
    );
  return exitCodes.ok;
}

/** Finds the commit of the last successful update. */
async function findRunningCommit(entry: FleetEntry, io: Io): Promise<string | undefined> {
  const world = { ...io, env: buildEnvironment(entry, io.env) };
  const { cli, location } = await openPulumi(
    { file: entry.file, stack: entry.stack },
    { secrets: false },
    world,
  );
  const store = await findStateStore(location, cli.env);
  if (typeof store === "string") return undefined;
  for await (const { about } of store.runs())
    if (about.kind === "update" && about.result === "succeeded")
      return parseRunOrigin(about.message ?? "").commit;
  return undefined;
}

async function describeCommit(name: string, ref: string, git: Git): Promise<Running> {
  const { ok, text } = await git.run(
    "show",
    "-s",
    "--no-textconv",
    "--format=%H %cI",
    "--end-of-options",
    ref,
  );
  const [commit, date] = text.trim().split(" ");
  if (!ok || commit === undefined || date === undefined)
    throw new AutomationError(`${name}: there is no commit ${ref} in this clone`, git.remedy);
  return { name, commit, date };
}

const DAY_MS = 86_400_000;

async function countBehind(
  target: Running,
  source: Running,
  git: Git,
): Promise<{ commits: number; days: number }> {
  const { text } = await git.run("rev-list", "--count", `${target.commit}..${source.commit}`);
  const days = Math.floor((Date.parse(source.date) - Date.parse(target.date)) / DAY_MS);
  return { commits: Number(text.trim()), days: Math.max(0, days) };
}

function formatCommit({ commit, date }: Running): string {
  return `${commit.slice(0, 12)} (${date.slice(0, 10)})`;
}

/** Edits the file without changing anything else in it. */
function pin(file: string, name: string, revision: string): void {
  const before = readText(file, { named: true });
  const raw = new RawText(before);
  const find = (...keys: readonly string[]) => raw.find(["workspaces", ...keys].map((key) => ({ key })));
  const [all, entry, pinned] = [find(), find(name), find(name, "revision")];
  if (pinned !== undefined) replaceSlot(raw, pinned, revision);
  else if (isMap(entry?.node)) insertKey(raw, entry, "revision", revision);
  else if (entry?.node === null) replaceSlot(raw, entry, { revision });
  else if (entry === undefined && all !== undefined) insertKey(raw, all, name, { revision });
  else
    throw new AutomationError(
      `${file}: the entry ${name} is a YAML alias (*name), which this command cannot change`,
      `replace the alias with the settings themselves, and add revision: ${revision}`,
    );
  const expected = withPart(readPlain(before), ["workspaces", name, "revision"], revision);
  writeUserFiles([{ path: file, after: raw.text }], createPlainMeaning(file, expected));
}
