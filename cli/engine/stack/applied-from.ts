/** Records which workspace file a stack was last applied from, as a tag of the stack. */
import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { PulumiProjectFolder } from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";
import { findStateStore } from "./state-store.js";

const TAG = "workspacectl:file";
/** Version of Pulumi's file for the tags of a stack. */
const VERSION = 1;

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
  const known = await openTags(cli).catch(() => undefined);
  if (known !== undefined) return known.tags[TAG];
  const text = await runPulumi(cli, ["stack", "tag", "get", TAG, "--stack", stack]).catch(() => "");
  return text.trim() || undefined;
}

/** Ignores failures, because some backends do not support tags. */
export async function noteAppliedFrom(cli: PulumiCli, stack: string, file: string): Promise<void> {
  try {
    const known = await openTags(cli);
    if (known === undefined) await runPulumi(cli, ["stack", "tag", "set", TAG, file, "--stack", stack]);
    else if (known.tags[TAG] !== file) await known.write({ ...known.tags, [TAG]: file });
  } catch {
    // The next run sets it.
  }
}

interface Tags {
  readonly tags: Readonly<Record<string, string | undefined>>;
  write(tags: Tags["tags"]): Promise<void>;
}

/** The tags, where they are a file that we can read. The CLI takes a third of a second. */
async function openTags({ location, env }: PulumiCli): Promise<Tags | undefined> {
  const store = location && (await findStateStore(location, env));
  if (store === undefined || typeof store === "string") return undefined;
  const write = (tags: Tags["tags"]) => store.writeTags(JSON.stringify({ version: VERSION, tags }));
  const text = await store.readTags();
  if (text === undefined) return { tags: {}, write };
  const { version, tags } = parseTags(text);
  return version === VERSION ? { tags: tags ?? {}, write } : undefined;
}

function parseTags(text: string): { version?: number; tags?: Tags["tags"] } {
  try {
    return JSON.parse(text) as ReturnType<typeof parseTags>;
  } catch {
    return {};
  }
}
