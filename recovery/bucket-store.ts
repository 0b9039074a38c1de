/** A journal in a bucket, as small objects. */
import { setTimeout as sleep } from "node:timers/promises";
import { ensureOk, Passing, type Bucket } from "../client/ledger/bucket.js";
import { ENDING, type JournalStore } from "./stores.js";

/** Lines of a file are in several objects, so that a write does not repeat all of them. */
const OBJECT_BYTES = 64 * 1024;
const MOST_FAILURES = 5;
const PAUSE_MS = 200;
const AT_ONCE = 8;

interface Group {
  text: string;
  readonly waiting: { readonly done: () => void; readonly failed: (error: unknown) => void }[];
}

/** Lines of parallel operations share one write: what arrives during a write is in the next one. */
export class BucketStore implements JournalStore {
  readonly name: string;
  /** The number of the object to which a file is written, and its text so far. */
  private readonly current = new Map<string, { number: number; text: string }>();
  private readonly queued = new Map<string, Group>();
  private readonly writing = new Map<string, Promise<void>>();

  /** @param folder with a slash at the end */
  constructor(
    private readonly bucket: Bucket,
    private readonly folder: string,
  ) {
    this.name = `${bucket.name}/${folder}`;
  }

  async read(): Promise<ReadonlyMap<string, string>> {
    const keys = (await repeated(() => this.bucket.list(this.folder))).filter((key) => key.endsWith(ENDING));
    const files = new Map<string, string>();
    const texts = await inGroups(keys, (key) => repeated(() => this.textOf(key)));
    for (const [i, key] of keys.entries()) {
      const { file, number } = partOf(key.slice(this.folder.length));
      files.set(file, `${files.get(file) ?? ""}${texts[i]}`);
      // Lines that this process adds come into an object of their own.
      const known = this.current.get(file)?.number ?? 0;
      this.current.set(file, { number: Math.max(known, number + 1), text: "" });
    }
    return files;
  }

  async append(file: string, line: string): Promise<void> {
    const group: Group = this.queued.get(file) ?? { text: "", waiting: [] };
    this.queued.set(file, group);
    group.text += `${line}\n`;
    const written = new Promise<void>((done, failed) => group.waiting.push({ done, failed }));
    if (!this.writing.has(file)) this.writing.set(file, this.write(file));
    return written;
  }

  /** Removes the first object last, so that what is left after a kill has no gap. */
  async remove(file: string): Promise<void> {
    await this.writing.get(file);
    const last = this.current.get(file)?.number ?? 0;
    for (let number = last; number >= 0; number--)
      await repeated(() => this.bucket.delete(this.keyOf(file, number)));
    this.current.delete(file);
  }

  private async write(file: string): Promise<void> {
    for (let group = this.queued.get(file); group !== undefined; group = this.queued.get(file)) {
      this.queued.delete(file);
      const { number, text: before } = this.current.get(file) ?? { number: 0, text: "" };
      const text = before + group.text;
      try {
        const put = async () => ensureOk(await this.bucket.put(this.keyOf(file, number), text));
        await repeated(put);
        this.current.set(
          file,
          text.length > OBJECT_BYTES ? { number: number + 1, text: "" } : { number, text },
        );
        for (const { done } of group.waiting) done();
      } catch (error) {
        for (const { failed } of group.waiting) failed(error);
      }
    }
    this.writing.delete(file);
  }

  private async textOf(key: string): Promise<string> {
    const response = await this.bucket.get(key);
    // Its run has ended in the meantime.
    if (response.status === 404) return "";
    ensureOk(response);
    return response.text;
  }

  /** Keys of one file are in the order of its objects. */
  private keyOf(file: string, number: number): string {
    return `${this.folder}${file.slice(0, -ENDING.length)}.${String(number).padStart(6, "0")}${ENDING}`;
  }
}

function partOf(key: string): { file: string; number: number } {
  const [, name = key, number = "0"] = /^(.*)\.(\d+)\.jsonl$/.exec(key) ?? [];
  return { file: `${name}${ENDING}`, number: Number(number) };
}

/** Tries again while the failure may be gone at the next attempt. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Passing) || failures === MOST_FAILURES) throw error;
      await sleep(Math.random() * PAUSE_MS * 2 ** failures);
    }
  }
}

async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE)
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))));
  return results;
}
