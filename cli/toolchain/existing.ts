import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { executables, isExecutable, onPath, realPath } from "./locations.js";

/** Something that may be a Pulumi CLI, not yet run. */
export interface PulumiCandidate {
  way: "PULUMI_BIN" | "PATH";
  /** Where it is; undefined when there is nothing. */
  command?: string;
  /** Why there is nothing. */
  reason?: string;
  /** Whether nothing is all there could be expected; a PULUMI_BIN that leads nowhere is a mistake. */
  absent?: boolean;
}

/** The CLIs of the user's own, in order. */
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
    : { way, reason: `${command} is not there or may not be run` };
}

function fromPath(env: NodeJS.ProcessEnv): PulumiCandidate {
  const command = onPath("pulumi", env);
  return command ? { way: "PATH", command } : { way: "PATH", reason: "no pulumi on PATH", absent: true };
}

/** A companion of a CLI: beside it, beside what it is a link to, or else on PATH. */
export function companion(name: string, command: string, env: NodeJS.ProcessEnv): string | undefined {
  const beside = [dirname(command), dirname(realPath(command))].map((folder) => join(folder, name));
  return beside.find(isExecutable) ?? onPath(name, env);
}
