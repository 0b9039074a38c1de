import { join } from "node:path";
import { execa } from "execa";
import { readEntry } from "./cache.js";
import { packagedResourcePlugin } from "./compose.js";
import { errorLine } from "./errors.js";
import { pulumiCandidates, companion } from "./existing.js";
import { goOnPath } from "./gobuild.js";
import { cacheFolders, executables, isExecutable, onPath } from "./locations.js";
import { pulumiVersion } from "./probe.js";
import {
  LANGUAGE_HOST_SDK_VERSION,
  MINIMUM_NODE_VERSION,
  MINIMUM_PULUMI_VERSION,
  PULUMI_VERSION,
  isAtLeast,
  versionIn,
} from "./versions.js";

/** One thing that was looked at. */
export interface ToolchainCheck {
  name: string;
  /** `warning` is something that works, or will, but is worth knowing. */
  status: "ok" | "warning" | "missing";
  /** What was found and where. */
  found: string;
  /** What to do about it; always there unless the status is ok. */
  remedy?: string;
}

/** The CLI that `ensurePulumi` would use without making anything. */
interface PresentCli {
  command: string;
  version: string;
}

/** Looks at the machine as `ensurePulumi` does, but makes and downloads nothing. */
export async function inspect(env: NodeJS.ProcessEnv = process.env): Promise<ToolchainCheck[]> {
  const [cli, go] = await Promise.all([presentCli(env), goOnPath(env)]);
  return [
    await nodeFinding(env),
    cliFinding(cli, go !== undefined),
    ...cli.notes,
    await languageHostFinding(cli.present, go !== undefined, env),
    resourcePluginFinding(cli.present, env),
    goFinding(go, cli.present !== undefined),
    await cacheFinding(env),
  ];
}

async function nodeFinding(env: NodeJS.ProcessEnv): Promise<ToolchainCheck> {
  const name = "Node.js";
  const own = process.versions.node;
  const remedy = `install Node.js ${MINIMUM_NODE_VERSION} or later from https://nodejs.org and put it first on PATH`;
  if (!isAtLeast(own, MINIMUM_NODE_VERSION))
    return { name, status: "missing", found: `${own}, too old`, remedy };
  const path = onPath(process.platform === "win32" ? "node.exe" : "node", env);
  if (path === undefined || path === process.execPath)
    return { name, status: "ok", found: `${own} at ${process.execPath}` };
  // Pulumi starts `node` for the provider; it may be another than the one that runs this.
  const other = versionIn(
    (await execa(path, ["--version"], { env, reject: false, timeout: 20_000 })).stdout ?? "",
  );
  if (other === undefined || !isAtLeast(other, MINIMUM_NODE_VERSION)) {
    return {
      name,
      status: "missing",
      found: `${own} here, but PATH leads to ${other ?? "none"} at ${path}`,
      remedy,
    };
  }
  return { name, status: "ok", found: `${other} at ${path}` };
}

async function presentCli(
  env: NodeJS.ProcessEnv,
): Promise<{ present?: PresentCli; notes: ToolchainCheck[] }> {
  const notes: ToolchainCheck[] = [];
  for (const { way, command, reason, absent } of pulumiCandidates(env)) {
    if (absent) continue;
    const { version, problem } = command === undefined ? { problem: reason } : await examine(command);
    if (command !== undefined && version !== undefined) return { present: { command, version }, notes };
    const remedy =
      way === "PULUMI_BIN" ? "mend or unset PULUMI_BIN" : `update it to ${MINIMUM_PULUMI_VERSION} or later`;
    notes.push({ name: `Pulumi of ${way}`, status: "warning", found: `not used: ${problem}`, remedy });
  }
  const { cli } = cacheFolders(env);
  const entry = await readEntry(cli, Object.values(executables));
  if (entry === undefined) return { notes };
  return { present: { command: join(cli, "bin", executables.cli), version: entry.version }, notes };
}

/** The version of a CLI of the user's own, or what is wrong with it. */
async function examine(command: string): Promise<{ version?: string; problem?: string }> {
  try {
    const version = await pulumiVersion(command);
    return isAtLeast(version, MINIMUM_PULUMI_VERSION)
      ? { version }
      : { problem: `${command} is ${version}, too old` };
  } catch (error) {
    return { problem: errorLine(error) };
  }
}

function cliFinding({ present }: { present?: PresentCli }, haveGo: boolean): ToolchainCheck {
  const name = "Pulumi CLI";
  if (present) return { name, status: "ok", found: `${present.version} at ${present.command}` };
  return notYet(name, haveGo);
}

/** What is not there but will be made at the first run; that can fail without Go, which is then a thing to mend. */
function notYet(name: string, haveGo: boolean): ToolchainCheck {
  const found = `none yet; ${PULUMI_VERSION} is fetched or built when it is needed first`;
  const install = "install Pulumi (https://www.pulumi.com/docs/install/)";
  if (haveGo) return { name, status: "warning", found, remedy: `nothing, or ${install}` };
  return {
    name,
    status: "missing",
    found,
    remedy: `${install} or Go 1.25 (https://go.dev/dl/), or allow https://get.pulumi.com`,
  };
}

async function languageHostFinding(
  cli: PresentCli | undefined,
  haveGo: boolean,
  env: NodeJS.ProcessEnv,
): Promise<ToolchainCheck> {
  const name = "Node.js language host";
  if (cli === undefined) return notYet(name, haveGo);
  const own = companion(executables.languageHost, cli.command, env);
  if (own) return { name, status: "ok", found: own };
  const folder = cacheFolders(env).languageHost;
  if (await readEntry(folder, [executables.languageHost])) {
    return { name, status: "ok", found: join(folder, "bin", executables.languageHost) };
  }
  const found = `${cli.command} has none beside it; ${LANGUAGE_HOST_SDK_VERSION} is built when it is needed first`;
  const remedy = "install Pulumi's complete release (https://www.pulumi.com/docs/install/)";
  return {
    name,
    status: haveGo ? "warning" : "missing",
    found,
    remedy: haveGo ? remedy : `${remedy}, or Go 1.25`,
  };
}

function resourcePluginFinding(cli: PresentCli | undefined, env: NodeJS.ProcessEnv): ToolchainCheck {
  const name = "dynamic provider host";
  try {
    const own = cli && companion(executables.resourcePlugin, cli.command, env);
    const path = own ?? packagedResourcePlugin();
    if (isExecutable(path)) return { name, status: "ok", found: path };
    return { name, status: "missing", found: `${path} is not there`, remedy: "run `npm install` again" };
  } catch (error) {
    return { name, status: "missing", found: errorLine(error), remedy: "run `npm install` again" };
  }
}

function goFinding(go: { path: string; version: string } | undefined, haveCli: boolean): ToolchainCheck {
  const name = "Go";
  if (go) return { name, status: "ok", found: `${go.version} at ${go.path}` };
  if (haveCli) return { name, status: "ok", found: "none, and none is needed" };
  const remedy = "install Go 1.25 or later (https://go.dev/dl/), unless get.pulumi.com can be reached";
  return { name, status: "warning", found: "none on PATH", remedy };
}

async function cacheFinding(env: NodeJS.ProcessEnv): Promise<ToolchainCheck> {
  const { cli, base } = cacheFolders(env);
  const entry = await readEntry(cli, Object.values(executables));
  const found = entry
    ? `Pulumi ${entry.version} (${entry.madeBy}, ${entry.madeAt.slice(0, 10)}) in ${cli}`
    : `empty, ${base}`;
  return { name: "cache", status: "ok", found };
}
