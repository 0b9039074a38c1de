/** Remembers the version of a CLI of the user's own, because asking the CLI takes a quarter of a second. */
import { readFileSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listCacheFolders, describeFileState, resolvePath } from "./locations.js";

/** A smaller file is a launcher, which may start another version tomorrow. */
const LEAST_BYTES = 10_000_000n;

/** @param ask asks the CLI, unless its file is the one that was asked last */
export async function readKnownVersion(
  command: string,
  env: NodeJS.ProcessEnv,
  ask: () => Promise<string>,
): Promise<string> {
  const path = resolvePath(command);
  const stats = statSync(path, { bigint: true });
  if (stats.size < LEAST_BYTES) return ask();
  const state = `${path} ${describeFileState(stats)}`;
  const file = join(listCacheFolders(env).base, "asked-version.json");
  const last = read(file);
  if (last.state === state && typeof last.version === "string") return last.version;
  const version = await ask();
  try {
    await mkdir(dirname(file), { recursive: true });
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(file, JSON.stringify({ state, version }), { mode: 0o600 });
  } catch {
    // The next command asks again.
  }
  return version;
}

function read(file: string): { readonly state?: unknown; readonly version?: unknown } {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as object | null) ?? {};
  } catch {
    return {};
  }
}
