/** Records which workspace file a stack was last applied from, as a tag of the stack. */
import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { PulumiProjectFolder } from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

const TAG = "workspacectl:file";

/** Identifies the file on any machine, relative to the project; undefined for standard input. */
export function fileIdentity(
  file: string,
  { root, own }: Pick<PulumiProjectFolder, "root" | "own">,
): string | undefined {
  if (file === "-") return undefined;
  const folder = own ? dirname(root) : root;
  const path = relative(folder, resolve(file)).split(sep).join("/");
  return existsSync(file) && statSync(file).isDirectory() ? `${path}/` : path;
}

export async function readAppliedFrom(cli: PulumiCli, stack: string): Promise<string | undefined> {
  const text = await runPulumi(cli, ["stack", "tag", "get", TAG, "--stack", stack]).catch(() => "");
  return text.trim() || undefined;
}

/** Ignores failures, because some backends do not support tags. */
export async function noteAppliedFrom(cli: PulumiCli, stack: string, file: string): Promise<void> {
  await runPulumi(cli, ["stack", "tag", "set", TAG, file, "--stack", stack]).catch(() => undefined);
}
