/** Checks of the toolchain for `doctor`. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { findCheckouts } from "../trust/checkout.js";
import { createChildEnvironment } from "../trust/child-environment.js";
import { TrustError } from "../trust/errors.js";
import { filterPath, findOnPath } from "../trust/programs.js";
import { startProgram } from "../trust/start-program.js";
import { findAccount, isWritable } from "./account.js";
import { readEntry } from "./cache.js";
import { digestFile, type EntryRecord, findPinnedArchive, IN_PACKAGE } from "./digests.js";
import { findInstalledCli, type InstalledCli, startSearch } from "./ensure-pulumi.js";
import { formatErrorLine } from "./errors.js";
import { CACHED_PROGRAMS, executables, listCacheFolders } from "./locations.js";
import { findCompanion, findResourcePlugin } from "./programs.js";
import type { ChildContext, ToolchainEvent } from "./types.js";
import {
  findVersionIn,
  isAtLeast,
  MINIMUM_NODE_VERSION,
  MINIMUM_PULUMI_VERSION,
  PULUMI_VERSION,
} from "./versions.js";

/** Result of one check of this machine or of the connection. */
export interface ToolchainCheck {
  name: string;
  /** `warning` is something that works, or will, but is worth knowing. */
  status: "ok" | "warning" | "missing";
  /** What was found and where. */
  found: string;
  /** What to do about it. Always set unless the status is ok. */
  remedy?: string;
}

export const createOkCheck = (name: string, found: string): ToolchainCheck => ({ name, status: "ok", found });
export const createWarningCheck = (name: string, found: string, remedy: string): ToolchainCheck => ({
  name,
  status: "warning",
  found,
  remedy,
});
export const createMissingCheck = (name: string, found: string, remedy: string): ToolchainCheck => ({
  ...createWarningCheck(name, found, remedy),
  status: "missing",
});

/** The CLI that `ensurePulumi` would use without installing or building one. */
type PresentCli = Pick<InstalledCli, "command" | "version">;

/** Checks the machine as `ensurePulumi` does, but installs and builds nothing. */
export async function inspect(
  env: NodeJS.ProcessEnv = process.env,
  checkouts = findCheckouts(process.cwd()),
): Promise<ToolchainCheck[]> {
  const context: ChildContext = { env: { ...env, PATH: filterPath(env, checkouts) }, checkouts };
  const node = await checkNode(context);
  const notes: ToolchainCheck[] = [];
  const onProgress = (event: ToolchainEvent) => notes.push(...describePassedOver(event));
  try {
    const search = startSearch({ env, checkouts, onProgress, languageHost: "optional" });
    const own = await findInstalledCli<PresentCli>(search, (cli) => cli);
    const { cli: folder } = listCacheFolders(env);
    const entry = await readEntry(folder, CACHED_PROGRAMS, env);
    const command = join(folder, "bin", executables.cli);
    const present = own ?? (entry && { command, version: entry.version });
    const cli = present
      ? createOkCheck("Pulumi CLI", `${present.version} at ${present.command}`)
      : createNotYetCheck("Pulumi CLI");
    return [
      node,
      checkAccount(),
      cli,
      ...notes,
      checkHost(present, context.env),
      checkResourcePlugin(present, context.env),
      checkCache(entry, env),
      checkDigest(entry, present, env),
    ];
  } catch (error) {
    if (!(error instanceof TrustError)) throw error;
    return [
      node,
      checkAccount(),
      createMissingCheck("checkout", "no program of it is used", formatErrorLine(error)),
    ];
  }
}

function checkAccount(): ToolchainCheck {
  const name = "account";
  const home = homedir();
  const user = findAccount()?.username ?? `user ${process.getuid?.()}, whom the system does not know`;
  const found = `${user}, home folder ${home}`;
  if (canWrite(home)) return createOkCheck(name, found);
  return createWarningCheck(
    name,
    `${found}, which cannot be written`,
    "set HOME to a folder that this user can write; or WORKSPACECTL_CACHE and PULUMI_HOME, and the token by WORKSPACE_AUTOMATION_TOKEN",
  );
}

/** Whether a folder can be written, or made. */
function canWrite(folder: string): boolean {
  return (
    isWritable(folder) || (!existsSync(folder) && folder !== dirname(folder) && canWrite(dirname(folder)))
  );
}

