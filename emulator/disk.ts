/** Data directory: a database and the encryption key. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import type { Row } from "./model.js";
import type { Change } from "./table.js";

const sequenceKey = "meta!sequence";

/**
 * Data directory: a LevelDB database and the encryption key. Each batch is one `write` to the log, which is complete
 * before its promise resolves. Acknowledged changes therefore survive the death of the process, but not a power
 * failure, which would take an fsync per write.
 */
export class Disk {
  private readonly dirty = new Map<string, Row | undefined>();
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  private constructor(
    private readonly database: ClassicLevel,
    readonly encryptionKey: Buffer,
  ) {}

  static async open(directory: string): Promise<Disk> {
    const objects = join(directory, "objects");
    await restrictAccess(directory, objects);
    const key = await readOrCreateKey(join(directory, "key"));
    const database = new ClassicLevel(objects);
    try {
      await database.open();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`Cannot open the emulator's data in ${directory} (is it in use?): ${reason}`, {
        cause: error,
      });
    }
    return new Disk(database, key);
  }

  /** Passes every stored row to `add` and returns the last assigned id. */
  async load(add: (table: string, row: Row) => void): Promise<number> {
    let sequence = 0;
    for await (const [key, text] of this.database.iterator()) {
      if (key === sequenceKey) sequence = Number(text);
      else add(key.slice(0, key.indexOf("!")), JSON.parse(text) as Row);
    }
    return sequence;
  }

  record(change: Change): void {
    // Pads ids so that rows are read in the order of their ids.
    const key = `${change.table}!${String(change.row.id).padStart(15, "0")}`;
    this.dirty.set(key, change.removed ? undefined : change.row);
  }

  /**
   * Resolves when all changes recorded so far are written. Batches run one after another because they may contain the
   * same rows.
   */
  write(sequence: () => number): Promise<void> {
    if (this.dirty.size === 0 && this.next === undefined) return this.writing;
    this.next ??= this.writing
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.writing = this.writeBatch(sequence());
        return this.writing;
      });
    return this.next;
  }

  async close(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.database.close();
  }

  private async writeBatch(sequence: number): Promise<void> {
    const changes = [...this.dirty];
    this.dirty.clear();
    const batch = this.database.batch();
    batch.put(sequenceKey, String(sequence));
    for (const [key, row] of changes) {
      if (row === undefined) batch.del(key);
      else batch.put(key, JSON.stringify(row));
    }
    try {
      await batch.write();
    } catch (error) {
      // Returns failed changes to the queue, so that the next commit retries them unless they changed since.
      for (const [key, row] of changes) if (!this.dirty.has(key)) this.dirty.set(key, row);
      throw error;
    }
  }
}

/** Names of the emulator's own files in the data directory. */
const ownNames = new Set(["key", "key.new", "objects", "repositories"]);

/**
 * Denies other users access to the data, also in an existing directory. The directory itself stays as it is when it
 * contains anything else.
 */
async function restrictAccess(directory: string, objects: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const isOurs = (await readdir(directory)).every((name) => ownNames.has(name));
  await mkdir(objects, { recursive: true });
  const repositories = join(directory, "repositories");
  await mkdir(repositories, { recursive: true });
  for (const path of [objects, repositories]) await chmod(path, 0o700);
  await chmod(join(directory, "key"), 0o600).catch(() => undefined);
  // Fails for a mounted directory that belongs to another user, whose parts are restricted already.
  if (isOurs) await chmod(directory, 0o700).catch(() => undefined);
}

async function readOrCreateKey(path: string): Promise<Buffer> {
  try {
    return Buffer.from((await readFile(path, "utf8")).trim(), "base64");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const key = randomBytes(32);
  // Writes the key atomically: a partial key would make every secret unreadable.
  const file = await open(`${path}.new`, "w", 0o600);
  await file.writeFile(`${key.toString("base64")}\n`);
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
  return key;
}
