import { access, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommitObject, TreeEntry } from "isomorphic-git";
import { atomicFiles } from "./files.js";
import { isRefName } from "./names.js";

export interface Commit extends CommitObject {
  oid: string;
}

export interface Person {
  name: string;
  email: string;
}

/** A file to write, or null to delete it. */
export type Change = { path: string; content: Uint8Array | null };

/** Why a write is not possible; the message is for the caller. */
export class RepositoryError extends Error {}

// Loaded at the first look into a repository: starting must be quick.
const library = () => import("isomorphic-git");

type Cache = object;
type RefKind = "heads" | "tags";

/** A bare Git repository on the disk, as the `git` program would read it too. Made when it is first written to. */
export class Repository {
  private readonly fs;
  private readonly commits = new Map<string, Commit>();
  private cache: Cache = {};
  private busy: Promise<unknown> = Promise.resolve();
  private isMade = false;

  constructor(
    readonly gitdir: string,
    private readonly defaultBranch: string,
  ) {
    this.fs = atomicFiles(gitdir);
  }

  private get at() {
    return { fs: this.fs, gitdir: this.gitdir };
  }

  async exists(): Promise<boolean> {
    this.isMade ||= await access(join(this.gitdir, "HEAD")).then(
      () => true,
      () => false,
    );
    return this.isMade;
  }

  /** One write at a time: a branch must not move between reading its tip and setting it. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.busy.then(async () => {
      if (!(await this.exists())) {
        const git = await library();
        await mkdir(dirname(this.gitdir), { recursive: true, mode: 0o700 });
        await git.init({ ...this.at, bare: true, defaultBranch: this.defaultBranch });
        // The library takes a repository with a config for whole; this one may have died before its HEAD.
        await this.fs.promises.writeFile(
          join(this.gitdir, "HEAD"),
          `ref: refs/heads/${this.defaultBranch}\n`,
        );
        this.isMade = true;
      }
      return work();
    });
    this.busy = turn.catch(() => undefined);
    return turn;
  }

  async branches(): Promise<string[]> {
    return (await this.exists()) ? (await (await library()).listBranches(this.at)).sort() : [];
  }

  async tags(): Promise<string[]> {
    return (await this.exists()) ? (await (await library()).listTags(this.at)).sort() : [];
  }

  branch(name: string): Promise<string | undefined> {
    return this.ref("heads", name);
  }

  async tag(name: string): Promise<string | undefined> {
    const oid = await this.ref("tags", name);
    return oid === undefined ? undefined : (await this.commit(oid))?.oid;
  }

  /** The commit that a hash (also a short one), a branch, a tag or HEAD means. */
  async resolve(revision: string): Promise<string | undefined> {
    if (!(await this.exists())) return undefined;
    if (revision === "HEAD") return this.branch(this.defaultBranch);
    const named = (await this.branch(revision)) ?? (await this.tag(revision));
    if (named !== undefined) return named;
    if (!/^[0-9a-f]{4,40}$/i.test(revision)) return undefined;
    const git = await library();
    const oid = await git
      .expandOid({ ...this.at, oid: revision.toLowerCase(), cache: this.cache })
      .catch(() => undefined);
    return oid === undefined ? undefined : (await this.commit(oid))?.oid;
  }

  /** A commit by its full hash; an annotated tag is followed. Undefined when it is something else. */
  async commit(oid: string): Promise<Commit | undefined> {
    const known = this.commits.get(oid);
    if (known !== undefined) return known;
    // The library makes a file's name of it.
    if (!/^[0-9a-f]{40}$/.test(oid)) return undefined;
    const git = await library();
    try {
      const read = await git.readCommit({ ...this.at, oid, cache: this.cache });
      const commit = { ...read.commit, oid: read.oid };
      this.commits.set(oid, commit);
      return commit;
    } catch (error) {
      if (error instanceof git.Errors.NotFoundError || error instanceof git.Errors.ObjectTypeError)
        return undefined;
      throw error;
    }
  }

  async needCommit(oid: string): Promise<Commit> {
    const commit = await this.commit(oid);
    if (commit === undefined) throw new Error(`Commit ${oid} is missing`);
    return commit;
  }

