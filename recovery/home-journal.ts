/**
 * The journal in the user's own folder: of programs, and of runs whose state is where no journal can be. That of a program whose state is in a
 * bucket is there too, because a pod or runner that is lost takes the user's own folder along.
 */
import type { EngineLease } from "./engine-lease.js";
import { getJournalFolder } from "./journal.js";
import { pause } from "./lease.js";
import { type JournalOptions, RunJournal } from "./run-journal.js";
import { FolderStore, type JournalStore } from "./stores.js";

type LeaseOfEngine = Pick<EngineLease, "journals" | "sharedJournals" | "end">;

/** Opens the journal in the user's own folder. */
export function openHomeJournal(options: Omit<JournalOptions, "besideState"> = {}): RunJournal {
  return new RunJournal(new FolderStore(getJournalFolder(options.env)), options);
}

/** Opens the journal of this process. Closes the intents of results that the engine got when the engine ends normally. */
export function openJournal(options: Omit<JournalOptions, "besideState">, lease: LeaseOfEngine): RunJournal {
  const home = new FolderStore(getJournalFolder(options.env));
  const store = new ProgramStore(home, lease.sharedJournals);
  const journal = new RunJournal(store, { ...options, others: lease.journals });
  endWithSignal(journal, store, lease);
  return journal;
}

/** Writes next to the state, where this is possible, else into the user's own folder. */
class ProgramStore implements JournalStore {
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly home: JournalStore,
    private readonly shared: () => Promise<JournalStore | undefined>,
  ) {}

  get name(): string {
    return this.home.name;
  }

  /** The journal reads those next to the state by itself. */
  read(): ReturnType<JournalStore["read"]> {
    return this.home.read();
  }

  append(file: string, line: string, canWait?: boolean): Promise<void> {
    return this.write((store) => store.append(file, line, canWait));
  }

  remove(file: string): Promise<void> {
    return this.write((store) => store.remove(file));
  }

  /** Ends when all that was written is stored. */
  async stored(): Promise<void> {
    await Promise.allSettled(this.writing);
  }

  private write(work: (store: JournalStore) => Promise<void>): Promise<void> {
    const written = this.shared().then((store) => work(store ?? this.home));
    this.writing.add(written);
    void written.catch(() => undefined).finally(() => this.writing.delete(written));
    return written;
  }
}

/** The engine kills a provider that has not ended one second after the signal. */
const LAST_MS = 700;

/** Ends the journal on the signal by which the engine ends its providers, after it has saved their results. */
function endWithSignal(journal: RunJournal, store: ProgramStore, lease: LeaseOfEngine): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const) {
    process.once(signal, () => {
      journal.end();
      const stored = Promise.all([store.stored(), lease.end()]);
      void expireAfterLast(stored).finally(() => process.kill(process.pid, signal));
    });
  }
}

/** Waits for work, which may go on afterwards. */
async function expireAfterLast(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, pause(LAST_MS)]);
}
