import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import type { Row } from "./model.js";
import type { Change } from "./table.js";

const sequenceKey = "meta!sequence";

/**
 * The data directory: a LevelDB database and the key of the vault. A batch is written with one `write` to the log before
 * its promise is kept, so what was acknowledged survives the death of the process (not a power cut, which would need
 * an fsync per write).
 */
export class Disk {
  private readonly dirty = new Map<string, Row | undefined>();
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  private constructor(
    private readonly database: ClassicLevel,
    readonly vaultKey: Buffer,
  ) {}

  static async open(directory: string): Promise<Disk> {
    const objects = join(directory, "objects");
    await closeToOthers(directory, objects);
    const key = await readOrMakeKey(join(directory, "key"));
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

  /** Every stored row with its table, and the last id that was given out. */
  async load(take: (table: string, row: Row) => void): Promise<number> {
    let sequence = 0;
    for await (const [key, text] of this.database.iterator()) {
      if (key === sequenceKey) sequence = Number(text);
      else take(key.slice(0, key.indexOf("!")), JSON.parse(text) as Row);
    }
    return sequence;
  }

  note(change: Change): void {
    // Padded, so that rows come back in the order of their ids.
    const key = `${change.table}!${String(change.row.id).padStart(15, "0")}`;
    this.dirty.set(key, change.removed ? undefined : change.row);
  }

  /** Resolves when everything noted so far is written. Batches go one after another: rows may repeat in them. */
  write(sequence: () => number): Promise<void> {
    if (this.dirty.size === 0 && this.next === undefined) return this.running;
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.running = this.writeBatch(sequence());
        return this.running;
      });
    return this.next;
  }

  async close(): Promise<void> {
    await this.running.catch(() => undefined);
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
      // Not lost: the next commit tries them again, unless they changed since.
      for (const [key, row] of changes) if (!this.dirty.has(key)) this.dirty.set(key, row);
      throw error;
    }
  }
}

/** What the emulator itself puts into its data directory. */
const ownNames = new Set(["key", "key.new", "objects", "repositories"]);

/**
 * Nobody else may read the data, also in a directory that was there before: its own parts are closed, and the directory
 * too unless something else lives in it.
 */
async function closeToOthers(directory: string, objects: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const isOurs = (await readdir(directory)).every((name) => ownNames.has(name));
  await mkdir(objects, { recursive: true });
  const repositories = join(directory, "repositories");
  await mkdir(repositories, { recursive: true });
  for (const path of [objects, repositories]) await chmod(path, 0o700);
  await chmod(join(directory, "key"), 0o600).catch(() => undefined);
  // A mounted directory may belong to somebody else: its parts are closed then.
  if (isOurs) await chmod(directory, 0o700).catch(() => undefined);
}

async function readOrMakeKey(path: string): Promise<Buffer> {
  try {
    return Buffer.from((await readFile(path, "utf8")).trim(), "base64");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const key = randomBytes(32);
  // Whole or not at all: a half-written key would make every secret unreadable.
  const file = await open(`${path}.new`, "w", 0o600);
  await file.writeFile(`${key.toString("base64")}\n`);
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
  return key;
}
