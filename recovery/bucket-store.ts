/** A journal in a bucket, as small objects. */
import { type Bucket, retryBriefly } from "./bucket.js";
import { ENDING, type JournalStore } from "./stores.js";

/** Writes at the same time. With more operations at once, several lines share a write. */
const MOST_WRITES = 4;
/** How long a line that can wait does so. */
const WAIT_MS = 200;
/** How long any other line waits for more. Parallel operations begin within some milliseconds, and a write takes longer than that. */
const GATHER_MS = 5;
/** S3 deletes as many objects with one request. */
const MOST_DELETED = 1000;
const AT_ONCE = 8;

interface Group {
  text: string;
  /** Somebody waits for a line of it. */
  isUrgent: boolean;
  readonly waiting: { readonly done: () => void; readonly failed: (error: unknown) => void }[];
}

/** The objects of a file, and the lines that are not in one yet. */
interface Writing {
  /** Number of the next object. */
  next: number;
  group: Group | undefined;
  /** Absent when the group waits for the end of a write. */
  timer: NodeJS.Timeout | undefined;
  readonly writes: Set<Promise<void>>;
}

/** A file is several small objects, because an object cannot be extended. Lines of parallel operations share one of them. */
export class BucketStore implements JournalStore {
  readonly name: string;
  readonly isRemote = true;
  private readonly files = new Map<string, Writing>();

  /** @param folder with a slash at the end */
  constructor(
    private readonly bucket: Bucket,
    private readonly folder: string,
  ) {
    this.name = `${bucket.name}/${folder}`;
  }

  async read(): Promise<ReadonlyMap<string, string>> {
    const keys = (await retryBriefly(() => this.bucket.list(this.folder))).filter((key) =>
      key.endsWith(ENDING),
    );
    const files = new Map<string, string>();
    // The run of a missing one has ended in the meantime.
    const texts = await workInGroups(keys, (key) => retryBriefly(() => this.bucket.text(key)));
    for (const [i, key] of keys.entries()) {
      const { file, number } = parsePartKey(key.slice(this.folder.length));
      files.set(file, `${files.get(file) ?? ""}${texts[i] ?? ""}`);
      const writing = this.fileOf(file);
      writing.next = Math.max(writing.next, number + 1);
    }
    return files;
  }

  append(file: string, line: string, canWait: boolean = false): Promise<void> {
    const writing = this.fileOf(file);
    const isFirst = writing.group === undefined;
    const group = (writing.group ??= { text: "", isUrgent: false, waiting: [] });
    group.text += `${line}\n`;
    const written = new Promise<void>((done, failed) => group.waiting.push({ done, failed }));
    if (isFirst || (!canWait && !group.isUrgent)) {
      clearTimeout(writing.timer);
      writing.timer = setTimeout(() => this.write(file, writing), canWait ? WAIT_MS : GATHER_MS);
      if (canWait) writing.timer.unref();
    }
    group.isUrgent ||= !canWait;
    return written;
  }

  async remove(file: string): Promise<void> {
    const writing = this.fileOf(file);
    clearTimeout(writing.timer);
    writing.group = undefined;
    await Promise.all(writing.writes);
    const keys = Array.from({ length: writing.next }, (_, number) => this.keyOf(file, number));
    for (let i = 0; i < keys.length; i += MOST_DELETED)
      await retryBriefly(() => this.bucket.deleteAll(keys.slice(i, i + MOST_DELETED)));
    this.files.delete(file);
  }

  private fileOf(file: string): Writing {
    const known = this.files.get(file);
    if (known !== undefined) return known;
    const writing: Writing = { next: 0, group: undefined, timer: undefined, writes: new Set() };
    this.files.set(file, writing);
    return writing;
  }

  /** Writes the lines that wait, unless enough writes are in progress. The end of one starts the next. */
  private write(file: string, writing: Writing): void {
    const { group } = writing;
    writing.timer = undefined;
    if (group === undefined || writing.writes.size >= MOST_WRITES) return;
    writing.group = undefined;
    const key = this.keyOf(file, writing.next++);
    const ended = retryBriefly(() => this.bucket.put(key, group.text))
      .then(
        () => group.waiting.forEach(({ done }) => done()),
        (error: unknown) => group.waiting.forEach(({ failed }) => failed(error)),
      )
      .then(() => {
        writing.writes.delete(ended);
        if (writing.timer === undefined) this.write(file, writing);
      });
    writing.writes.add(ended);
  }

  /** Keys of one file are in the order of its objects. */
  private keyOf(file: string, number: number): string {
    return `${this.folder}${file.slice(0, -ENDING.length)}.${String(number).padStart(6, "0")}${ENDING}`;
  }
}

function parsePartKey(key: string): { file: string; number: number } {
  const [, name = key, number = "0"] = /^(.*)\.(\d+)\.jsonl$/.exec(key) ?? [];
  return { file: `${name}${ENDING}`, number: Number(number) };
}

async function workInGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE)
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))));
  return results;
}