async function checkNode({ env, checkouts }: ChildContext): Promise<ToolchainCheck> {
  const name = "Node.js";
  const own = process.versions.node;
  const remedy = `install Node.js ${MINIMUM_NODE_VERSION} or later from https://nodejs.org and put it first on PATH`;
  if (!isAtLeast(own, MINIMUM_NODE_VERSION)) return createMissingCheck(name, `${own}, too old`, remedy);
  const path = findOnPath(process.platform === "win32" ? "node.exe" : "node", env);
  if (path === undefined || path === process.execPath)
    return createOkCheck(name, `${own} at ${process.execPath}`);
  // Pulumi starts `node` for the provider, which may be another one than the one that runs this.
  const place = { cwd: dirname(path), env: createChildEnvironment("local", env, checkouts) };
  const { stdout = "" } = await startProgram(path, ["--version"], place, { timeout: 20_000 });
  const other = findVersionIn(stdout);
  return other !== undefined && isAtLeast(other, MINIMUM_NODE_VERSION)
    ? createOkCheck(name, `${other} at ${path}`)
    : createMissingCheck(name, `${own} here, but PATH leads to ${other ?? "none"} at ${path}`, remedy);
}

/** Describes a CLI of the user's own that is there, but cannot be used. */
function describePassedOver(event: ToolchainEvent): ToolchainCheck[] {
  if (event.kind !== "passed-over" || event.absent) return [];
  const remedy =
    event.way === "PULUMI_BIN"
      ? "fix or unset PULUMI_BIN"
      : `update it to ${MINIMUM_PULUMI_VERSION} or later`;
  return [createWarningCheck(`Pulumi of ${event.way}`, `not used: ${event.text}`, remedy)];
}

/** Describes what is not there but will be downloaded by the first run. */
function createNotYetCheck(name: string): ToolchainCheck {
  return createWarningCheck(
    name,
    `none yet; ${PULUMI_VERSION} is downloaded on first use`,
    "nothing, if this machine may reach https://get.pulumi.com, or install Pulumi (https://www.pulumi.com/docs/install/)",
  );
}

function checkHost(cli: PresentCli | undefined, env: NodeJS.ProcessEnv): ToolchainCheck {
  const name = "Node.js language host";
  if (cli === undefined) return createNotYetCheck(name);
  const own = findCompanion(executables.languageHost, cli.command, env);
  if (own) return createOkCheck(name, own);
  return createWarningCheck(
    name,
    `${cli.command} has none next to it, so programs use a release that is downloaded`,
    "install Pulumi's complete release (https://www.pulumi.com/docs/install/)",
  );
}

function checkResourcePlugin(cli: PresentCli | undefined, env: NodeJS.ProcessEnv): ToolchainCheck {
  const name = "dynamic provider host";
  if (cli === undefined) return createNotYetCheck(name);
  const path = findResourcePlugin(cli.command, env, process.cwd());
  if (path !== undefined) return createOkCheck(name, path);
  return createWarningCheck(
    name,
    `${cli.command} has none next to it; programs with dynamic providers need it, workspace files do not`,
    "for such a program, install @pulumi/pulumi in its folder, or Pulumi's complete release (https://www.pulumi.com/docs/install/)",
  );
}

function checkCache(entry: EntryRecord | undefined, env: NodeJS.ProcessEnv): ToolchainCheck {
  const { cli, base } = listCacheFolders(env);
  const isUnknown = entry === undefined && existsSync(join(cli, "bin", executables.cli));
  const found = entry
    ? `Pulumi ${entry.version} (${entry.madeBy}, ${entry.madeAt.slice(0, 10)}) in ${cli}`
    : isUnknown
      ? `${cli} is not used: its digests are not in ${digestFile(env)}`
      : `empty, ${base}`;
  if (isUnknown)
    return createWarningCheck(
      "cache",
      found,
      "restore that file with the cache, or let WORKSPACECTL_DIGESTS name it (docs/install.md); otherwise, Pulumi is downloaded again",
    );
  if (canWrite(base)) return createOkCheck("cache", found);
  const remedy = "make it writable, or set WORKSPACECTL_CACHE to a folder that is";
  return createWarningCheck("cache", `${found}, which cannot be written`, remedy);
}

/** Tells what makes sure that the CLI is the one that Pulumi published. */
function checkDigest(
  entry: EntryRecord | undefined,
  present: PresentCli | undefined,
  env: NodeJS.ProcessEnv,
): ToolchainCheck {
  const name = "digest";
  if (present && dirname(present.command) !== join(listCacheFolders(env).cli, "bin"))
    return createOkCheck(name, "none needed: the CLI is your own installation, which is not checked");
  if (entry === undefined)
    return createOkCheck(
      name,
      `a download is checked against ${findPinnedArchive() ? IN_PACKAGE : "the list of digests that its release publishes"}`,
    );
  const [what, were] = entry.madeBy === "build" ? ["its sources", "were"] : ["its archive", "was"];
  return createOkCheck(
    name,
    `recorded on ${entry.madeAt.slice(0, 10)} in ${digestFile(env)}, after ${what} ${were} checked against ${entry.checkedAgainst}`,
  );
}
