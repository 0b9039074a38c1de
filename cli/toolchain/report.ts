import { dirname, join } from "node:path";
import { execa } from "execa";
import { createChildEnvironment } from "../../trust/child-environment.js";
import { findCheckouts } from "../../trust/checkout.js";
import { filterPath } from "../../trust/programs.js";
import { readEntry } from "./cache.js";
import { packagedResourcePlugin } from "./compose.js";
import { IN_PACKAGE, pinnedArchive } from "./digests.js";
import { errorLine } from "./errors.js";
import { companion, pulumiCandidates } from "./existing.js";
import { cacheFolders, executables, isExecutable, onPath } from "./locations.js";
import { pulumiVersion } from "./probe.js";
import { digestFile, type EntryRecord } from "./records.js";
import type { ChildContext } from "./types.js";
import { refuseUntrusted } from "./untrusted.js";
import {
  MINIMUM_NODE_VERSION,
  MINIMUM_PULUMI_VERSION,
  PULUMI_VERSION,
  isAtLeast,
  versionIn,
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

export const okCheck = (name: string, found: string): ToolchainCheck => ({ name, status: "ok", found });
export const warningCheck = (name: string, found: string, remedy: string): ToolchainCheck => ({
  name,
  status: "warning",
  found,
  remedy,
});
export const missingCheck = (name: string, found: string, remedy: string): ToolchainCheck => ({
  ...warningCheck(name, found, remedy),
  status: "missing",
});

/** The CLI that `ensurePulumi` would use without installing or building one. */
interface PresentCli {
  command: string;
  version: string;
}

/** Checks the machine as `ensurePulumi` does, but installs and builds nothing. */
export async function inspect(
  env: NodeJS.ProcessEnv = process.env,
  checkouts = findCheckouts(process.cwd()),
): Promise<ToolchainCheck[]> {
  const context: ChildContext = { env: { ...env, PATH: filterPath(env, checkouts) }, checkouts };
  const node = await checkNode(context);
  try {
    refuseUntrusted(env, checkouts);
  } catch (error) {
    return [node, missingCheck("checkout", "no program of it is used", errorLine(error))];
  }
  const [{ present, notes }, entry] = await Promise.all([presentCli(context), cachedCli(env)]);
  const cli = present
    ? okCheck("Pulumi CLI", `${present.version} at ${present.command}`)
    : notYet("Pulumi CLI");
  return [
    node,
    cli,
    ...notes,
    checkHost(present, context.env),
    checkResourcePlugin(present, context.env),
    checkCache(entry, env),
    checkDigest(entry, present, env),
  ];
}

const cachedCli = (env: NodeJS.ProcessEnv) =>
  readEntry(cacheFolders(env).cli, Object.values(executables), env);

async function checkNode({ env, checkouts }: ChildContext): Promise<ToolchainCheck> {
  const name = "Node.js";
  const own = process.versions.node;
  const remedy = `install Node.js ${MINIMUM_NODE_VERSION} or later from https://nodejs.org and put it first on PATH`;
  if (!isAtLeast(own, MINIMUM_NODE_VERSION)) return missingCheck(name, `${own}, too old`, remedy);
  const path = onPath(process.platform === "win32" ? "node.exe" : "node", env);
  if (path === undefined || path === process.execPath) return okCheck(name, `${own} at ${process.execPath}`);
  // Pulumi starts `node` for the provider, which may be another one than the one that runs this.
  const options = { extendEnv: false, reject: false, timeout: 20_000 } as const;
  const children = createChildEnvironment("local", env, checkouts);
  const { stdout = "" } = await execa(path, ["--version"], { env: children, ...options });
  const other = versionIn(stdout);
  return other !== undefined && isAtLeast(other, MINIMUM_NODE_VERSION)
    ? okCheck(name, `${other} at ${path}`)
    : missingCheck(name, `${own} here, but PATH leads to ${other ?? "none"} at ${path}`, remedy);
}

async function presentCli(context: ChildContext): Promise<{ present?: PresentCli; notes: ToolchainCheck[] }> {
  const { env } = context;
  const notes: ToolchainCheck[] = [];
  for (const { way, command, reason, absent } of pulumiCandidates(env)) {
    if (absent) continue;
    const { version, problem } =
      command === undefined ? { problem: reason } : await examine(command, context);
    if (command !== undefined && version !== undefined) return { present: { command, version }, notes };
    const remedy =
      way === "PULUMI_BIN" ? "fix or unset PULUMI_BIN" : `update it to ${MINIMUM_PULUMI_VERSION} or later`;
    notes.push(warningCheck(`Pulumi of ${way}`, `not used: ${problem}`, remedy));
  }
  const entry = await cachedCli(env);
  if (entry === undefined) return { notes };
  const command = join(cacheFolders(env).cli, "bin", executables.cli);
  return { present: { command, version: entry.version }, notes };
}

/** Returns the version of a CLI of the user's own, or why it cannot be used. */
async function examine(
  command: string,
  context: ChildContext,
): Promise<{ version?: string; problem?: string }> {
  try {
    const version = await pulumiVersion(command, context);
    return isAtLeast(version, MINIMUM_PULUMI_VERSION)
      ? { version }
      : { problem: `${command} is ${version}, too old` };
  } catch (error) {
    return { problem: errorLine(error) };
  }
}

/** Describes what is not there but will be downloaded by the first run. */
function notYet(name: string): ToolchainCheck {
  return warningCheck(
    name,
    `none yet; ${PULUMI_VERSION} is downloaded on first use`,
    "nothing, if this machine may reach https://get.pulumi.com, or install Pulumi (https://www.pulumi.com/docs/install/)",
  );
}

function checkHost(cli: PresentCli | undefined, env: NodeJS.ProcessEnv): ToolchainCheck {
  const name = "Node.js language host";
  if (cli === undefined) return notYet(name);
  const own = companion(executables.languageHost, cli.command, env);
  if (own) return okCheck(name, own);
  return warningCheck(
    name,
    `${cli.command} has none next to it, so programs use a release that is downloaded`,
    "install Pulumi's complete release (https://www.pulumi.com/docs/install/)",
  );
}

function checkResourcePlugin(cli: PresentCli | undefined, env: NodeJS.ProcessEnv): ToolchainCheck {
  const name = "dynamic provider host";
  const remedy = "run `npm install` again";
  try {
    const own = cli && companion(executables.resourcePlugin, cli.command, env);
    const path = own ?? packagedResourcePlugin();
    return isExecutable(path) ? okCheck(name, path) : missingCheck(name, `${path} does not exist`, remedy);
  } catch (error) {
    return missingCheck(name, errorLine(error), remedy);
  }
}

function checkCache(entry: EntryRecord | undefined, env: NodeJS.ProcessEnv): ToolchainCheck {
  const { cli, base } = cacheFolders(env);
  const found = entry
    ? `Pulumi ${entry.version} (${entry.madeBy}, ${entry.madeAt.slice(0, 10)}) in ${cli}`
    : `empty, ${base}`;
  return okCheck("cache", found);
}

/** Tells what makes sure that the CLI is the one that Pulumi published. */
function checkDigest(
  entry: EntryRecord | undefined,
  present: PresentCli | undefined,
  env: NodeJS.ProcessEnv,
): ToolchainCheck {
  const name = "digest";
  if (present && dirname(present.command) !== join(cacheFolders(env).cli, "bin"))
    return okCheck(name, "none needed: the CLI is your own installation, which is not checked");
  if (entry === undefined)
    return okCheck(
      name,
      `a download is checked against ${pinnedArchive() ? IN_PACKAGE : "the list of digests that its release publishes"}`,
    );
  const [what, were] = entry.madeBy === "build" ? ["its sources", "were"] : ["its archive", "was"];
  return okCheck(
    name,
    `recorded on ${entry.madeAt.slice(0, 10)} in ${digestFile(env)}, after ${what} ${were} checked against ${entry.checkedAgainst}`,
  );
}
