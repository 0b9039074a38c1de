/** A bare Git repository on disk. */
import { randomUUID } from "node:crypto";
import { promises as fs } from "node:fs";
import { dirname, join } from "node:path";
import type { TreeEntry } from "isomorphic-git";
import { createBadRequestError } from "../errors.js";
import { type Commit, makeSingleLine, type Person, sortNewestFirst } from "./commit.js";
import { isRefName } from "./ref-names.js";

/** File to write, or to delete when its content is null. */
export type FileWrite = { path: string; content: Uint8Array | null };

// Loaded on first use to keep the start fast.
const loadLibrary = () => import("isomorphic-git");

type RefKind = "heads" | "tags";

/** Bare Git repository on disk that the `git` program can read. It is created by the first write. */
export class Repository {
  /** Options of every call of the library, which keeps what it has read in `cache`. */
  private readonly options;
  private readonly commits = new Map<string, Commit>();
  private busy: Promise<unknown> = Promise.resolve();
  private isCreated = false;

  constructor(
    readonly gitdir: string,
    private readonly defaultBranch: string,
  ) {
    this.options = { fs: createAtomicFiles(gitdir), gitdir, cache: {} };
  }

  async exists(): Promise<boolean> {
    this.isCreated ||= await fs.access(join(this.gitdir, "HEAD")).then(
      () => true,
      () => false,
    );
    return this.isCreated;
  }

  /** Runs one write at a time: a branch must not move between reading its tip and setting it. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.busy.then(async () => {
      if (!(await this.exists())) {
        const git = await loadLibrary();
        await fs.mkdir(dirname(this.gitdir), { recursive: true, mode: 0o700 });
        await git.init({ ...this.options, bare: true, defaultBranch: this.defaultBranch });
        // The library takes a repository with a config for complete, but the process may have died before writing
        // HEAD.
        await this.options.fs.promises.writeFile(
          join(this.gitdir, "HEAD"),
          `ref: refs/heads/${this.defaultBranch}\n`,
        );
        this.isCreated = true;
      }
      return work();
    });
    this.busy = turn.catch(() => undefined);
    return turn;
  }

  async branches(): Promise<string[]> {
    return (await this.exists()) ? (await (await loadLibrary()).listBranches(this.options)).sort() : [];
  }

  async tags(): Promise<string[]> {
    return (await this.exists()) ? (await (await loadLibrary()).listTags(this.options)).sort() : [];
  }

  branch(name: string): Promise<string | undefined> {
    return this.ref("heads", name);
  }

  async tag(name: string): Promise<string | undefined> {
    return (await this.commit(await this.ref("tags", name)))?.oid;
  }

  /** Resolves a hash (also an abbreviated one), a branch, a tag or HEAD to a commit. */
  async resolve(revision: string): Promise<string | undefined> {
    if (!(await this.exists())) return undefined;
    if (revision === "HEAD") return this.branch(this.defaultBranch);
    const named = (await this.branch(revision)) ?? (await this.tag(revision));
    if (named !== undefined) return named;
    if (!/^[0-9a-f]{4,40}$/i.test(revision)) return undefined;
    const git = await loadLibrary();
    const oid = await git.expandOid({ ...this.options, oid: revision.toLowerCase() }).catch(() => undefined);
    return (await this.commit(oid))?.oid;
  }

  /** Returns a commit by its full hash and follows annotated tags. Undefined for other objects. */
  async commit(oid: string | undefined): Promise<Commit | undefined> {
    // The library uses the hash as a file name.
    if (oid === undefined || !/^[0-9a-f]{40}$/.test(oid)) return undefined;
    const known = this.commits.get(oid);
    if (known !== undefined) return known;
    const git = await loadLibrary();
    try {
      const read = await git.readCommit({ ...this.options, oid });
      const commit = { ...read.commit, oid: read.oid };
      this.commits.set(oid, commit);
      return commit;
    } catch (error) {
      if (error instanceof git.Errors.NotFoundError || error instanceof git.Errors.ObjectTypeError)
        return undefined;
      throw error;
    }
  }

  async requireCommit(oid: string): Promise<Commit> {
    const commit = await this.commit(oid);
    if (commit === undefined) throw new Error(`Commit ${oid} is missing`);
    return commit;
  }

