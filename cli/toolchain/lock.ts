import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import lockfile from "proper-lockfile";
import { ToolchainError, cancelled, errorLine } from "./errors.js";
import type { OnProgress } from "./types.js";

/** A lock that was not renewed for this long belongs to a process that has died. */
const STALE_MS = 15_000;
const POLL_MS = 300;

/** What the lock protects and how a waiting process behaves. */
export interface LockOptions<T> {
  /** Path that is locked. It need not exist. */
  path: string;
  /** What the other process does, for the message. */
  what: string;
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
  /** Called while waiting. A result makes the lock unnecessary. */
  finishedElsewhere: () => Promise<T | undefined>;
}

/** Runs `work` while no other process on this machine does, and waits for one that does. */
export async function withLock<T>(options: LockOptions<T>, work: () => Promise<T>): Promise<T> {
  await makeFolder(dirname(options.path));
  let isReported = false;
  for (;;) {
    if (options.signal?.aborted) throw cancelled();
    const release = await tryLock(options.path);
    if (release !== undefined) return await work().finally(release);
    const result = await options.finishedElsewhere();
    if (result !== undefined) return result;
    if (!isReported)
      options.onProgress({ kind: "waiting", text: `waiting for another process that ${options.what}` });
    isReported = true;
    await sleep(POLL_MS);
  }
}

/** Returns the function that releases the lock, or undefined when another process holds it. */
async function tryLock(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const release = await lockfile.lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: STALE_MS / 3,
      // Losing the lock (on a laptop that slept) does no harm, since finished entries are moved into place atomically.
      onCompromised: () => undefined,
    });
    return () => release().catch(() => undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOCKED") return undefined;
    throw unwritable(dirname(path), error);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function unwritable(folder: string, error: unknown): ToolchainError {
  return new ToolchainError(
    "cache-unwritable",
    `The cache folder ${folder} cannot be written (${errorLine(error)}). Make it writable, or set WORKSPACECTL_CACHE to a folder that is.`,
    { cause: error },
  );
}
