/** Locks between processes of this machine. */
import lockfile from "proper-lockfile";

/** A lock that was not renewed for this long belongs to a process that has died. */
const STALE_MS = 15_000;

/** Returns the function that releases the lock of a path, or undefined when another process holds it. */
export async function tryLock(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const release = await lockfile.lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: STALE_MS / 3,
      // Losing the lock (on a laptop that slept) does no harm, since everything is moved into place atomically.
      onCompromised: () => undefined,
    });
    return () => release().catch(() => undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOCKED") return undefined;
    throw error;
  }
}