  /** Returns the commits that are reachable from a commit, newest first. */
  async history(from: string): Promise<Commit[]> {
    const visited = new Set<string>([from]);
    const found: Commit[] = [];
    const queue = [from];
    for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
      const commit = await this.requireCommit(oid);
      found.push(commit);
      for (const parent of commit.parent) {
        if (visited.has(parent)) continue;
        visited.add(parent);
        queue.push(parent);
      }
    }
    return sortNewestFirst(found);
  }

  /** Returns the commits of head that base lacks, those of base that head lacks, and their merge base. */
  async compare(base: string, head: string) {
    const git = await loadLibrary();
    const [ofBase, ofHead] = await Promise.all([this.history(base), this.history(head)]);
    const inBase = new Set(ofBase.map(({ oid }) => oid));
    const inHead = new Set(ofHead.map(({ oid }) => oid));
    const [mergeBase] = (await git.findMergeBase({
      ...this.options,
      oids: [base, head],
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

  /** Returns the entries of a folder. */
  async tree(oid: string): Promise<TreeEntry[]> {
    return (await (await loadLibrary()).readTree({ ...this.options, oid })).tree;
  }

  async blob(oid: string): Promise<Uint8Array> {
    return (await (await loadLibrary()).readBlob({ ...this.options, oid })).blob;
  }

  /** Returns the entry at a path in a commit, if there is one. The path "" is the root folder. */
  async entry(revision: string | undefined, path: string): Promise<TreeEntry | undefined> {
    if (revision === undefined) return undefined;
    const { tree } = await this.requireCommit(revision);
    let entry: TreeEntry | undefined = { mode: "040000", path: "", oid: tree, type: "tree" };
    for (const name of path.split("/").filter((part) => part !== "")) {
      if (entry?.type !== "tree") return undefined;
      entry = (await this.tree(entry.oid)).find((each) => each.path === name);
    }
    return entry;
  }

  /** Commits changes to a branch, which the first commit creates. Must run within `exclusively`. */
  async write(
    branch: string,
    changes: readonly FileWrite[],
    message: string,
    author: Person,
    at: number,
  ): Promise<string> {
    const git = await loadLibrary();
    const parent = await this.branch(branch);
    let tree = parent === undefined ? undefined : (await this.requireCommit(parent)).tree;
    for (const { path, content } of changes) {
      const oid = content === null ? null : await git.writeBlob({ ...this.options, blob: content });
      tree = (await this.put(tree, path.split("/"), oid)) ?? undefined;
    }
    tree ??= await git.writeTree({ ...this.options, tree: [] });
    const person = {
      name: makeSingleLine(author.name),
      email: makeSingleLine(author.email),
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
    const oid = await git.writeCommit({ ...this.options, commit });
    await this.setRef("heads", branch, oid);
    return oid;
  }

  /** Sets a ref. @throws ServiceError when the name is invalid or conflicts with another ref. */
  async setRef(kind: RefKind, name: string, oid: string): Promise<void> {
    if (!isRefName(name)) throw createBadRequestError(`'${name.slice(0, 255)}' is not a valid name.`);
    const git = await loadLibrary();
    try {
      await git.writeRef({ ...this.options, ref: `refs/${kind}/${name}`, value: oid, force: true });
    } catch (error) {
      if (error instanceof git.Errors.InvalidRefNameError)
        throw createBadRequestError(`'${name}' is not a valid name.`);
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOTDIR" || code === "EISDIR" || code === "EEXIST" || code === "ENOTEMPTY") {
        throw createBadRequestError(
          `'${name}' cannot exist together with a name that begins or ends like it.`,
        );
      }
      throw error;
    }
  }

  async deleteBranch(name: string): Promise<void> {
    if (!isRefName(name)) throw createBadRequestError(`'${name.slice(0, 255)}' is not a valid name.`);
    await (await loadLibrary()).deleteRef({ ...this.options, ref: `refs/heads/${name}` });
  }

  private async ref(kind: RefKind, name: string): Promise<string | undefined> {
    if (!isRefName(name) || !(await this.exists())) return undefined;
    try {
      return await (await loadLibrary()).resolveRef({ ...this.options, ref: `refs/${kind}/${name}` });
    } catch {
      // The ref does not exist, or the name is invalid.
      return undefined;
    }
  }

  /** Returns the tree with one path changed, or null when it becomes empty. */
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
        throw createBadRequestError(`'${name}' is a file, not a folder.`);
      const below = await this.put(old?.oid, rest, oid);
      if (below !== null) others.push({ mode: "040000", path: name, oid: below, type: "tree" });
    } else if (oid !== null) {
      if (old?.type === "tree") throw createBadRequestError(`'${name}' is a folder, not a file.`);
      others.push({ mode: old?.mode ?? "100644", path: name, oid, type: "blob" });
    }
    return others.length === 0 ? null : (await loadLibrary()).writeTree({ ...this.options, tree: others });
  }
}

/**
 * File system for the Git library that writes files atomically. The library would later accept an object that was
 * half written when the process died.
 */
function createAtomicFiles(gitdir: string) {
  const writeFile: typeof fs.writeFile = async (path, data, options) => {
    // In the top folder of the repository, where nothing looks for objects or refs.
    const temporary = join(gitdir, `tmp-${randomUUID()}`);
    await fs.writeFile(temporary, data, options);
    await fs.rename(temporary, path as string);
  };
  return { promises: { ...fs, writeFile } };
}
