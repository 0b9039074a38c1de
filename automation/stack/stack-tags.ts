/** The tags of a stack, in which commands record what the state has no place for, such as the file it was applied from. */
import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { pickDefined } from "../../diff/values.js";
import { parseJsonIfValid } from "../config-files/checked-files.js";
import type { PulumiProjectFolder } from "./project.js";
import { type PulumiCli, runPulumi } from "./pulumi.js";
import { findStateStore } from "./state-store.js";

/** Version of Pulumi's file for the tags of a stack. */
const VERSION = 1;

export type StackTags = Readonly<Record<string, string | undefined>>;

/** Returns the named tags. A backend without tags has none. */
export async function readTags(cli: PulumiCli, stack: string, names: readonly string[]): Promise<StackTags> {
  const known = await openTags(cli).catch(() => undefined);
  if (known !== undefined) return known.tags;
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await runPulumi(cli, ["stack", "tag", "get", name, "--stack", stack]).catch(() => "");
      return [name, text.trim() || undefined] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** Sets tags, and removes those that are undefined. Ignores failures, because some backends do not support tags. */
export async function setTags(cli: PulumiCli, stack: string, tags: StackTags): Promise<void> {
  try {
    const known = await openTags(cli);
    const changed = Object.entries(tags).filter(([name, value]) => known?.tags[name] !== value);
    if (known !== undefined) {
      if (changed.length > 0) await known.write(pickDefined({ ...known.tags, ...tags }));
      return;
    }
    for (const [name, value] of Object.entries(tags)) {
      const words = value === undefined ? ["rm", name] : ["set", name, value];
      await runPulumi(cli, ["stack", "tag", ...words, "--stack", stack]).catch(() => undefined);
    }
  } catch {
    // The next run sets them.
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

const tagsFile = z.object({ version: z.number(), tags: z.record(z.string(), z.string()).nullish() });

function parseTags(text: string): { version?: number; tags?: Tags["tags"] | null | undefined } {
  return tagsFile.safeParse(parseJsonIfValid(text)).data ?? {};
}

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
