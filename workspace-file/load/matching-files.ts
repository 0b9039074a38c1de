/** Finds the files that match a pattern. Links are followed as far as the folders allow that may be read. */
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, posix, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { resolveRealPath } from "../../trust/checkout.js";
import type { ReadableFolders } from "../../trust/checkout-files.js";

/**
 * Returns the files that match a pattern, relative to a folder and sorted.
 * @param others files that are not on disk, by absolute path
 * @throws {TrustError} when the pattern, or a folder that is a link, is outside of the folders that may be read
 */
export function findMatchingFiles(
  pattern: string,
  folder: string,
  folders: ReadableFolders,
  others: Iterable<string> = [],
): string[] {
  const { base, glob, negated } = picomatch.scan(pattern);
  const start = resolve(folder, base);
  // Searching a folder that may not be read would show what is in it, and could take for ever.
  folders.check(start, pattern, start);
  if (negated || glob === "") return [];
  if (glob.includes("..")) throw folders.createOutsideError(resolve(start, glob), pattern, start);
  const matches = picomatch(glob);
  // Only `**` stands for any number of folders.
  const depth = glob.includes("**") ? Infinity : glob.split("/").length;
  const found = [
    ...listFilesIn(start, depth, (path) => folders.check(join(start, path), posix.join(base, path))),
  ];
  const further = [...others].map((file) => relative(start, file).split(sep).join("/"));
  const paths = [...found, ...further].filter((path) => matches(path));
  return [...new Set(paths)].map((path) => posix.join(base, path)).toSorted();
}

/**
 * Yields the files in a folder, relative to it, without hidden ones.
 * @param check throws when a link must not be followed
 */
function* listFilesIn(start: string, depth: number, check: (path: string) => void): Generator<string> {
  yield* inFolder("", depth, [resolveRealPath(start)]);

  function* inFolder(path: string, left: number, above: readonly string[]): Generator<string> {
    for (const entry of readEntries(join(start, path))) {
      const inner = posix.join(path, entry.name);
      if (entry.name.startsWith(".")) continue;
      const isLink = entry.isSymbolicLink();
      if (!entry.isDirectory() && !(isLink && isFolder(join(start, inner)))) {
        yield inner;
        continue;
      }
      if (left <= 1) continue;
      if (isLink) check(inner);
      const real = resolveRealPath(join(start, inner));
      // A link to a folder above would be followed without end.
      if (!above.includes(real)) yield* inFolder(inner, left - 1, [...above, real]);
    }
  }
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It does not exist, is a file, or belongs to somebody else.
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