  /** The commits that can be reached from here, newest first. */
  async history(from: string): Promise<Commit[]> {
    const seen = new Set<string>([from]);
    const found: Commit[] = [];
    const queue = [from];
    for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
      const commit = await this.needCommit(oid);
      found.push(commit);
      for (const parent of commit.parent) {
        if (seen.has(parent)) continue;
        seen.add(parent);
        queue.push(parent);
      }
    }
    return newestFirst(found);
  }

  /** What head has that base has not, the other way round, and where they parted. */
  async compare(base: string, head: string) {
    const git = await library();
    const [ofBase, ofHead] = await Promise.all([this.history(base), this.history(head)]);
    const inBase = new Set(ofBase.map(({ oid }) => oid));
    const inHead = new Set(ofHead.map(({ oid }) => oid));
    const [mergeBase] = (await git.findMergeBase({
      ...this.at,
      oids: [base, head],
      cache: this.cache,
    })) as string[];
    return {
      ahead: ofHead.filter(({ oid }) => !inBase.has(oid)),
      behind: ofBase.filter(({ oid }) => !inHead.has(oid)),
      mergeBase,
    };
  }

  async isAncestor(ancestor: string, oid: string): Promise<boolean> {
    return (await this.history(oid)).some((commit) => commit.oid === ancestor);
  }

  /** The entries of a folder. */
  async tree(oid: string): Promise<TreeEntry[]> {
    return (await (await library()).readTree({ ...this.at, oid, cache: this.cache })).tree;
  }

  async blob(oid: string): Promise<Uint8Array> {
    return (await (await library()).readBlob({ ...this.at, oid, cache: this.cache })).blob;
  }

  /** The entry at a path below a tree; "" is the tree itself. */
  async entry(tree: string, path: string): Promise<TreeEntry | undefined> {
    let entry: TreeEntry | undefined = { mode: "040000", path: "", oid: tree, type: "tree" };
    for (const name of path.split("/").filter((part) => part !== "")) {
      if (entry?.type !== "tree") return undefined;
      entry = (await this.tree(entry.oid)).find((each) => each.path === name);
    }
    return entry;
  }

  /** Commit changes on a branch; its first commit when it has none. Call within `exclusively`. */
  async write(
    branch: string,
    changes: readonly Change[],
    message: string,
    author: Person,
    at: number,
  ): Promise<string> {
    const git = await library();
    const parent = await this.branch(branch);
    let tree = parent === undefined ? undefined : (await this.needCommit(parent)).tree;
    for (const { path, content } of changes) {
      const oid = content === null ? null : await git.writeBlob({ ...this.at, blob: content });
      tree = (await this.put(tree, path.split("/"), oid)) ?? undefined;
    }
    tree ??= await git.writeTree({ ...this.at, tree: [] });
    const person = {
      name: inOneLine(author.name),
      email: inOneLine(author.email),
      timestamp: Math.floor(at / 1000),
      timezoneOffset: 0,
    };
    const text = message.endsWith("\n") ? message : `${message}\n`;
    const commit = {
      message: text,
      tree,
      parent: parent === undefined ? [] : [parent],
      author: person,
      committer: person,
    };
    const oid = await git.writeCommit({ ...this.at, commit });
    await this.setRef("heads", branch, oid);
    return oid;
  }

  /** @throws RepositoryError when the name is not one for a ref, or stands in another's way. */
  async setRef(kind: RefKind, name: string, oid: string): Promise<void> {
    if (!isRefName(name)) throw new RepositoryError(`'${name.slice(0, 255)}' is not a valid name.`);
    const git = await library();
    try {
      await git.writeRef({ ...this.at, ref: `refs/${kind}/${name}`, value: oid, force: true });
    } catch (error) {
      if (error instanceof git.Errors.InvalidRefNameError)
        throw new RepositoryError(`'${name}' is not a valid name.`);
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOTDIR" || code === "EISDIR" || code === "EEXIST" || code === "ENOTEMPTY") {
        throw new RepositoryError(`'${name}' cannot stand beside a name that begins or ends like it.`);
      }
      throw error;
    }
  }

  async deleteBranch(name: string): Promise<void> {
    if (!isRefName(name)) throw new RepositoryError(`'${name.slice(0, 255)}' is not a valid name.`);
    await (await library()).deleteRef({ ...this.at, ref: `refs/heads/${name}` });
  }

  private async ref(kind: RefKind, name: string): Promise<string | undefined> {
    if (!isRefName(name) || !(await this.exists())) return undefined;
    try {
      return await (await library()).resolveRef({ ...this.at, ref: `refs/${kind}/${name}` });
    } catch {
      // Not there, or no name that could be.
      return undefined;
    }
  }

  /** The tree with one path changed; null when nothing is left in it. */
  private async put(
    tree: string | undefined,
    path: readonly string[],
    oid: string | null,
  ): Promise<string | null> {
    const [name = "", ...rest] = path;
    const entries = tree === undefined ? [] : await this.tree(tree);
    const others = entries.filter((entry) => entry.path !== name);
    const old = entries.find((entry) => entry.path === name);
    if (rest.length > 0) {
      if (old !== undefined && old.type !== "tree")
        throw new RepositoryError(`'${name}' is a file, not a folder.`);
      const below = await this.put(old?.oid, rest, oid);
      if (below !== null) others.push({ mode: "040000", path: name, oid: below, type: "tree" });
    } else if (oid !== null) {
      if (old?.type === "tree") throw new RepositoryError(`'${name}' is a folder, not a file.`);
      others.push({ mode: old?.mode ?? "100644", path: name, oid, type: "blob" });
    }
    return others.length === 0 ? null : (await library()).writeTree({ ...this.at, tree: others });
  }
}

/** A commit's header is lines, with the address in angle brackets: Git leaves these out of people's names, too. */
function inOneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\x00-\x1f\x7f<>]+/g, " ").trim() || "-";
}

/** By date; a child before its parents, whatever their dates say. */
function newestFirst(commits: Commit[]): Commit[] {
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
