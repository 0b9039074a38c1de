/** What to do about a place that cannot be written, by the words of the operating system. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";

export interface WriteFailure {
  /** Such as `a disk is full`. */
  readonly what: string;
  readonly remedy: string;
}

const KINDS: readonly (readonly [pattern: RegExp, failure: WriteFailure])[] = [
  [
    /ENOSPC|EDQUOT|no space left on device|disk quota exceeded|not enough space on the disk/i,
    { what: "a disk is full", remedy: "free up space there, and run the command again" },
  ],
  [
    /EROFS|read-only file system/i,
    {
      what: "a folder can only be read",
      remedy: "mount it for writing, or move the state, and run the command again",
    },
  ],
  [
    /(?:EACCES|EPERM)\b[^,]*, (?:open|mkdir|rename|copyfile|unlink|access)\b|\b(?:open|mkdir|rename|create|remove|unlink) \S+: permission denied/i,
    {
      what: "this user may not write a file or a folder",
      remedy: "give this user access to it, and run the command again",
    },
  ],
];

/** @returns undefined for any other message */
export function explainWriteFailure(message: string): WriteFailure | undefined {
  return KINDS.find(([pattern]) => pattern.test(message))?.[1];
}

/** Why a path cannot be written. Node.js calls a folder missing that it cannot make in a place that can only be read. */
export function describeWriteError(
  path: string,
  error: Error,
  access: (place: string, mode: number) => void = accessSync,
): string {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") return error.message;
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    access(place, constants.W_OK);
    return error.message;
  } catch (cause) {
    return (cause as Error).message;
  }
}
