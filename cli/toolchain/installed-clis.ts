/** Finds the Pulumi CLIs that a user has installed. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  executables,
  findLibraryRoot,
  findPulumiSdk,
  isExecutable,
  onPath,
  resolvePath,
} from "./locations.js";

/** File that may be a Pulumi CLI. */
export interface PulumiCandidate {
  way: "PULUMI_BIN" | "PATH";
  /** Path of the file, if there is one. */
  command?: string;
  /** Why there is none. */
  reason?: string;
  /** Whether the absence is normal. A PULUMI_BIN that does not exist is a mistake. */
  absent?: boolean;
}

/** Returns the CLIs of the user's own, in order of preference. */
export function listPulumiCandidates(env: NodeJS.ProcessEnv): PulumiCandidate[] {
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
export function findCompanion(name: string, command: string, env: NodeJS.ProcessEnv): string | undefined {
  const beside = [dirname(command), dirname(resolvePath(command))].map((folder) => join(folder, name));
  return beside.find(isExecutable) ?? onPath(name, env);
}

/**
 * Finds the program that runs dynamic providers: next to the CLI, as Pulumi's release contains it, or else in the @pulumi/pulumi of the
 * user's program or next to this package. Work on workspace files does not need it.
 */
export function findResourcePlugin(
  command: string,
  env: NodeJS.ProcessEnv,
  program?: string,
): string | undefined {
  const name = executables.resourcePlugin;
  const findInSdk = (folder: string | undefined) => {
    const file = join((folder && findPulumiSdk(folder)) ?? "", name);
    return isExecutable(file) ? file : undefined;
  };
  return findCompanion(name, command, env) ?? findInSdk(program) ?? findInSdk(findLibraryRoot());
}
