/** Compares two trees of a repository. */
import type { TreeEntry } from "isomorphic-git";
import type { Repository } from "./repository.js";

/** Change of one file in a commit. */
export interface FileChange {
  file_name: string;
  status: "ADDED" | "MODIFIED" | "REPLACED" | "DELETED";
  additions: number;
  deletions: number;
  total: number;
  patch: string;
}

/** Compares two trees and returns the files that differ, with patches. */
export async function diffTrees(
  repository: Repository,
  before: string | undefined,
  after: string,
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  await walk(repository, before, after, "", changes);
  return changes.sort((a, b) => (a.file_name < b.file_name ? -1 : 1));
}

async function walk(
  repository: Repository,
  before: string | undefined,
  after: string | undefined,
  folder: string,
  changes: FileChange[],
): Promise<void> {
  const [old, now] = await Promise.all(
    [before, after].map(async (oid) => (oid === undefined ? [] : repository.tree(oid))),
  );
  const names = new Set([...(old ?? []), ...(now ?? [])].map((entry) => entry.path));
  for (const name of names) {
    const a = old?.find((entry) => entry.path === name);
    const b = now?.find((entry) => entry.path === name);
    if (a?.oid === b?.oid && a?.mode === b?.mode) continue;
    const path = folder + name;
    const [treeA, treeB] = [a, b].map((entry) => (entry?.type === "tree" ? entry.oid : undefined));
    if (treeA !== undefined || treeB !== undefined) await walk(repository, treeA, treeB, `${path}/`, changes);
    const [fileA, fileB] = [a, b].map((entry) => (entry?.type === "tree" ? undefined : entry));
    if (fileA === undefined && fileB === undefined) continue;
    const contents = await Promise.all([readContent(repository, fileA), readContent(repository, fileB)]);
    const patch = await createPatchOf(path, ...contents);
    changes.push({ file_name: path, status: getStatus(fileA, fileB), ...patch });
  }
}

function getStatus(before: TreeEntry | undefined, after: TreeEntry | undefined): FileChange["status"] {
  if (before === undefined) return "ADDED";
  if (after === undefined) return "DELETED";
  // A file that becomes a link, a submodule or executable is a different object with the same name.
  return before.mode === after.mode ? "MODIFIED" : "REPLACED";
}

async function readContent(repository: Repository, entry: TreeEntry | undefined): Promise<Uint8Array> {
  if (entry === undefined) return new Uint8Array();
  if (entry.type === "commit") return new TextEncoder().encode(`Subproject commit ${entry.oid}\n`);
  return repository.blob(entry.oid);
}

function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, 8000).includes(0);
}

async function createPatchOf(
  path: string,
  a: Uint8Array,
  b: Uint8Array,
): Promise<Omit<FileChange, "file_name" | "status">> {
  if (isBinary(a) || isBinary(b)) {
    return { additions: 0, deletions: 0, total: 0, patch: `Binary files a/${path} and b/${path} differ\n` };
  }
  const { formatPatch, structuredPatch } = await import("diff");
  const [before, after] = [a, b].map((content) => new TextDecoder().decode(content));
  const names = [`a/${path}`, `b/${path}`] as const;
  // Limits the comparison, whose time grows with the square of the edits. Beyond the limit the patch replaces the
  // whole file.
  const patch =
    structuredPatch(...names, before ?? "", after ?? "", undefined, undefined, { maxEditLength: 1000 }) ??
    structuredPatch(...names, "", after ?? "");
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const additions = lines.filter((line) => line.startsWith("+")).length;
  const deletions = lines.filter((line) => line.startsWith("-")).length;
  return { additions, deletions, total: additions + deletions, patch: formatPatch(patch) };
}
