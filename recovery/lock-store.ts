/** The locks of a stack, and the records that their runs renew next to them. */
import { type Bucket, Passing, retryBriefly } from "./bucket.js";
import type { Owner } from "./process-owner.js";

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
  /** Whether the store refuses to create an object that exists, as this run has seen. If not, a claim proves nothing. */
  readonly keepsConditions?: boolean | undefined;
}

/** A record, and how many claims there are to its lock. */
export type ClaimedRecord = LockRecord & { readonly claims: number };

export interface LockStore {
  /** By name. A lock that is being written is empty. */
  locks(): Promise<ReadonlyMap<string, Lock>>;
  hasLock(name: string): Promise<boolean>;
  removeLock(name: string): Promise<void>;
  records(): Promise<ReadonlyMap<string, ClaimedRecord>>;
  write(name: string, record: LockRecord): Promise<void>;
  /** Asks the store whether it refuses to create an object that exists. @param record the one that was written last */
  keepsConditions(name: string, record: LockRecord): Promise<boolean>;
  /**
   * Claims the lock of a record that stood still. Its own run must do so before it continues, and any other one before it releases the lock.
   * Each claim has a number, and only one run gets it.
   * @param by unique text, by which a run recognizes its own claim
   * @returns whether the run has got it
   */
  claim(name: string, number: number, by: string): Promise<boolean>;
  /** Removes a record with its claims. */
  remove(name: string, claims: number): Promise<void>;
}

export interface StackName {
  readonly project: string;
  readonly stack: string;
}

/** Pulumi treats every file of its own folder as a lock, so the records are elsewhere. */
export const LOCKS = ".pulumi/locks/organization";
const RECORDS = ".pulumi/workspacectl/lock-holders";
export const buildLocksPath = ({ project, stack }: StackName) => `${LOCKS}/${project}/${stack}`;
const buildRecordsPath = ({ project, stack }: StackName) => `${RECORDS}/${project}/${stack}`;

export class BucketLocks implements LockStore {
  private readonly locksFolder: string;
  private readonly recordsFolder: string;

  constructor(
    private readonly bucket: Bucket,
    stack: StackName,
  ) {
    this.locksFolder = `${buildLocksPath(stack)}/`;
    this.recordsFolder = `${buildRecordsPath(stack)}/`;
  }

  async locks(): Promise<ReadonlyMap<string, Lock>> {
    const keys = await this.keysIn(this.locksFolder);
    if (keys.length === 0) await this.removeEmptyFolder();
    return this.objects(this.locksFolder, keys, (text) => parseRecord<Lock>(text) ?? {});
  }

  async hasLock(name: string): Promise<boolean> {
    return (await this.keysIn(this.locksFolder)).includes(this.locksFolder + name);
  }

  async removeLock(name: string): Promise<void> {
    // Pulumi writes the second one next to each object in a folder.
    const keys = [name, `${name}.attrs`].map((one) => this.locksFolder + one);
    await retryBriefly(() => this.bucket.deleteAll(keys));
  }

  async records(): Promise<ReadonlyMap<string, ClaimedRecord>> {
    const keys = await this.keysIn(this.recordsFolder);
    const records = await this.objects(this.recordsFolder, keys, (text) => parseRecord<LockRecord>(text));
    const claimed = [...records].map(([name, record]): [string, ClaimedRecord] => {
      const claims = keys.filter((key) => key.startsWith(`${this.recordsFolder}${name}.`));
      return [name, { ...record, claims: claims.length }];
    });
    return new Map(claimed);
  }

  async write(name: string, record: LockRecord): Promise<void> {
    const text = JSON.stringify(record);
    await retryBriefly(() => this.bucket.put(this.recordsFolder + name, text));
  }

  async keepsConditions(name: string, record: LockRecord): Promise<boolean> {
    const text = JSON.stringify(record);
    return !(await retryBriefly(() => this.bucket.create(this.recordsFolder + name, text)));
  }

  async claim(name: string, number: number, by: string): Promise<boolean> {
    const key = this.claimKey(name, number);
    await retryBriefly(() => this.bucket.create(key, by));
    return (await retryBriefly(() => this.bucket.text(key))) === by;
  }

  async remove(name: string, claims: number): Promise<void> {
    const ofClaims = Array.from({ length: claims }, (_, index) => this.claimKey(name, index + 1));
    await retryBriefly(() => this.bucket.deleteAll([this.recordsFolder + name, ...ofClaims]));
    await this.removeEmptyFolder();
  }

  /** Pulumi would take what a server shows in the place of the folder of an earlier lock for another one, and fail. */
  private async removeEmptyFolder(): Promise<void> {
    // If that fails, Pulumi says what is there.
    await this.bucket.removeEmptyFolder?.(this.locksFolder).catch(() => undefined);
  }

  private claimKey(name: string, number: number): string {
    return `${this.recordsFolder}${name}.${number}`;
  }

  private keysIn(folder: string): Promise<string[]> {
    return retryBriefly(() => this.bucket.list(folder));
  }

  private async objects<T>(
    folder: string,
    keys: readonly string[],
    read: (text: string) => T | undefined,
  ): Promise<ReadonlyMap<string, T>> {
    const objects = new Map<string, T>();
    for (const key of keys.filter((one) => one.endsWith(".json"))) {
      const text = await this.text(key);
      const value = text === undefined ? undefined : read(text);
      if (value !== undefined) objects.set(key.slice(folder.length), value);
    }
    return objects;
  }

  /** The text of an object; undefined when its run has ended in the meantime, and empty when only its own user may read it. */
  private text(key: string): Promise<string | undefined> {
    return retryBriefly(() => this.bucket.text(key)).catch((error: unknown) => {
      if (error instanceof Passing) throw error;
      return "";
    });
  }
}

function parseRecord<T extends object>(text: string): T | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
