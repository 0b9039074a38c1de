/** Rules for names of branches and tags, and for paths. */
import { createEmptyValueError } from "../errors.js";

/**
 * Rules for names in a repository. Refs are files below the repository's folder, and names in trees become files of
 * everyone who clones it. Both are therefore checked before any lookup or write.
 */

const countBytes = (text: string): number => Buffer.byteLength(text);

/** Reports whether a text has no lone surrogate. UTF-8 cannot encode one, so another name would be stored. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const maxNameBytes = 255;
const maxPathBytes = 4096;
const maxPathDepth = 100;

/**
 * Reports whether a name is valid for a branch or a tag: the rules of `git check-ref-format` and those of file names.
 */
export function isRefName(name: string): boolean {
  if (
    name === "" ||
    name === "@" ||
    name.length > maxNameBytes ||
    countBytes(name) > maxNameBytes ||
    !isWellFormed(name)
  )
    return false;
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(name) || name.endsWith(".")) return false;
  return name
    .split("/")
    .every((part) => part !== "" && !part.startsWith(".") && !part.toLowerCase().endsWith(".lock"));
}

/** Returns a path below the root in canonical form. @throws ServiceError for an invalid path. */
export function cleanPath(path: string): string {
  // Checked first: a regular expression could take long on a path of millions of slashes.
  if (path.length > maxPathBytes) throw createEmptyValueError("path");
  const plain = path.replace(/^\/+/, "").replace(/\/+$/, "");
  const parts = plain.split("/");
  const isDrive = /^[a-z]:/i.test(plain);
  if (isDrive || countBytes(plain) > maxPathBytes || parts.length > maxPathDepth || !parts.every(isFileName))
    throw createEmptyValueError("path");
  return plain;
}

function isFileName(name: string): boolean {
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f\\]/.test(name) || !isWellFormed(name) || countBytes(name) > maxNameBytes) return false;
  return name !== "" && name !== "." && name !== ".." && !isGitFolder(name);
}

/** Reports whether the file systems of Windows or macOS take a name for `.git` (Git's own check of a tree). */
function isGitFolder(name: string): boolean {
  const effective = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .replace(/:.*$/, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return effective === ".git" || effective === "git~1";
}
