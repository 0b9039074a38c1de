/** Commits, their people and their order. */
import type { CommitObject } from "isomorphic-git";

export interface Commit extends CommitObject {
  oid: string;
}

export interface Person {
  name: string;
  email: string;
}

/**
 * Removes line breaks and angle brackets, which delimit the fields of a commit's header. Git removes them from names
 * too.
 */
export function makeSingleLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\x00-\x1f\x7f<>]+/g, " ").trim() || "-";
}

/** Sorts commits by date, but children before their parents whatever the dates are. */
export function sortNewestFirst(commits: Commit[]): Commit[] {
  const known = new Map(commits.map((commit) => [commit.oid, commit]));
  const children = new Map<string, number>();
  for (const { parent } of commits) for (const oid of parent) children.set(oid, (children.get(oid) ?? 0) + 1);
  const ready = commits.filter(({ oid }) => !children.has(oid));
  const ordered: Commit[] = [];
  while (ready.length > 0) {
    let newest = 0;
    for (let i = 1; i < ready.length; i++) {
      if ((ready[i]?.committer.timestamp ?? 0) > (ready[newest]?.committer.timestamp ?? 0)) newest = i;
    }
    const [commit] = ready.splice(newest, 1);
    if (commit === undefined) break;
    ordered.push(commit);
    for (const oid of commit.parent) {
      const left = (children.get(oid) ?? 0) - 1;
      children.set(oid, left);
      const parent = known.get(oid);
      if (left === 0 && parent !== undefined) ready.push(parent);
    }
  }
  return ordered;
}
