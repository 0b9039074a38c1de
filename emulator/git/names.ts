import { emptyValue } from "../errors.js";

/**
 * Which names a repository takes. Refs are files below the repository's folder and names in trees become files of whoever
 * clones it, so both are judged before anything is looked up or written.
 */
const encoder = new TextEncoder();
const bytes = (text: string): number => encoder.encode(text).length;

/** Half of a character: UTF-8 has no bytes for it, so another name would be stored. */
export const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const longestName = 255;
const longestPath = 4096;
const deepestPath = 100;

/** Whether a branch or tag may be called this: the rules of `git check-ref-format`, and what a file can be called. */
export function isRefName(name: string): boolean {
  if (name === "" || name === "@" || name.length > longestName || bytes(name) > longestName || !isWhole(name))
    return false;
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(name) || name.endsWith(".")) return false;
  return name
    .split("/")
    .every((part) => part !== "" && !part.startsWith(".") && !part.toLowerCase().endsWith(".lock"));
}

/** A path below the root, in its plain form. */
export function cleanPath(path: string): string {
  // Before anything else reads it: an expression could take long for a path of millions of slashes.
  if (path.length > longestPath) throw emptyValue("path");
  const plain = path.replace(/^\/+/, "").replace(/\/+$/, "");
  const parts = plain.split("/");
  const isDrive = /^[a-z]:/i.test(plain);
  if (isDrive || bytes(plain) > longestPath || parts.length > deepestPath || !parts.every(isFileName))
    throw emptyValue("path");
  return plain;
}

function isFileName(name: string): boolean {
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f\\]/.test(name) || !isWhole(name) || bytes(name) > longestName) return false;
  return name !== "" && name !== "." && name !== ".." && !isGitFolder(name);
}

/** `.git`, and whatever else the file systems of Windows and macOS take for it (Git's own check of a tree). */
function isGitFolder(name: string): boolean {
  const seen = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .replace(/:.*$/, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return seen === ".git" || seen === "git~1";
}
