/** Where the files of a journal are: a folder, or a bucket (bucket-store.ts). Each run appends to a file of its own. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export interface JournalStore {
  /** Location, for messages. */
  readonly name: string;
  /** Whether a line travels over a network until it is stored, for which an operation waits. */
  readonly isRemote?: boolean;
  /** The texts of all files, by name. */
  read(): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  /**
   * Adds a line. Ends when it survives the end of this process, and for a bucket that of this machine.
   * @param canWait nobody waits for the line, so it may be stored along with the next one
   */
  append(file: string, line: string, canWait?: boolean): Promise<void>;
  remove(file: string): Promise<void>;
}

export const ENDING = ".jsonl";

/** The folder of a stack's journals, in the folder `.pulumi` of its state. */
export function locateJournals(project: string, stack: string): string {
  return ["workspacectl", "journal", project, stack].join("/");
}

/**
 * A line is with the operating system when `append` returns, so it survives the death of the process. It does not survive a power failure:
 * Pulumi does not force its state to disk either.
 */
export class FolderStore implements JournalStore {
  private readonly cut = new Set<string>();

  constructor(readonly name: string) {}

  read(): ReadonlyMap<string, string> {
    const files = listNamesIn(this.name).filter((name) => name.endsWith(ENDING));
    return new Map(files.map((file) => [file, readText(join(this.name, file))]));
  }

  // Works before the first `await`, because a process that ends waits for nothing.
  // eslint-disable-next-line @typescript-eslint/require-await -- see above
  async append(file: string, line: string): Promise<void> {
    mkdirSync(this.name, { recursive: true, mode: 0o700 });
    const path = join(this.name, file);
    // A failed write may have left half a line.
    const text = `${this.cut.has(file) ? "\n" : ""}${line}\n`;
    this.cut.add(file);
    appendFileSync(path, text, { mode: 0o600 });
    this.cut.delete(file);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async remove(file: string): Promise<void> {
    rmSync(join(this.name, file), { force: true });
  }
}

/** The names in a folder, which another process may remove at any moment; none when it does not exist. */
export function listNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Its process has ended in the meantime and deleted it.
    return "";
  }
}
