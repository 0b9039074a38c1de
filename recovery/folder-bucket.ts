/** A folder, as a bucket: a key is the path of a file. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bucket } from "./bucket.js";

/** End of the name of a file that is being written. */
const WRITING = ".tmp";

export class FolderBucket implements Bucket {
  constructor(readonly name: string) {}

  // eslint-disable-next-line @typescript-eslint/require-await -- an error must be a rejection
  async text(key: string): Promise<string | undefined> {
    return ignoreMissing(() => readFileSync(join(this.name, key), "utf8"));
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async put(key: string, body: string): Promise<void> {
    const file = this.fileFor(key);
    // Others read it at any moment.
    writeFileSync(file + WRITING, body, { mode: 0o600 });
    renameSync(file + WRITING, file);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async create(key: string, body: string): Promise<boolean> {
    const file = this.fileFor(key);
    try {
      writeFileSync(file, body, { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    }
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async deleteAll(keys: readonly string[]): Promise<void> {
    for (const key of keys)
      for (const file of [key, key + WRITING]) rmSync(join(this.name, file), { force: true });
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async list(prefix: string): Promise<string[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    const entries = ignoreMissing(() =>
      readdirSync(join(this.name, folder), { recursive: true, withFileTypes: true }),
    );
    return (entries ?? [])
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(this.name, "/").length))
      .map((path) => path.replaceAll("\\", "/"))
      .filter((key) => key.startsWith(prefix) && !key.endsWith(WRITING))
      .toSorted();
  }

  private fileFor(key: string): string {
    const file = join(this.name, key);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  }
}

function ignoreMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
