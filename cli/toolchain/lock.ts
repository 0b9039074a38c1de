import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import lockfile from "proper-lockfile";
import { ToolchainError, errorLine } from "./errors.js";
import type { OnProgress } from "./types.js";

/** A holder that has not been heard of for so long is taken for dead. */
const STALE_MS = 15_000;
const POLL_MS = 300;

/** What the lock guards and how a waiting process behaves. */
export interface LockOptions<T> {
  /** The path that is locked; it need not exist. */
  path: string;
  /** What the wait is for, for the message. */
  what: string;
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
  /** Asked while waiting: a result here makes the lock needless. */
  finishedElsewhere: () => Promise<T | undefined>;
}

/** Runs `work` while no other process on this machine does the same; waits for one that is at it. */
export async function withLock<T>(options: LockOptions<T>, work: () => Promise<T>): Promise<T> {
  await makeFolder(dirname(options.path));
  let told = false;
  for (;;) {
    if (options.signal?.aborted) throw new ToolchainError("cancelled", "Cancelled.");
    const release = await tryLock(options.path);
    if (release !== undefined) return await work().finally(release);
    const result = await options.finishedElsewhere();
    if (result !== undefined) return result;
    if (!told)
      options.onProgress({ kind: "waiting", text: `waiting for another process that ${options.what}` });
    told = true;
    await sleep(POLL_MS);
  }
}

/** The release function, or undefined when somebody else holds the lock. */
async function tryLock(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const release = await lockfile.lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: STALE_MS / 3,
      // Losing the lock (a laptop that slept) does no harm: finished work is moved into place at once, whoever is first.
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
