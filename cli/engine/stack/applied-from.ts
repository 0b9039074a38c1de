/** Records which workspace file a stack was last applied from, as a tag of the stack. */
import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { PulumiProjectFolder } from "./project.js";
import type { PulumiCli } from "./pulumi.js";
import { readTags } from "./stack-tags.js";

export const FILE_TAG = "workspacectl:file";

/** Identifies the file on any machine, relative to the project; undefined for standard input. */
export function identifyFile(
  file: string,
  { root, own }: Pick<PulumiProjectFolder, "root" | "own">,
): string | undefined {
  if (file === "-") return undefined;
  const folder = own ? dirname(root) : root;
  const path = relative(folder, resolve(file)).split(sep).join("/");
  return existsSync(file) && statSync(file).isDirectory() ? `${path}/` : path;
}

export async function readAppliedFrom(cli: PulumiCli, stack: string): Promise<string | undefined> {
  return (await readTags(cli, stack, [FILE_TAG]))[FILE_TAG];
}
