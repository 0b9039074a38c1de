import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { refuseInCheckout } from "../../trust/programs.js";
import { cacheRoot, executables, isExecutable, onPath, realPath } from "./locations.js";
import { digestFile } from "./records.js";

/** File that may be a Pulumi CLI. */
export interface PulumiCandidate {
  way: "PULUMI_BIN" | "PATH";
  /** Path of the file, if there is one. */
  command?: string;
  /** Why there is none. */
  reason?: string;
  /** Whether the absence is normal. A PULUMI_BIN that leads nowhere is a mistake. */
  absent?: boolean;
}

const MOVE_CACHE =
  "Set WORKSPACECTL_CACHE to a folder outside of it, or XDG_CACHE_HOME. In GitLab CI, this is a folder outside of CI_PROJECT_DIR; " +
  "docs/install.md says how to keep it between jobs.";

/** @throws {TrustError} when the environment names a program, a cache or its digests in a checkout */
export function refuseUntrusted(env: NodeJS.ProcessEnv, checkouts: readonly string[]): void {
  refuseInCheckout("The cache of programs", cacheRoot(env), checkouts, MOVE_CACHE);
  const digests = digestFile(env);
  refuseInCheckout(
    "The list of digests",
    digests,
    checkouts,
    "Set WORKSPACECTL_DIGESTS to a file outside of it.",
  );
  const named = env["PULUMI_BIN"];
  if (named)
    refuseInCheckout("PULUMI_BIN", named, checkouts, "Install Pulumi outside of it, or unset PULUMI_BIN.");
}

/** Returns the CLIs of the user's own, in order of preference. */
export function pulumiCandidates(env: NodeJS.ProcessEnv): PulumiCandidate[] {
  return [fromVariable(env["PULUMI_BIN"]), fromPath(env)];
}

function fromVariable(value: string | undefined): PulumiCandidate {
  const way = "PULUMI_BIN";
  if (!value) return { way, reason: "not set", absent: true };
  const path = resolve(value);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { way, reason: `${path} does not exist` };
  const command = stats.isDirectory() ? join(path, executables.cli) : path;
  return isExecutable(command)
    ? { way, command }
    : { way, reason: `${command} does not exist or is not executable` };
}

function fromPath(env: NodeJS.ProcessEnv): PulumiCandidate {
  const command = onPath("pulumi", env);
  return command ? { way: "PATH", command } : { way: "PATH", reason: "no pulumi on PATH", absent: true };
}

/** Finds a companion program of a CLI: next to it, next to the target of its link, or on PATH. */
export function companion(name: string, command: string, env: NodeJS.ProcessEnv): string | undefined {
  const beside = [dirname(command), dirname(realPath(command))].map((folder) => join(folder, name));
  return beside.find(isExecutable) ?? onPath(name, env);
}
