/** The locks of a stack, and the records that their runs renew beside them: in a folder, or in a bucket. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { repeated, type Bucket } from "./bucket.js";
import type { Owner } from "./process-owner.js";
import { namesIn } from "./stores.js";

/** What Pulumi writes into a lock. */
export interface Lock {
  readonly pid?: number;
  readonly username?: string;
  readonly hostname?: string;
  readonly timestamp?: string;
}

/** What a run renews while it may have a lock. */
export interface LockRecord {
  /** Changes with each renewal. */
  readonly beat: number;
  /** The process that takes the lock, as Pulumi names it there, and its start by the clock of its machine. */
  readonly pid: number;
  readonly hostname: string;
  readonly since: string;
  /** The same process for others of its machine; undefined where process ids are not unique. */
  readonly owner?: Owner | undefined;
  /** Name of the lock, as soon as it exists. */
  readonly lock?: string | undefined;
}

export interface LockStore {
  /** By name. A lock that is being written is empty. */
  locks(): Promise<ReadonlyMap<string, Lock>>;
  hasLock(name: string): Promise<boolean>;
  removeLock(name: string): Promise<void>;
  records(): Promise<ReadonlyMap<string, LockRecord>>;
  write(name: string, record: LockRecord): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface StackName {
  readonly project: string;
  readonly stack: string;
}

/** Paths below `.pulumi`. Pulumi takes every file of its own folder for a lock, so the records are elsewhere. */
export const LOCKS = "locks/organization";
export const locksPath = ({ project, stack }: StackName) => `${LOCKS}/${project}/${stack}`;
const RECORDS = "workspacectl/lock-holders";
const recordsOf = ({ project, stack }: StackName) => `${RECORDS}/${project}/${stack}`;

export class FolderLocks implements LockStore {
  private readonly locksFolder: string;
  private readonly recordsFolder: string;
  /** Records of earlier releases, which have the names of the locks. */
  private readonly earlierFolder: string;

  /** @param pulumi the folder `.pulumi` of the state */
  constructor(pulumi: string, stack: StackName) {
    this.locksFolder = join(pulumi, locksPath(stack));
    this.recordsFolder = join(pulumi, recordsOf(stack));
    this.earlierFolder = join(pulumi, RECORDS);
  }

  locks(): Promise<ReadonlyMap<string, Lock>> {
    return Promise.resolve(filesIn<Lock>(this.locksFolder, (text) => parsed(text) ?? {}));
  }

  hasLock(name: string): Promise<boolean> {
    return Promise.resolve(existsSync(join(this.locksFolder, name)));
  }

  removeLock(name: string): Promise<void> {
    for (const file of [name, `${name}.attrs`]) rmSync(join(this.locksFolder, file), { force: true });
    return Promise.resolve();
  }

  records(): Promise<ReadonlyMap<string, LockRecord>> {
    const records = filesIn(this.recordsFolder, (text) => parsed<LockRecord>(text));
    for (const lock of namesIn(this.locksFolder)) {
      const owner = filesIn(this.earlierFolder, (text) => parsed<Owner>(text), lock).get(lock);
      if (owner) records.set(lock, { beat: 0, pid: owner.pid, hostname: "", since: "", owner, lock });
    }
    return Promise.resolve(records);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- an error must be a rejection
  async write(name: string, record: LockRecord): Promise<void> {
    mkdirSync(this.recordsFolder, { recursive: true });
    // Others read it at any moment.
    const file = join(this.recordsFolder, name);
    writeFileSync(`${file}.tmp`, JSON.stringify(record));
    renameSync(`${file}.tmp`, file);
  }

  remove(name: string): Promise<void> {
    for (const folder of [this.recordsFolder, this.earlierFolder])
      for (const file of [name, `${name}.tmp`]) rmSync(join(folder, file), { force: true });
    return Promise.resolve();
  }
}

export class BucketLocks implements LockStore {
  private readonly locksFolder: string;
  private readonly recordsFolder: string;

  constructor(
    private readonly bucket: Bucket,
    stack: StackName,
  ) {
    this.locksFolder = `.pulumi/${locksPath(stack)}/`;
    this.recordsFolder = `.pulumi/${recordsOf(stack)}/`;
  }

  async locks(): Promise<ReadonlyMap<string, Lock>> {
    return this.objectsIn(this.locksFolder, (text) => parsed<Lock>(text) ?? {});
  }

  async hasLock(name: string): Promise<boolean> {
    const key = this.locksFolder + name;
    return (await repeated(() => this.bucket.list(key))).includes(key);
  }

  async removeLock(name: string): Promise<void> {
    await repeated(() => this.bucket.deleteAll([this.locksFolder + name]));
  }

  async records(): Promise<ReadonlyMap<string, LockRecord>> {
    return this.objectsIn(this.recordsFolder, (text) => parsed<LockRecord>(text));
  }

  async write(name: string, record: LockRecord): Promise<void> {
    const text = JSON.stringify(record);
    await repeated(() => this.bucket.put(this.recordsFolder + name, text));
  }

  async remove(name: string): Promise<void> {
    await repeated(() => this.bucket.deleteAll([this.recordsFolder + name]));
  }

  private async objectsIn<T>(
    folder: string,
    read: (text: string) => T | undefined,
  ): Promise<ReadonlyMap<string, T>> {
    const keys = (await repeated(() => this.bucket.list(folder))).filter((key) => key.endsWith(".json"));
    const objects = new Map<string, T>();
    for (const key of keys) {
      const text = await repeated(() => this.bucket.text(key));
      const value = text === undefined ? undefined : read(text);
      if (value !== undefined) objects.set(key.slice(folder.length), value);
    }
    return objects;
  }
}

/** @param only name of the only file to read */
function filesIn<T>(folder: string, read: (text: string) => T | undefined, only?: string): Map<string, T> {
  const files = new Map<string, T>();
  const names = only === undefined ? namesIn(folder) : [only];
  for (const name of names.filter((one) => one.endsWith(".json"))) {
    const value = textOf(join(folder, name), read);
    if (value !== undefined) files.set(name, value);
  }
  return files;
}

function textOf<T>(file: string, read: (text: string) => T | undefined): T | undefined {
  try {
    return read(readFileSync(file, "utf8"));
  } catch {
    // Its run has ended in the meantime.
    return undefined;
  }
}

function parsed<T extends object>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
